import Graph
import ModelFixtures
import TestSupport
import Testing
import Weights

/// NomicBERT and GTE, each in the files of transformers and of the first models.
struct GatedBertTests {
  private static let shape = """
    "hidden_size": 8, "num_attention_heads": 2, "num_hidden_layers": 1, "intermediate_size": 6,
     "vocab_size": 20, "max_position_embeddings": 32
    """
  private static let first = """
    {"model_type": "nomic_bert", "n_embd": 8, "n_head": 2, "n_layer": 1, "n_inner": 6,
     "vocab_size": 20, "n_positions": 32, "activation_function": "swiglu"}
    """

  private func texts(_ config: String, _ members: String = "") -> ModelFiles {
    let config = BertTests.edited(config, "{", members.isEmpty ? "{" : "{\(members), ")
    return files(BertTests.texts(["config.json": config]))
  }

  private func weights(_ architecture: (any Architecture)?) throws -> [WeightReference] {
    try #require(architecture).graph(batch: 1, length: 3).weights
  }

  private func nomic(_ members: String = "") throws -> NomicBert? {
    try NomicBert.recognise(
      texts("{\"model_type\": \"nomic_bert\", \(Self.shape)}", members), weights: ShapesOnly())
  }

  private func first(_ members: String = "") throws -> NomicBert? {
    try NomicBert.recognise(texts(Self.first, members), weights: ShapesOnly())
  }

  private func gte(_ type: String, _ members: String = "") throws -> Gte? {
    try Gte.recognise(
      texts("{\"model_type\": \"\(type)\", \(Self.shape)}", members), weights: ShapesOnly())
  }

  @Test func nomicHasNoBiasesInItsLayers() throws {
    // Two tables and a norm of two, and per layer five matrices and two norms of two.
    #expect(try weights(try nomic()).count == 4 + 9)
  }

  @Test func theFirstProgramRoundsTheInnerWidthAndTheVocabulary() throws {
    let found = try weights(try first(#""pad_vocab_size_multiple": 64"#))
    #expect(found.first { $0.name == "embeddings.word_embeddings.weight" }?.shape == [64, 8])
    #expect(found.first { $0.name == "encoder.layers.0.mlp.fc11.weight" }?.shape == [256, 8])
    // It has biases unless the file says otherwise: five more.
    #expect(found.count == 4 + 9 + 5)
  }

  @Test func gteHasBiasesButInTheGatedLayer() throws {
    let found = try weights(try gte("gte"))
    #expect(found.contains { $0.name == "encoder.layer.0.mlp.down_proj.bias" })
    #expect(!found.contains { $0.name == "encoder.layer.0.mlp.up_gate_proj.bias" })
    #expect(try gte("gte", #""type_vocab_size": 0"#).map(weights)?.count == found.count - 1)
  }

  /// The cosines of the second place.
  private func turns(_ architecture: any Architecture) throws -> ArraySlice<Float> {
    let graph = try architecture.graph(batch: 1, length: 2)
    let node = graph.nodes.first { $0.name == "layer0_query_cosine" }
    let product = try #require(node?.operation as? ElementwiseBinary)
    guard case .literal(.floats(let values, _)) = product.y else { return [] }
    return values.suffix(4)
  }

  @Test func scalingOfTheFirstGTEIsThatOfABaseAndALine() throws {
    let scaled = try #require(
      try gte("new", #""rope_theta": 100, "rope_scaling": {"type": "ntk", "factor": 4}"#))
    let parameters = #"{"rope_type": "linear", "rope_theta": 400, "factor": 2}"#
    let same = try #require(try gte("gte", #""rope_parameters": \#(parameters)"#))
    // A head has four numbers: 4^(2 / 4) = 2.
    #expect(try turns(scaled) == turns(same))
    #expect(try turns(scaled) != turns(try #require(try gte("new", #""rope_theta": 100"#))))
  }

  @Test(arguments: [
    (
      #""prenorm": true"#,
      "model/config.json:1:13: 'prenorm' is true, which is not supported; supported: false"
    ),
    (
      #""rotary_emb_fraction": 0.5"#,
      "model/config.json:1:25: 'rotary_emb_fraction' is the number 0.5, which is not supported; "
        + "supported: 1"
    ),
    (
      #""num_experts": 8"#,
      "model/config.json:1:17: the key 'num_experts' (the number 8) is not understood, and it may "
        + "change what the model does"
    ),
  ])
  func refusesWhatTheFirstProgramHasBeside(members: String, expected: String) {
    #expect(message { _ = try first(members) } == expected)
  }

  @Test func refusesHeadsOfAnotherWidthAndOtherScalings() {
    #expect(
      message { _ = try nomic(#""head_dim": 6"#) }
        == "model/config.json:1:14: 'head_dim' is 6, 'hidden_size' over 'num_attention_heads' is "
        + "4; heads of another width are not supported")
    #expect(
      message { _ = try gte("new", #""rope_scaling": {"type": "dynamic", "factor": 2}"#) }
        == "model/config.json: 'type': 'dynamic' is not supported; supported: ntk")
    #expect(
      message { _ = try gte("gte", #""rope_parameters": {"rope_type": "yarn"}"#) }
        == "model/config.json: 'rope_type': 'yarn' is not supported; supported: default, linear")
  }
}
