import Graph
import ModelFixtures
import TestSupport
import Testing
import Tokenization
import Weights

/// Tables of tokens: which library reads a folder, its keys, and its graph.
struct StaticEmbeddingTests {
  static let tokenizer = """
    {"version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
     "normalizer": null, "pre_tokenizer": {"type": "BertPreTokenizer"}, "post_processor": null,
     "decoder": null,
     "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
      "max_input_chars_per_word": 100, "vocab": {"[UNK]": 0, "a": 1, "bb": 2, "ccc": 3}}}
    """
  static let modules = """
    [{"idx": 0, "name": "0", "path": ".", "type": "sentence_transformers.models.StaticEmbedding"},
     {"idx": 1, "name": "1", "path": "1_Normalize", "type": "sentence_transformers.models.Normalize"}]
    """

  private static func model(
    _ texts: [String: String], _ shapes: [TensorName: [Int]] = ["embedding.weight": [4, 6]],
    wholeNumbers: [TensorName: String] = [:]
  ) throws -> StaticEmbedding? {
    let all = ["tokenizer.json": tokenizer].merging(texts) { _, new in new }
    return try StaticEmbedding.recognise(
      files(all), weights: ShapesOnly(shapes: shapes, wholeNumbers: wholeNumbers))
  }

  @Test func sentenceTransformersCountsEveryToken() throws {
    let model = try #require(try Self.model(["modules.json": Self.modules]))
    #expect(model.output == .embedding(width: 6))
    #expect(model.minTokens == 0 && model.preparation.framing == .none)
    let graph = try model.graph(batch: 2, length: 3)
    #expect(graph.outputType == ValueType(.float32, [2, 6]))
    #expect(graph.weights.map(\.name) == ["embedding.weight"])
    #expect(graph.weights[0].role == .tokenTable)
    #expect(!graph.nodes.contains { $0.name == "known" })
  }

  @Test func model2vecLeavesOutUnknownTokens() throws {
    let config = #"{"model_type": "model2vec", "normalize": true, "max_length": 9}"#
    let model = try #require(
      try Self.model(
        ["config.json": config, "modules.json": Self.modules], ["embeddings": [4, 6]]))
    #expect(model.input == .tokens(maximumLength: 9, vocabulary: 4))
    #expect(model.preparation.framing == .noneOfCutText)
    let graph = try model.graph(batch: 2, length: 3)
    #expect(graph.nodes.contains { $0.name == "known" })
    #expect(graph.output == "embedding")
  }

  @Test func weightsOfTokensAreNeverRounded() throws {
    let model = try #require(
      try Self.model(
        ["config.json": #"{"model_type": "model2vec"}"#],
        ["embeddings": [4, 6], "weights": [4]]))
    #expect(model.input == .tokens(maximumLength: 512, vocabulary: 4))
    let weights = try model.graph(batch: 1, length: 2).weights
    #expect(weights.map(\.role) == [.tokenTable, .statistic])
  }

  @Test func tensorsOfAnotherLengthAreRefused() {
    #expect(
      message {
        _ = try Self.model(
          ["config.json": #"{"model_type": "model2vec"}"#],
          ["embeddings": [4, 6], "weights": [5]])
      } == "model: weight 'weights' has shape [5], the model needs [4]")
  }

  @Test func wholeNumbersAreForModel2VecAlone() throws {
    let table: [TensorName: [Int]] = ["embeddings": [4, 6]]
    let ofBytes: [TensorName: String] = ["embeddings": "I8"]
    #expect(
      message {
        _ = try Self.model(["modules.json": Self.modules], table, wholeNumbers: ofBytes)
      }
        == "model/modules.json: 'embeddings' of type I8 is not supported; supported: floating "
        + "point, which sentence-transformers needs")
    let config = ["config.json": #"{"embedding_dtype": "int8"}"#]
    #expect(try Self.model(config, table, wholeNumbers: ofBytes) != nil)
  }

  @Test func aTransformerBehindATableIsRefused() {
    let modules = BertTests.edited(
      Self.modules, "sentence_transformers.models.Normalize",
      "sentence_transformers.models.Pooling")
    #expect(
      message { _ = try Self.model(["modules.json": modules]) }
        == "model/modules.json: the chain StaticEmbedding, Pooling is not supported; supported: "
        + "StaticEmbedding and then any of Dense, LayerNorm, Dropout, Normalize")
  }

  @Test func needsATokenizer() {
    #expect(
      message {
        _ = try StaticEmbedding.recognise(
          files(["modules.json": Self.modules]),
          weights: ShapesOnly(shapes: ["embedding.weight": [4, 6]]))
      }
        == "model: 'tokenizer.json' is missing; a table of tokens is nothing without the tokenizer")
  }
}
