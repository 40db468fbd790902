import Formats
import Graph
import IngotFeatures
import IngotTokenizers
import Inputs
import Weights

extension ModelEntry {
  /// Holds what the entry says of a model to the model itself, as far as its own files tell.
  ///
  /// - Parameters:
  ///   - model: the model of the entry, opened from the package.
  ///   - configuration: the digest of its input configuration in the package; nil where there is none.
  /// - Throws: `ArchiveFault.otherThanModel` naming the first difference.
  func require(_ model: Model, configuration: ContentDigest?) throws {
    var all = try differences(from: model)
    if let configuration {
      var comparison = EntryComparison()
      comparison.compare(
        "input configuration", configuration.hex,
        ContentDigest(of: try model.inputConfiguration(features: features).json).hex)
      all += comparison.differences
    }
    guard let first = all.first else { return }
    throw ArchiveFault.otherThanModel(
      path: path.string, field: first.field, found: first.found, manifest: first.manifest)
  }

  /// The names of its features, which `differences` compares with the model's own; empty without any.
  private var features: [String] { inputs.first?.features ?? [] }

  /// The differences between the entry and its model.
  private func differences(from model: Model) throws -> [EntryComparison.Difference] {
    var comparison = EntryComparison()
    let statement = ModelFormat.statement(ofOpened: model)
    comparison.compare("architecture", architecture, type(of: model.architecture).name)
    // The names of a program's features are known only from a sentence.
    comparison.compare(
      self,
      with: try ModelInterface(of: model.architecture, in: ModelFormat.carrier(ofOpened: model)),
      featuresAreNamed: statement == nil)
    comparison.compare(text: "compression method", compression.method, model.recipe)
    if let format = compression.options["format"] {
      comparison.compare("option 'format'", format, self.format.name)
    }
    if let statement {
      comparison.compare(self, with: statement)
    } else {
      comparison.compare(
        "encoder", identity.encoder?.rawValue, model.architecture.encoder?.rawValue)
    }
    // Weights of a program are cut and folded as devices want them, and equal nodes of trees are one.
    if statement == nil, !model.architecture.isMergedWhenWritten,
      ModelFormat.carrier(ofOpened: model) == .plain
    {
      comparison.compare(
        "original bytes", "\(compression.originalBytes)",
        try model.plainByteCount().map { "\($0)" })
    }
    return comparison.differences
  }
}

extension EntryComparison {
  /// Compares what a model says to apps.
  fileprivate mutating func compare(_ entry: ModelEntry, with statement: any ModelStatement) {
    if let words = statement.featureWords, let input = entry.inputs.first {
      compare(
        text: "order of features",
        statement.words(forFeatures: input.schema?.columnNames ?? input.features),
        words)
    }
    let options = entry.compression.options
    for (name, found) in statement.options where options[name] != nil {
      compare(text: "option '\(name)'", options[name], found)
    }
    for (name, found) in statement.words.sorted(by: { $0.key < $1.key }) {
      compare(text: "option '\(name)'", options[name] ?? "", found)
    }
  }
}
