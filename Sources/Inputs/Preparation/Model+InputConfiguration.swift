package import Graph
import IngotFeatures
package import IngotTokenizers
import Tokenization
import Weights

extension Model {
  /// What an app needs to make the inputs of this model as the gate makes them.
  ///
  /// The names of files are those in the model's own files: beside a package, or within a compressed
  /// safetensors file. Take it of the model that ships: a package has lengths and inputs of its own.
  ///
  /// - Parameter features: the names of its features, for a package that has them only in a sentence;
  ///   ignored where it takes another number of them.
  /// - Throws: as `InputReader.init`, and `GraphError`.
  package func inputConfiguration(features: [String] = []) throws -> InputConfiguration {
    let tensors = Set(try architecture.smallestGraph().inputs.map(\.name))
    return InputConfiguration(try inputKind(features), tensors: Array(tensors))
  }

  private func inputKind(_ features: [String]) throws -> InputConfiguration.Kind {
    switch architecture.input {
    case .tokens(let maximumLength, let rows):
      .texts(
        try textConfiguration(TextInputs(of: self, maximumLength: maximumLength, rows: rows).texts))
    case .features(let own):
      .features(
        own.isPlain && features.count == own.columnCount ? FeatureSchema(names: features) : own)
    case .image(let width, let height):
      .image(try ImageInputs(of: self, width: width, height: height).configuration)
    }
  }

  private func textConfiguration(_ texts: TextSequences) throws -> TextConfiguration {
    let folder = architecture.tokenizerFolder
    let source = try files.tokenizerFiles(in: folder)
    var digests: [String: String] = [:]
    for (name, bytes) in source.contents where name != .model {
      let path = folder.isEmpty ? name.rawValue : "\(folder)/\(name.rawValue)"
      digests[path] = ContentDigest(of: bytes).hex
    }
    var lengths: [Int]?
    if case .single(let only) = architecture.shapes { lengths = only }
    return TextConfiguration(
      preparation: texts.preparation, cleaning: architecture.textCleaning, limits: texts.limits,
      lengths: lengths, paddingID: texts.tokenizer.paddingID, files: digests,
      facts: try source.modelFacts())
  }
}
