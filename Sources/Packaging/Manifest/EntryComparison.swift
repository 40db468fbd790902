import Graph
import IngotFeatures
import StrictJSON

/// Collects what a manifest says of a model otherwise than it is.
///
/// Texts are compared by their bytes: an app does so, too.
package struct EntryComparison {
  /// One difference.
  package struct Difference: Equatable, Sendable {
    package let field: String
    package let manifest: String
    package let found: String
  }

  /// In the order of comparison.
  package private(set) var differences: [Difference] = []

  package init() {}

  /// Compares one field, given as messages show it; nil is a field that is not there.
  package mutating func compare(_ field: String, _ manifest: String?, _ found: String?) {
    guard manifest.map(ExactString.init) != found.map(ExactString.init) else { return }
    differences.append(
      Difference(
        field: field, manifest: EntryComparison.shown(manifest), found: EntryComparison.shown(found)
      ))
  }

  /// Compares a text, which messages show in quotes.
  package mutating func compare(text field: String, _ manifest: String?, _ found: String?) {
    compare(field, manifest.map { "'\($0)'" }, found.map { "'\($0)'" })
  }

  /// Compares inputs, outputs and prompt.
  ///
  /// - Parameter featuresAreNamed: whether the names of features that were found are the model's own.
  package mutating func compare(
    _ entry: ModelEntry, with found: ModelInterface, featuresAreNamed: Bool = true
  ) {
    compare("input", entry.inputs, found.inputs, featuresAreNamed: featuresAreNamed)
    compare("output", entry.outputs, found.outputs)
    compare(text: "prompt", entry.prompt, found.prompt)
  }

  private mutating func compare(
    _ side: String, _ manifest: [TensorDescription], _ found: [TensorDescription],
    featuresAreNamed: Bool = true
  ) {
    compare("\(side)s", "\(manifest.count)", "\(found.count)")
    for (index, (old, new)) in zip(manifest, found).enumerated() {
      compare(text: "name of \(side) \(index + 1)", old.name, new.name)
      let place = "of \(side) '\(new.name.prefix(80).controlsEscaped)'"
      compare("type \(place)", old.dtype, new.dtype)
      compare("shape \(place)", "\(old.shape)", "\(new.shape)")
      if featuresAreNamed {
        compare("feature", place, old.features.map { "'\($0)'" }, new.features.map { "'\($0)'" })
      }
      compare(
        text: "schema of features \(place)",
        old.schema.map { String(decoding: $0.json, as: UTF8.self) },
        new.schema.map { String(decoding: $0.json, as: UTF8.self) })
      compare("label", place, old.labels.words, new.labels.words)
    }
  }

  /// Compares lists; of different elements the first is named.
  private mutating func compare(
    _ element: String, _ place: String, _ manifest: [String], _ found: [String]
  ) {
    guard manifest.count == found.count else {
      return compare("number of \(element)s \(place)", "\(manifest.count)", "\(found.count)")
    }
    let pairs = zip(manifest, found).enumerated()
    guard let (index, pair) = pairs.first(where: { ExactString($1.0) != ExactString($1.1) })
    else { return }
    compare("\(element) \(index + 1) \(place)", pair.0, pair.1)
  }

  /// A value of a message; it may come from a forged file.
  private static func shown(_ value: String?) -> String {
    guard let value else { return "nothing" }
    return value.count > 200 ? value.prefix(200).controlsEscaped + "…" : value.controlsEscaped
  }
}
