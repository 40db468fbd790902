import Files
import Graph
import ModelFixtures
import WeightCompression
import Weights

@testable import Formats

/// Weights for a graph's needs: numbers from −1 to 1 that are the same in every run, some of them
/// no float16 values.
func heldWeights(for references: [WeightReference]) -> MemoryWeights {
  var state: UInt64 = 7
  return MemoryWeights(for: references) { reference in
    (0..<reference.elementCount).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(state >> 40) / Float(1 << 23) - 1
    }
  }
}

/// Small models made in code.
enum SmallModels {
  /// Two layers of width 8 over a table of 20 tokens, at most 10 of them.
  static func bert(
    pooling: PoolingMode = .mean, activation: String = "gelu", normalises: Bool = true,
    tokenizer: [UInt8]? = nil
  ) throws -> Model {
    let config = """
      {"model_type": "bert", "hidden_size": 8, "num_attention_heads": 2, "num_hidden_layers": 2,
       "intermediate_size": 16, "vocab_size": 20, "max_position_embeddings": 12,
       "type_vocab_size": 2, "layer_norm_eps": 1e-12, "hidden_act": "\(activation)"}
      """
    let modules = """
      [{"path": "", "type": "sentence_transformers.models.Transformer"},
       {"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"}
       \(normalises ? #", {"path": "2", "type": "sentence_transformers.models.Normalize"}"# : "")]
      """
    var texts = [
      "config.json": Array(config.utf8), "modules.json": Array(modules.utf8),
      "1_Pooling/config.json": Array(#"{"pooling_mode": "\#(pooling.rawValue)"}"#.utf8),
      "sentence_bert_config.json": Array(#"{"max_seq_length": 10}"#.utf8),
    ]
    texts["tokenizer.json"] = tokenizer
    return try model(ModelFiles(carriedBy: "small", texts: texts), shapes: [:])
  }

  /// A dense model of the features `a`, `b`, …, described by the rest of its `model.json`.
  static func dense(
    features: Int = 3, layers: String, output: String, standardises: Bool = false,
    shapes: [TensorName: [Int]]
  ) throws -> Model {
    let names = (0..<features).map { #"{"name": "\#("abcdefgh".dropFirst($0).prefix(1))"}"# }
    let standardize = standardises ? #""standardize": {"mean": "mean", "scale": "scale"},"# : ""
    let text = """
      {"architecture": "dense", "inputs": [\(names.joined(separator: ", "))], \(standardize)
       "layers": [\(layers)], "output": \(output)}
      """
    return try model(
      ModelFiles(carriedBy: "small", texts: ["model.json": Array(text.utf8)]), shapes: shapes)
  }

  private static func model(_ files: ModelFiles, shapes: [TensorName: [Int]]) throws -> Model {
    let architecture = try Architectures.recognise(files, weights: ShapesOnly(shapes: shapes))
    let weights = heldWeights(for: try architecture.graph(batch: 1, length: 1).weights)
    return try Model(origin: "small", architecture: architecture, files: files, weights: weights)
  }

  /// The embedding of three features: a linear layer of four rows, its bias.
  static func embedding() throws -> Model {
    try dense(
      layers: #"{"weight": "w", "bias": "b"}"#, output: #"{"name": "vector", "kind": "embedding"}"#,
      shapes: ["w": [4, 3]])
  }

  /// The scores of three labels.
  static func classifier() throws -> Model {
    try dense(
      layers: #"{"weight": "w", "bias": "b", "activation": "softmax"}"#,
      output: #"{"name": "kind", "kind": "classifier", "labels": ["x", "y", "z"]}"#,
      shapes: ["w": [3, 3]])
  }
}

extension Model {
  /// Its weights compressed for a package.
  func compressed(_ scheme: Scheme? = nil, jobs: Int = 1) throws -> CompressedWeights {
    try WeightCompressor.compress(
      weights: try usedWeights(), from: weights,
      options: try CompressionOptions(scheme: scheme, floats: .float16), jobs: jobs)
  }

  /// Writes it as a package.
  @discardableResult
  func write(
    _ scheme: Scheme? = nil, _ options: CoreMLOptions = CoreMLOptions(),
    description: CoreMLDescription = CoreMLDescription(), jobs: Int = 1, to path: String
  ) throws -> EmittedModel {
    try CoreMLPackage(options: options, description: description).writeUnproven(
      try compressed(scheme, jobs: jobs), of: self, recipe: scheme.label, to: path)
  }
}
