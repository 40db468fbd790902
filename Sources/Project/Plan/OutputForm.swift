package import Formats
package import Graph
import Packaging

/// The format of a job's result, with everything that shapes its bytes.
package struct OutputForm: Hashable {
  package let format: ModelFormat
  /// The choices that the format knows of.
  package private(set) var choices: FormatChoices

  package init(_ value: any Format) {
    format = ModelFormat(type(of: value))
    choices = value.choices
  }

  /// The form that an entry asks for in a release.
  init(_ options: FormatOptions, _ release: ReleaseOptions) {
    let description = CoreMLDescription(
      summary: options.summary, author: release.author, license: release.license,
      version: release.version.description)
    self.init(
      options.format.with(FormatChoices(coreML: options.coreML, description: description)))
  }

  /// The format with all of it.
  package var value: any Format { format.with(choices) }

  /// The form of one encoder: only a text has a length.
  package func suiting(_ encoder: EncoderKind?) -> OutputForm {
    guard encoder == .image else { return self }
    var form = self
    form.choices.coreML = CoreMLOptions(
      target: choices.coreML.target, outputType: choices.coreML.outputType,
      floats: choices.coreML.floats)
    return form
  }

  /// A model's description of itself, key by key; empty for formats that hold none.
  package var words: [String: String] {
    choices.description.notes.merging(choices.description.words) { _, last in last }
  }

  /// Each choice by the name it has in a project file; what was left open is not there.
  var options: [String: String] {
    value.choiceWords.merging(["format": format.name]) { _, last in last }
  }

  /// Lengths asked for of a text's tokens; empty if there are none.
  var sequenceLengths: [Int] { choices.coreML.sequenceLengths }
}
