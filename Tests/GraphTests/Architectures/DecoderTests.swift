import Graph
import ModelFixtures
import TestSupport
import Testing
import Weights

/// Qwen3 and Gemma 3: their keys, and the shapes of their graphs.
struct DecoderTests {
  static let qwen3 = """
    {"model_type": "qwen3", "hidden_size": 8, "num_attention_heads": 4, "num_key_value_heads": 2,
     "head_dim": 6, "num_hidden_layers": 2, "intermediate_size": 16, "vocab_size": 20,
     "max_position_embeddings": 12, "rope_theta": 1000000}
    """
  static let gemma3 = """
    {"model_type": "gemma3_text", "hidden_size": 8, "num_attention_heads": 3,
     "num_key_value_heads": 1, "head_dim": 4, "num_hidden_layers": 2, "intermediate_size": 16,
     "vocab_size": 20, "max_position_embeddings": 12, "sliding_window": 4,
     "use_bidirectional_attention": true, "layer_types": ["sliding_attention", "full_attention"]}
    """

  static func folder(_ config: String) -> ModelFiles {
    files(BertTests.texts(["config.json": config, "sentence_bert_config.json": "{}"]))
  }

  private static func qwen3(_ config: String = qwen3) throws -> Qwen3? {
    try Qwen3.recognise(folder(config), weights: ShapesOnly())
  }

  private static func gemma3(_ config: String = gemma3) throws -> Gemma3? {
    try Gemma3.recognise(folder(config), weights: ShapesOnly())
  }

  @Test func qwen3NamesItsWeights() throws {
    let graph = try #require(try Self.qwen3()).graph(batch: 3, length: 5)
    #expect(graph.outputType == ValueType(.float32, [3, 8]))
    // The table and the last norm, and per layer four layers of attention, three of the unit, four
    // norms.
    #expect(graph.weights.count == 2 + 2 * 11)
    let query = graph.weights.first { $0.name == "layers.0.self_attn.q_proj.weight" }
    #expect(query?.shape == [24, 8])
    let key = graph.weights.first { $0.name == "layers.0.self_attn.k_proj.weight" }
    #expect(key?.shape == [12, 8])
  }

  @Test func gemma3HasFourNormsAroundEachLayer() throws {
    let graph = try #require(try Self.gemma3()).graph(batch: 2, length: 12)
    #expect(graph.outputType == ValueType(.float32, [2, 8]))
    #expect(graph.weights.count == 2 + 2 * 13)
    // Places less than 4 / 2 + 1 away are seen: the window is there, as 12 tokens are more.
    #expect(graph.nodes.contains { $0.name == "window_mask" })
    let short = try #require(try Self.gemma3()).graph(batch: 2, length: 3)
    #expect(!short.nodes.contains { $0.name == "window_mask" })
  }

  /// The sums that outgrow float16 say so, and what follows a norm does not.
  @Test(arguments: [DecoderTests.qwen3, DecoderTests.gemma3])
  func residualStreamsStayInFloat32(config: String) throws {
    let models: [(any Architecture)?] = [
      try Qwen3.recognise(Self.folder(config), weights: ShapesOnly()),
      try Gemma3.recognise(Self.folder(config), weights: ShapesOnly()),
    ]
    let graph = try #require(models.compactMap(\.self).first).graph(batch: 1, length: 4)
    let stated = Dictionary(
      uniqueKeysWithValues: graph.nodes.compactMap { node in
        node.precision.map { (node.name, $0) }
      })
    for name in ["layer0_middle", "layer1_output", "layer0_gated", "layer0_narrow"] {
      #expect(stated[name] == .full, "\(name)")
    }
    #expect(stated["layer0_before"] == .half)
    #expect(stated["layer0_narrow_product"] == .half)
  }

  @Test func aCausalModelHasNoMaskOfPadding() throws {
    let graph = try #require(try Self.qwen3()).graph(batch: 1, length: 4)
    #expect(graph.nodes.contains { $0.name == "causal_mask" && $0.type.shape == [4, 4] })
    #expect(!graph.nodes.contains { $0.name == "score_mask" })
  }

  /// Angles are 0 at the first place, and a window shows only in texts that are longer.
  @Test func whatDependsOnPlacesTellsTwoModelsApart() throws {
    let base = BertTests.edited(Self.qwen3, "1000000", "10000")
    let (qwen3, other) = (try #require(try Self.qwen3()), try #require(try Self.qwen3(base)))
    #expect(try difference(qwen3, other) != nil)
    #expect(try difference(qwen3, qwen3) == nil)
    let wide = BertTests.edited(Self.gemma3, #""sliding_window": 4"#, #""sliding_window": 8"#)
    let (gemma3, wider) = (try #require(try Self.gemma3()), try #require(try Self.gemma3(wide)))
    #expect(try difference(gemma3, wider) != nil)
  }

  private func difference(_ one: any Architecture, _ other: any Architecture) throws -> String? {
    let graphs = try #require(try one.graphs(beside: other))
    return graphs.own.firstDifference(from: graphs.other).map { "\($0)" }
  }

  struct Fault: CustomTestStringConvertible, Sendable {
    let name: String
    let config: String
    let expected: String
    var testDescription: String { name }

    init(_ config: String, _ old: String, _ new: String, _ expected: String) {
      name = new
      self.config = BertTests.edited(config, old, new)
      self.expected = "model/config.json" + expected
    }
  }

  @Test(arguments: [
    Fault(
      qwen3, #""num_key_value_heads": 2"#, #""num_key_value_heads": 3"#,
      ":1:1: 'num_attention_heads' 4 is not a multiple of 'num_key_value_heads' 3"),
    Fault(
      qwen3, #""head_dim": 6"#, #""head_dim": 7"#,
      ":2:14: 'head_dim' is 7, and rotary positions turn pairs"),
    Fault(
      qwen3, #""rope_theta": 1000000"#,
      #""rope_theta": 1000000, "layer_types": ["full_attention", "sliding_attention"]"#,
      ":3:83: 'layer_types' is not 'full_attention' for each of 2 layers, and others are not "
        + "supported"),
    Fault(
      gemma3, #"["sliding_attention", "full_attention"]"#, #"["full_attention"]"#,
      ":4:60: 'layer_types' has 1 entries, 'num_hidden_layers' is 2"),
  ])
  func refuses(_ fault: Fault) {
    let found = message {
      _ = try Self.qwen3(fault.config)
      _ = try Self.gemma3(fault.config)
    }
    // The place in the file depends on how the texts above are wrapped.
    func words(_ text: String?) -> String? {
      text.map { $0.split(separator: ": ").dropFirst().joined(separator: ": ") }
    }
    #expect(words(found) == words(fault.expected))
  }
}
