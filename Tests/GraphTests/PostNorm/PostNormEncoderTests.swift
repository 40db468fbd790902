import Graph
import ModelFixtures
import TestSupport
import Testing
import Weights

/// Transformers like BERT: which weights each has under which names, and what is refused.
struct PostNormEncoderTests {
  struct Family: CustomTestStringConvertible, Sendable {
    let type: any RecognisedArchitecture.Type
    let config: String
    /// Weights beside the blocks, and of each block.
    let weights: (around: Int, inBlock: Int, blocks: Int)
    /// One weight that only this family calls so.
    let name: TensorName

    var testDescription: String { type.name }
  }

  private static let numbers = """
    "hidden_size": 8, "num_attention_heads": 2, "num_hidden_layers": 2, "intermediate_size": 16,
    "vocab_size": 20, "max_position_embeddings": 14
    """

  static let families: [Family] = [
    Family(
      type: Bert.self, config: #"{"model_type": "bert", \#(numbers)}"#,
      weights: (5, 16, 2), name: "encoder.layer.1.attention.self.query.weight"),
    Family(
      type: DistilBert.self,
      config: """
        {"model_type": "distilbert", "dim": 8, "n_heads": 2, "n_layers": 2, "hidden_dim": 16,
         "vocab_size": 20, "max_position_embeddings": 14, "qa_dropout": 0.1}
        """, weights: (4, 16, 2), name: "transformer.layer.1.attention.q_lin.weight"),
    Family(
      type: Roberta.self, config: #"{"model_type": "roberta", "type_vocab_size": 1, \#(numbers)}"#,
      weights: (5, 16, 2), name: "encoder.layer.1.attention.self.query.weight"),
    Family(
      type: MPNet.self, config: #"{"model_type": "mpnet", \#(numbers)}"#,
      weights: (5, 16, 2), name: "encoder.relative_attention_bias.weight"),
    Family(
      type: Electra.self, config: #"{"model_type": "electra", "embedding_size": 4, \#(numbers)}"#,
      weights: (7, 16, 2), name: "embeddings_project.weight"),
    Family(
      type: Albert.self, config: #"{"model_type": "albert", "embedding_size": 4, \#(numbers)}"#,
      weights: (7, 16, 1), name: "encoder.albert_layer_groups.0.albert_layers.0.ffn.weight"),
  ]

  private static func model(
    _ family: Family, _ config: String? = nil, _ shapes: [String: [Int]] = [:],
    settings: String = #"{"max_seq_length": 10}"#
  ) throws -> (any Architecture)? {
    try family.type.recognise(
      files(
        BertTests.texts([
          "config.json": config ?? family.config, "sentence_bert_config.json": settings,
        ])), weights: ShapesOnly(named: shapes))
  }

  private static func family(_ name: String) throws -> Family {
    try #require(families.first { $0.type.name == name })
  }

  private static let table = "embeddings.word_embeddings.weight"

  @Test(arguments: families)
  func graphNamesItsWeights(_ family: Family) throws {
    let model = try #require(try Self.model(family))
    #expect(model.input == .tokens(maximumLength: 10, vocabulary: 20))
    let graph = try model.graph(batch: 3, length: 5)
    #expect(graph.outputType == ValueType(.float32, [3, 8]))
    let (around, inBlock, blocks) = family.weights
    #expect(graph.weights.count == around + inBlock * blocks)
    #expect(graph.weights.contains { $0.name == family.name })
  }

  @Test(arguments: families)
  func weightsMayHaveAPrefix(_ family: Family) throws {
    let prefix = family.type.name + "."
    let model = try #require(
      try Self.model(family, nil, [prefix + Self.table: [20, Self.width(family)]]))
    let names = try model.graph(batch: 1, length: 1).weights.map(\.name)
    #expect(names.allSatisfy { $0.text.hasPrefix(prefix) })
  }

  @Test(arguments: families)
  func refusesOneNameWithThePrefix(_ family: Family) {
    let stray = family.type.name + ".zzz"
    let prefix = family.type.name + "."
    let text = message {
      _ = try Self.model(family, nil, [Self.table: [20, Self.width(family)], stray: [3]])
    }
    #expect(
      text
        == "model/config.json: the weights beside it: '\(stray)', for which the library looks for "
        + "every weight under '\(prefix)', beside '\(Self.table)' is not supported; supported: all "
        + "weights with '\(prefix)' before their names, or none")
  }

  @Test(arguments: families)
  func refusesAKeyThatNobodyKnows(_ family: Family) {
    let config = BertTests.edited(family.config, #""vocab_size""#, #""vocab_sizes""#)
    let text = message { _ = try Self.model(family, config) }
    #expect(
      text?.hasSuffix(
        "the key 'vocab_sizes' (the number 20) is not understood, and it may change what the model "
          + "does") == true, "\(text ?? "")")
  }

  private static func width(_ family: Family) -> Int {
    family.config.contains("embedding_size") ? 4 : 8
  }

  /// Two positions of fourteen belong to the padding: the library fails on longer texts, whatever
  /// its files say.
  @Test(arguments: ["roberta", "mpnet"])
  func positionsBeginBehindThePadding(_ name: String) throws {
    let model = try #require(
      try Self.model(try Self.family(name), settings: #"{"max_seq_length": 14}"#))
    #expect(model.input == .tokens(maximumLength: 12, vocabulary: 20))
    let graph = try model.graph(batch: 1, length: 12)
    #expect(graph.nodes.contains { $0.operation is CumulativeSum })
  }

  @Test func refusesPositionsThatEndWithThePadding() throws {
    let family = try Self.family("roberta")
    let config = BertTests.edited(
      family.config, #""type_vocab_size": 1"#, #""type_vocab_size": 1, "pad_token_id": 13"#)
    let text = message { _ = try Self.model(family, config) }
    #expect(
      text?.hasSuffix(
        "'max_position_embeddings' is 14, the first token has position 14, one more than "
          + "'pad_token_id'") == true, "\(text ?? "")")
  }

  @Test func blocksOfAGroupComeAgain() throws {
    let family = try Self.family("albert")
    let config = BertTests.edited(
      family.config, #""num_hidden_layers": 2"#,
      #""num_hidden_layers": 3, "num_hidden_groups": 2, "inner_group_num": 2"#)
    let graph = try #require(try Self.model(family, config)).graph(batch: 1, length: 2)
    let queries = graph.weightUses.map(\.name.text).filter { $0.hasSuffix("query.weight") }
    let blocks = queries.map { $0.split(separator: ".").compactMap { Int($0) } }
    #expect(blocks == [[0, 0], [0, 1], [0, 0], [0, 1], [1, 0], [1, 1]])
  }

  @Test func refusesMoreGroupsThanLayers() throws {
    let family = try Self.family("albert")
    let config = BertTests.edited(
      family.config, #""num_hidden_layers": 2"#,
      #""num_hidden_layers": 2, "num_hidden_groups": 3"#)
    let text = message { _ = try Self.model(family, config) }
    #expect(
      text?.hasSuffix(
        "'num_hidden_groups' is 3, 'num_hidden_layers' 2; every group needs a layer") == true,
      "\(text ?? "")")
  }

  /// Each number is small enough; a graph of all rounds would not be.
  @Test func refusesTooManyRounds() throws {
    let family = try Self.family("albert")
    let config = BertTests.edited(
      family.config, #""num_hidden_layers": 2"#,
      #""num_hidden_layers": 501, "inner_group_num": 2"#)
    let text = message { _ = try Self.model(family, config) }
    #expect(
      text?.hasSuffix(
        "'num_hidden_layers' 501 times 'inner_group_num' 2 is 1002, expected at most 1000 rounds")
        == true, "\(text ?? "")")
  }

  @Test func refusesOtherBucketsOfDistances() throws {
    let family = try Self.family("mpnet")
    let config = BertTests.edited(
      family.config, #""vocab_size""#, #""relative_attention_num_buckets": 16, "vocab_size""#)
    let text = message { _ = try Self.model(family, config) }
    #expect(
      text?.hasSuffix(
        "'relative_attention_num_buckets' is the number 16, which is not supported; supported: 32")
        == true, "\(text ?? "")")
  }
}
