import ModelFixtures
import TestSupport
import Testing
import Weights

@testable import Graph

/// T5's encoder: its keys, its graph, and its buckets of distances.
struct T5Tests {
  static let config = """
    {"model_type": "t5", "d_model": 8, "d_kv": 6, "d_ff": 16, "num_heads": 3, "num_layers": 2,
     "vocab_size": 20, "feed_forward_proj": "gated-gelu", "is_encoder_decoder": true,
     "n_positions": 512, "relative_attention_num_buckets": 8}
    """

  private static func t5(
    _ config: String = config, _ shapes: [TensorName: [Int]] = [:]
  ) throws -> T5? {
    let texts = BertTests.texts([
      "config.json": config, "sentence_bert_config.json": #"{"max_seq_length": 10}"#,
    ])
    return try T5.recognise(files(texts), weights: ShapesOnly(shapes: shapes))
  }

  @Test func readsItsShape() throws {
    let model = try #require(try Self.t5())
    #expect(model.input == .tokens(maximumLength: 10, vocabulary: 20))
    let graph = try model.graph(batch: 2, length: 5)
    #expect(graph.outputType == ValueType(.float32, [2, 8]))
    // The two tables and the last norm, and per layer four layers of attention, three of the unit,
    // two norms.
    #expect(graph.weights.count == 3 + 2 * 9)
    #expect(graph.nodes.first { $0.name == "position_bias" }?.type.shape == [1, 3, 5, 5])
  }

  @Test func theTableMayHaveTwoNames() throws {
    let own: TensorName = "encoder.embed_tokens.weight", shared: TensorName = "shared.weight"
    let alone = try #require(try Self.t5(Self.config, [own: [20, 8]]))
    #expect((alone.transformer as? T5Shape)?.table == own)
    let both = try #require(try Self.t5(Self.config, [own: [20, 8], shared: [20, 8]]))
    #expect((both.transformer as? T5Shape)?.table == shared)
    #expect(both.role(ofUnused: own) == "a copy of the token table")
    #expect(
      both.role(ofUnused: "decoder.block.0.layer.0.layer_norm.weight")
        == "the decoder, which is dropped")
  }

  /// As `_relative_position_bucket` of transformers gives them.
  @Test func bucketsGrowByTheLogarithm() {
    let behind = [0, 1, 7, 8, 11, 12, 15, 16, 22, 23, 31, 32, 64, 127, 128, 1000]
    let found = behind.map { RelativeBucket.of(-$0, buckets: 32, farthest: 128) }
    #expect(found == [0, 1, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 14, 15, 15, 15])
    #expect(RelativeBucket.of(3, buckets: 32, farthest: 128) == 19)
    #expect(RelativeBucket.of(1000, buckets: 32, farthest: 128) == 31)
  }

  @Test func refusesAUnitItDoesNotKnow() {
    let config = BertTests.edited(Self.config, "gated-gelu", "gated-swish")
    #expect(
      message { _ = try Self.t5(config) }
        == "model/config.json: 'feed_forward_proj': 'gated-swish' is not supported; supported: "
        + "relu, gelu, gated-gelu, gated-relu, gated-silu")
  }

  /// The library takes the two keys, where a file has them, and not what they follow from.
  @Test(arguments: [#""is_gated_act": false"#, #""dense_act_fn": "silu""#])
  func refusesAUnitThatTwoKeysSay(_ member: String) throws {
    let edited = BertTests.edited(Self.config, #""n_positions": 512"#, member)
    let said = message { _ = try Self.t5(edited) }
    #expect(said?.contains("'feed_forward_proj' is 'gated-gelu'") == true)
    let agreeing = #""dense_act_fn": "gelu_new", "is_gated_act": true"#
    #expect(try Self.t5(BertTests.edited(Self.config, #""n_positions": 512"#, agreeing)) != nil)
  }
}
