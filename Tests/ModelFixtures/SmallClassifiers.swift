package import Graph
import TestSupport
import Weights

/// A BERT of two small layers that gives each of a text's tokens one of two labels.
package enum SmallTokenClassifier {
  package static let labels: ClassLabels = ["O", "NAME"]

  private static let config = """
    {"architectures": ["BertForTokenClassification"], "id2label": {"0": "O", "1": "NAME"},
    """ + TinyBert.config.dropFirst()

  /// Its files that prepare texts.
  ///
  /// - Parameter longest: tokens a text is cut to.
  package static func companions(longest: Int = 12) -> [String: [UInt8]] {
    [
      "tokenizer.json": TinyBert.tokenizer,
      "tokenizer_config.json": Array(#"{"model_max_length": \#(longest)}"#.utf8),
    ]
  }

  /// The model with weights of random numbers.
  ///
  /// - Parameters:
  ///   - bias: of the last layer; random where nil. With one, its matrix is zero.
  ///   - longest: tokens a text is cut to.
  package static func model(
    bias: [Float]? = nil, longest: Int = 12, origin: String = "baseline"
  ) throws -> Model {
    let files = ModelFiles(
      carriedBy: origin,
      texts: companions(longest: longest).merging(["config.json": Array(config.utf8)]) { $1 })
    let classifier = try Architectures.recognise(
      files, weights: ShapesOnly(shapes: ["bert.embeddings.word_embeddings.weight": [20, 8]]))
    var generator = SeededGenerator(seed: 5)
    var weights = MemoryWeights(for: try classifier.graph(batch: 1, length: 1).weights) { weight in
      (0..<weight.elementCount).map { _ in Float.random(in: -1...1, using: &generator) }
    }
    if let bias {
      weights.tensors["classifier.weight"] = ([2, 8], [Float](repeating: 0, count: 16))
      weights.tensors["classifier.bias"] = ([2], bias)
    }
    return try Model(origin: origin, architecture: classifier, files: files, weights: weights)
  }
}
