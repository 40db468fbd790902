import Graph
import ModelFixtures
import TestSupport
import Testing
import Weights

struct ModernBertTests {
  private static let config = """
    {"model_type": "modernbert", "hidden_size": 8, "num_attention_heads": 2,
     "num_hidden_layers": 4, "intermediate_size": 6, "vocab_size": 20, "local_attention": 4,
     "max_position_embeddings": 32}
    """

  private func model(_ members: String = "", _ weights: ShapesOnly = ShapesOnly()) throws
    -> ModernBert?
  {
    let config = BertTests.edited(Self.config, "{", members.isEmpty ? "{" : "{\(members), ")
    return try ModernBert.recognise(
      files(BertTests.texts(["config.json": config])), weights: weights)
  }

  @Test func theFirstLayerHasNoNormOfItsOwn() throws {
    let graph = try #require(try model()).graph(batch: 2, length: 7)
    #expect(graph.outputType == ValueType(.float32, [2, 8]))
    // The table, two norms, and per layer four matrices and two norms; the first layer has one.
    #expect(graph.weights.count == 3 + 4 * 6 - 1)
    #expect(!graph.weights.contains { $0.name == "layers.0.attn_norm.weight" })
  }

  /// The masks that the layers' attention gets, in their order.
  private func masks(_ members: String) throws -> [Operand] {
    try #require(try model(members)).graph(batch: 1, length: 7).nodes
      .compactMap { ($0.operation as? ScaledDotProductAttention)?.mask }
  }

  @Test func everyThirdLayerSeesTheWholeText() throws {
    let whole = Operand.value("score_mask"), window = Operand.value("window_mask")
    #expect(try masks("") == [whole, window, window, whole])
    #expect(
      try masks(#""global_attn_every_n_layers": 2"#) == [whole, window, whole, window])
    let kinds = #"["sliding_attention", "full_attention", "full_attention", "sliding_attention"]"#
    #expect(try masks(#""layer_types": \#(kinds)"#) == [window, whole, whole, window])
  }

  @Test func aWindowReachesHalfItsWidthToEitherSide() throws {
    let graph = try #require(try model()).graph(batch: 1, length: 7)
    let limit = graph.nodes.lazy.compactMap { $0.operation as? Comparison }.first?.y
    #expect(limit == .literal(.integers([3], shape: [])))
  }

  @Test func biasesAndShiftsAreSwitchedOnEach() throws {
    func names(_ key: String) throws -> Set<TensorName> {
      let members = "\"\(key)\": true"
      return Set(try #require(try model(members)).graph(batch: 1, length: 1).weights.map(\.name))
    }
    #expect(try names("attention_bias").contains("layers.1.attn.Wqkv.bias"))
    #expect(try names("mlp_bias").contains("layers.1.mlp.Wo.bias"))
    #expect(try names("norm_bias").contains("final_norm.bias"))
    #expect(try !names("norm_bias").contains("layers.1.mlp.Wo.bias"))
  }

  @Test(arguments: [
    (
      #""layer_types": ["full_attention"]"#,
      "model/config.json:1:17: 'layer_types' has 1 entries, 'num_hidden_layers' is 4"
    ),
    (
      #""num_attention_heads": 8"#,
      "model/config.json:1:1: 'hidden_size' 8 over 'num_attention_heads' 8 is odd, and rotary "
        + "positions turn pairs"
    ),
    (
      #""rope_scaling": {"type": "linear", "factor": 2}"#,
      #"model/config.json:1:18: 'rope_scaling' is {"factor":2,"type":"linear"}, which is not "#
        + "supported; supported: null"
    ),
    (
      #""global_rope_theta": 5, "rope_parameters": {"full_attention": {"rope_theta": 7}}"#,
      "model/config.json:1:64: 'rope_theta' of 'full_attention' is 7.0, 'global_rope_theta' is "
        + "5.0; versions of transformers differ in which they take; leave one out"
    ),
  ])
  func refuses(members: String, expected: String) {
    let config = BertTests.edited(Self.config, "\"num_attention_heads\": 2,", "")
    let heads = members.contains("heads") ? "" : ", \"num_attention_heads\": 2"
    let text = BertTests.edited(config, "{", "{\(members)\(heads), ")
    #expect(
      message {
        _ = try ModernBert.recognise(
          files(BertTests.texts(["config.json": text])), weights: ShapesOnly())
      } == expected)
  }

  @Test func weightsOfAModelWithAHeadHaveItsPrefix() throws {
    let table = "model.embeddings.tok_embeddings.weight"
    let found = try #require(try model("", ShapesOnly(named: [table: [20, 8]])))
    let names = try found.graph(batch: 1, length: 1).weights.map(\.name)
    #expect(names.allSatisfy { $0.text.hasPrefix("model.") })
    #expect(
      message { _ = try model("", ShapesOnly(named: [table: [21, 8]])) }
        == "model/config.json:2:64: 'vocab_size' is 20, the table '\(table)' has 21 rows")
  }
}
