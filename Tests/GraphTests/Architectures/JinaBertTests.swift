import Graph
import ModelFixtures
import TestSupport
import Testing
import Weights

/// Jina's models of the second version, in the files of both programs.
struct JinaBertTests {
  private func jina(
    _ members: String = #""feed_forward_type": "geglu""#, heads: Int = 2,
    positions: String = "alibi", weights: ShapesOnly = ShapesOnly()
  ) throws -> JinaBert? {
    let config = """
      {\(members), "model_type": "bert", "hidden_size": 12, "num_attention_heads": \(heads),
       "num_hidden_layers": 1, "intermediate_size": 6, "vocab_size": 20,
       "max_position_embeddings": 32, "position_embedding_type": "\(positions)"}
      """
    return try JinaBert.recognise(
      files(BertTests.texts(["config.json": config])), weights: weights)
  }

  private func weights(_ model: JinaBert?) throws -> [TensorName] {
    try #require(model).graph(batch: 1, length: 3).weights.map(\.name)
  }

  @Test func aBertWithATableOfPositionsIsAnother() throws {
    #expect(try jina(positions: "absolute") == nil)
  }

  @Test(arguments: HeadTask.allCases)
  func headsOfItsProgramAreRefused(_ task: HeadTask) {
    #expect(throws: ModelError.self) {
      try jina(#""architectures": ["JinaBert\#(task.rawValue)"]"#)
    }
  }

  @Test func itHasNoTableOfPositions() throws {
    let found = try weights(try jina())
    // Two tables and a norm of two; per layer four matrices with biases, the gated one without, the
    // narrow one with, and two norms of two.
    #expect(found.count == 4 + 8 + 1 + 2 + 4)
    #expect(!found.contains("embeddings.position_embeddings.weight"))
    #expect(!found.contains("encoder.layer.0.mlp.gated_layers.bias"))
  }

  @Test func normsOfTheSecondProgramAreFoundByTheirWeights() throws {
    let found = try weights(
      try jina(weights: ShapesOnly(shapes: ["encoder.layer.0.layer_norm_1.weight": [12]])))
    #expect(found.contains("encoder.layer.0.attention.self.layer_norm_q.weight"))
    #expect(found.contains("encoder.layer.0.mlp.up_gated_layer.weight"))
    #expect(!found.contains("encoder.layer.0.mlp.layernorm.weight"))
  }

  /// The numbers that distances are multiplied by.
  private func slopes(heads: Int) throws -> [Float] {
    let graph = try #require(try jina(heads: heads)).graph(batch: 1, length: 2)
    let node = graph.nodes.first { $0.name == "falloff" }
    let product = try #require(node?.operation as? ElementwiseBinary)
    guard case .literal(.floats(let values, let shape)) = product.y else { return [] }
    #expect(shape == [1, heads, 1, 1])
    return values
  }

  @Test func slopesHalveFromHeadToHead() throws {
    let four: [Float] = [-0.25, -0.0625, -0.015625, -0.00390625]
    #expect(try slopes(heads: 4) == four)
    #expect(try slopes(heads: 2) == [four[1], four[3]])
    // Those of four heads, then every second one of eight.
    #expect(try slopes(heads: 6) == four + [-0.5, -0.125])
  }

  @Test func refusesBlocksWithoutAGate() {
    let expected =
      "model/config.json: 'feed_forward_type': 'original' is not supported; supported: geglu, reglu"
    #expect(message { _ = try jina(#""feed_forward_type": "original""#) } == expected)
    #expect(message { _ = try jina(#""pad_token_id": 0"#) } == expected)
  }
}
