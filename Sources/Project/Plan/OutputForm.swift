package import Formats
package import Graph
package import Packaging

/// What a job writes, with everything that shapes its bytes.
package enum OutputForm: Hashable {
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

  package var format: ModelFormat {
    switch self {
    case .safetensors: .safetensors
    case .mlpackage: .mlpackage
    }
  }

  /// The form of one encoder: only a text has a length.
  package func suiting(_ encoder: EncoderKind?) -> OutputForm {
    guard encoder == .image, case .mlpackage(let options, let description) = self else {
      return self
    }
    return .mlpackage(
      CoreMLOptions(
        target: options.target, outputType: options.outputType, floats: options.floats),
      description)
  }

  /// What a package says of itself, key by key; empty for other formats.
  package var words: [String: String] {
    guard case .mlpackage(_, let description) = self else { return [:] }
    return description.notes.merging(description.words) { _, last in last }
  }

  /// Lengths asked for of a text's tokens; empty where there are none.
  var sequenceLengths: [Int] {
    if case .mlpackage(let options, _) = self { options.sequenceLengths } else { [] }
  }
}

extension CoreMLDescription {
  /// What it says but for notes, by the names of a project file.
  var words: [String: String] {
    ["description": summary, "author": author, "license": license, "version": version]
      .compactMapValues(\.self)
  }
}
