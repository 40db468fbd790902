import Emission
import Graph
import Packaging

/// What a job writes, with everything that shapes its bytes.
enum OutputForm: Hashable {
  case safetensors
  case mlpackage(CoreMLOptions, CoreMLDescription)

  /// What a recipe asks for in a release.
  init(_ terms: FormatTerms, _ release: ReleaseTerms) {
    switch terms.format {
    case .safetensors: self = .safetensors
    case .mlpackage:
      self = .mlpackage(
        terms.coreML,
        CoreMLDescription(
          summary: terms.summary, author: release.author, license: release.license,
          version: release.version.description))
    }
  }

  var format: ModelFormat {
    switch self {
    case .safetensors: .safetensors
    case .mlpackage: .mlpackage
    }
  }

  /// The form of one encoder: only a text has a length.
  func suiting(_ encoder: EncoderKind?) -> OutputForm {
    guard encoder == .image, case .mlpackage(let options, let description) = self else {
      return self
    }
    return .mlpackage(
      CoreMLOptions(
        target: options.target, outputType: options.outputType, floats: options.floats),
      description)
  }

  /// Lengths asked for of a text's tokens; empty where there are none.
  var sequenceLengths: [Int] {
    if case .mlpackage(let options, _) = self { options.sequenceLengths } else { [] }
  }
}
