import ModelFixtures
import TestSupport
import Testing
import Weights

@testable import Graph

struct DebertaV2Tests {
  private static let config = """
    {"model_type": "deberta-v2", "hidden_size": 8, "num_attention_heads": 2,
     "num_hidden_layers": 1, "intermediate_size": 6, "vocab_size": 20,
     "max_position_embeddings": 12, "position_biased_input": false}
    """
  private static let distances =
    #""relative_attention": true, "position_buckets": 4, "norm_rel_ebd": "layer_norm""#

  private func model(_ members: String) throws -> DebertaV2? {
    let config = BertTests.edited(Self.config, "{", "{\(members), ")
    return try DebertaV2.recognise(
      files(BertTests.texts(["config.json": config])), weights: ShapesOnly())
  }

  private func names(_ members: String) throws -> Set<TensorName> {
    Set(try #require(try model(members)).graph(batch: 2, length: 5).weights.map(\.name))
  }

  @Test func sharedProjectionsNeedNoOwnWeights() throws {
    let kinds = #""pos_att_type": "p2c|c2p""#
    let shared = try names("\(Self.distances), \(kinds), \"share_att_key\": true")
    let own = try names("\(Self.distances), \(kinds)")
    #expect(
      own.subtracting(shared) == [
        "encoder.layer.0.attention.self.pos_key_proj.weight",
        "encoder.layer.0.attention.self.pos_key_proj.bias",
        "encoder.layer.0.attention.self.pos_query_proj.weight",
        "encoder.layer.0.attention.self.pos_query_proj.bias",
      ])
    #expect(shared.contains("encoder.LayerNorm.weight"))
  }

  @Test func withoutKindsTheTableOfDistancesIsNotRead() throws {
    #expect(try !names(Self.distances).contains("encoder.rel_embeddings.weight"))
    let graph = try #require(try model(Self.distances)).graph(batch: 1, length: 5)
    #expect(!graph.nodes.contains { $0.operation is Matmul })
  }

  /// Made with `build_relative_position` of transformers 5.23 for 8 buckets and 64 places.
  @Test func farDistancesShareRows() {
    let buckets = DistanceTable(count: 8, maximum: 64)
    let distances = [0, 1, 3, 4, 5, 8, 9, 10, 20, 25, 26, 63, -4, -5, -25, -63]
    let expected = [8, 9, 11, 12, 13, 13, 13, 13, 14, 14, 15, 15, 4, 3, 2, 1]
    #expect(distances.map(buckets.row) == expected)
    let plain = DistanceTable(count: -1, maximum: 4)
    #expect([-9, -4, -3, 0, 3, 4, 9].map(plain.row) == [0, 0, 1, 4, 7, 7, 7])
  }

  @Test func aShortTextUsesFewRows() {
    let distances = TextDistances(DistanceTable(count: 256, maximum: 512), length: 3)
    #expect(distances.rows == [254, 255, 256, 257, 258])
    #expect(distances.places == [0, 1, 2, 3, 4])
  }

  @Test(arguments: [
    (
      #""conv_kernel_size": 3"#,
      "model/config.json:1:22: 'conv_kernel_size' is the number 3, which is not supported; "
        + "supported: 0"
    ),
    (
      #""pos_att_type": "p2p|c2p""#,
      "model/config.json: 'pos_att_type': 'p2p' is not supported; supported: c2p, p2c"
    ),
    (
      #""relative_attention": true, "norm_rel_ebd": "batch_norm""#,
      "model/config.json: 'norm_rel_ebd': 'batch_norm' is not supported; supported: layer_norm, none"
    ),
  ])
  func refuses(members: String, expected: String) {
    #expect(message { _ = try model(members) } == expected)
  }
}
