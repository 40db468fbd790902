package import Graph
package import StrictJSON
package import Weights

/// The contents of a model that is a folder, for `inspect` and `diff`.
package struct FolderInspection: Sendable {
  /// An input or output.
  package struct Feature: Sendable {
    package let name: String
    /// Element type and shape in words, such as `int32 [1, 128]`.
    package let type: String
    package let description: String
  }

  /// A constant of floats with at least one axis.
  package struct Constant: Sendable {
    package let name: TensorName
    /// How it is stored, such as `palette 4 bits, one table`.
    package let storage: String
    package let shape: [Int]
    package let bits: Int
    package let byteCount: Int
    /// Word for its role in the graph.
    package let role: String
  }

  /// A number of the model, outside its weights, that no other model can be made with.
  package struct OddNumber: Sendable {
    package let name: String
    package let number: Float
    /// The operation that reads it, in words.
    package let place: String
  }

  /// A fact that only this format has, such as the version of its specification.
  package struct Fact: Sendable {
    /// The name, also in JSON.
    package let name: String
    package let value: JSONValue
    /// The value in words.
    package let words: String
  }

  package let format: ModelFormat
  package let model: Model
  package let facts: [Fact]
  /// The same as a line for people.
  package let factLine: String
  package let inputs: [Feature]
  package let outputs: [Feature]
  /// Author, license, version and description as far as they are given, and every key of a user's.
  package let metadata: [String: String]
  /// The keys of the metadata that hold the requested compression, and the digest of the weights
  /// that the model was made from.
  package let recipeKey: String
  package let sourceKey: String
  package let constants: [Constant]
  /// Names of constants whose −∞ is read as `hiddenValue`; those with no axes are not listed above.
  package let mendedMasks: [String]
  /// The number that hides a key in a mask that Ingot runs and writes.
  package let hiddenValue: Float
  package let oddNumbers: [OddNumber]
  /// How often the model holds each operation, constants left out.
  package let operations: [String: Int]
}

/// A model's statements about itself, for comparing it with another.
package struct ModelFacts: Sendable {
  /// How it is stored and was compressed, by name.
  package var options: [String: String] = [:]
  /// The digest of the weights that it was made from, as far as it names them.
  package var source: String?
  /// The digest of its tokenizer, where it holds one.
  package var tokenizer: String?
  /// Everything else, by name.
  package var description: [String: String] = [:]

  package init() {}
}

extension FolderInspection {
  /// The facts that the model states of itself.
  package var modelFacts: ModelFacts {
    var found = ModelFacts()
    var rest = metadata
    found.options["recipe"] = rest.removeValue(forKey: recipeKey)
    for fact in facts { found.options[fact.name] = fact.words }
    found.source = rest.removeValue(forKey: sourceKey)
    found.description = rest
    found.description["inputs"] = inputs.map(\.words).joined(separator: "; ")
    found.description["outputs"] = outputs.map(\.words).joined(separator: "; ")
    found.description["operations"] = operations.sorted { $0.key < $1.key }
      .map { "\($0.key) × \($0.value)" }.joined(separator: ", ")
    return found
  }
}

extension FolderInspection.Feature {
  fileprivate var words: String {
    "\(name) \(type)" + (description.isEmpty ? "" : ": \(description)")
  }
}
