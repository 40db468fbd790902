package import Graph
package import Inputs
import TestSupport
package import Weights

/// A BERT of two small layers that embeds texts of twenty words.
package enum TinyBert {
  package static let words = [
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "big", "small", "red", "blue", "dog", "cat", "runs",
    "sleeps", "and", "not", "here", "there", "now", "then", "who",
  ]

  package static let tokenizer = wordPieceFile(words)

  package static let config = """
    {"model_type": "bert", "hidden_size": 8, "num_attention_heads": 2, "num_hidden_layers": 2,
     "intermediate_size": 16, "vocab_size": 20, "max_position_embeddings": 12,
     "type_vocab_size": 2, "layer_norm_eps": 1e-12, "hidden_act": "gelu"}
    """
  package static let modules = """
    [{"path": "", "type": "sentence_transformers.models.Transformer"},
     {"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
     {"path": "2_Normalize", "type": "sentence_transformers.models.Normalize"}]
    """

  /// The model with weights of random numbers; `change` may replace some.
  ///
  /// - Parameters:
  ///   - settings: of its first module.
  ///   - other: files beside those there are, or in their place, by path.
  package static func model(
    origin: String = "baseline", calibration: CalibrationRecord? = nil,
    settings: String = #"{"max_seq_length": 10}"#, files other: [String: [UInt8]] = [:],
    changing change: (inout MemoryWeights) -> Void = { _ in }
  ) throws -> Model {
    let files = ModelFiles(
      carriedBy: origin,
      texts: [
        "config.json": Array(config.utf8), "modules.json": Array(modules.utf8),
        "1_Pooling/config.json": Array(#"{"pooling_mode_mean_tokens": true}"#.utf8),
        "sentence_bert_config.json": Array(settings.utf8),
        "tokenizer.json": tokenizer,
      ].merging(other) { $1 })
    let bert = try Architectures.recognise(files, weights: MemoryWeights())
    var generator = SeededGenerator(seed: 3)
    var weights = MemoryWeights(for: try bert.graph(batch: 1, length: 1).weights) { reference in
      (0..<reference.elementCount).map { _ in Float.random(in: -1...1, using: &generator) }
    }
    change(&weights)
    return try Model(
      origin: origin, architecture: bert, files: files, weights: weights, calibration: calibration)
  }

  /// Eight pairs of its words.
  package static func references() throws -> ReferenceSet {
    let texts = [
      "big dog", "small cat", "red dog runs", "blue cat sleeps", "who", "not here", "a cat now",
      "dog and cat",
    ]
    return try ModelFixtures.references(
      texts.indices.map { index in
        let other = texts[(index + 3) % texts.count]
        return #"{"a": {"text": "\#(texts[index])"}, "b": {"text": "\#(other)"}}"#
      })
  }
}

extension MemoryWeights {
  /// Changes every value of a weight.
  package mutating func change(_ name: TensorName, _ change: (Float) -> Float) {
    guard let (shape, values) = tensors[name] else { return }
    tensors[name] = (shape, values.map(change))
  }
}
