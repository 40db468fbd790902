import Graph
import ModelFixtures
import Testing
import Weights

@testable import Inputs

/// One key for models that compute the same, and another for any other.
struct CacheKeyTests {
  /// A layer of two features and what follows it.
  private struct Layer: Architecture {
    static let name = "layer"
    let describingFiles: [String] = []
    var weight = "w"
    var value = "product"
    var isSigmoid = false
    let input = ModelInput.features(names: ["a", "b"])
    var output = ModelOutput.embedding(width: 2)
    let outputName = "embedding"

    func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
      var builder = GraphBuilder()
      let x = builder.input("values", ValueType(.float32, [batch, 2]))
      let w = Operand.weight(
        WeightReference(TensorName(weight), [2, 2], role: .matrix(outputAxis: 0)))
      let product = try builder.append(value, Matmul(x, w))
      let last = try builder.append(
        "out", ElementwiseUnary(isSigmoid ? .sigmoid : .tanh, product))
      return try builder.finish(output: last)
    }
  }

  private func key(
    _ layer: Layer = Layer(), _ numbers: [Float] = [1, 2, 3, 4], preparation: String = "p"
  ) throws -> String {
    let graph = try layer.graph(batch: 1, length: 1)
    let weights = MemoryWeights(for: graph.weights) { _ in numbers }
    let model = try Model(
      origin: "m", architecture: layer, files: ModelFiles(carriedBy: "m", texts: [:]),
      weights: weights)
    return try model.cacheKey(preparation: Array(preparation.utf8)).hex
  }

  @Test func namesDoNotCount() throws {
    let own = try key()
    #expect(try key(Layer(weight: "other", value: "x")) == own)
    #expect(own.count == 64)
  }

  /// The same numbers stand for other classes where labels change places.
  @Test func classesCount() throws {
    let labels: [ClassLabels] = [["a", "b"], ["b", "a"], .texts(["1", "2"]), .integers([1, 2])]
    let keys = try labels.map { try key(Layer(output: .classes(labels: $0, width: 2))) }
    #expect(Set(keys).count == keys.count)
  }

  @Test func whatIsComputedCounts() throws {
    let keys = [
      try key(), try key(Layer(isSigmoid: true)), try key(Layer(), [1, 2, 3, 4.0000005]),
      try key(Layer(), preparation: "q"),
    ]
    #expect(Set(keys).count == keys.count)
  }

  /// What depends on places is seen by long texts alone: angles of rotary positions, and windows of
  /// attention, which a text that is no longer than one does not have.
  @Test(arguments: [
    (Self.gte, "1000", "1001"), (Self.gemma3, #""sliding_window": 16"#, #""sliding_window": 18"#),
  ])
  func whatDependsOnPlacesCounts(_ config: String, of old: String, and new: String) throws {
    let other = config.split(separator: old).joined(separator: new)
    let keys = try [config, config, other].map(placesKey)
    #expect(keys[0] == keys[1])
    #expect(keys[0] != keys[2])
  }

  private static let gte = """
    {"model_type": "new", "hidden_size": 8, "num_attention_heads": 2, "num_hidden_layers": 1,
     "intermediate_size": 6, "vocab_size": 20, "max_position_embeddings": 32, "rope_theta": 1000}
    """
  private static let gemma3 = """
    {"model_type": "gemma3_text", "hidden_size": 8, "num_attention_heads": 3,
     "num_key_value_heads": 1, "head_dim": 4, "num_hidden_layers": 2, "intermediate_size": 16,
     "vocab_size": 20, "max_position_embeddings": 32, "sliding_window": 16,
     "use_bidirectional_attention": true, "layer_types": ["sliding_attention", "full_attention"]}
    """

  /// The key of a model with such a `config.json`, whose weights are all 0.5.
  private func placesKey(_ config: String) throws -> ContentDigest {
    let modules = """
      [{"idx": 0, "path": "", "type": "sentence_transformers.models.Transformer"},
       {"idx": 1, "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"}]
      """
    let texts = [
      "config.json": config, "modules.json": modules, "tokenizer.json": "{}",
      "1_Pooling/config.json":
        #"{"pooling_mode_mean_tokens": true, "pooling_mode_cls_token": false}"#,
      "sentence_bert_config.json": "{}",
    ]
    let files = ModelFiles(carriedBy: "m", texts: texts.mapValues { Array($0.utf8) })
    let architecture = try Architectures.recognise(files, weights: ShapesOnly())
    let weights = MemoryWeights(for: try architecture.smallestGraph().weights) { reference in
      Array(repeating: 0.5, count: reference.elementCount)
    }
    return try Model(origin: "m", architecture: architecture, files: files, weights: weights)
      .cacheKey(preparation: [])
  }

  /// Apps keep embeddings by it: another key for what is the same makes them compute all anew.
  @Test func theKeyStaysWhatItIs() throws {
    // By Python's json and hashlib, of the facts in its page.
    #expect(
      try key()
        == "1713c283c5d65c70e7bee3935a424ee10ada78cc0b27714b78b4c1ac6532a6ec")
  }
}
