import Graph
import ModelFixtures
import TestSupport
import Testing
import Weights

/// Files of sentence-transformers' modules, in the forms of all its versions.
struct SentenceModulesTests {
  private static let pooled = #"{"embedding_dimension": 8, "pooling_mode": "mean"}"#
  private static let newTypes = """
    [{"idx": 0, "name": "0", "path": "",
      "type": "sentence_transformers.base.modules.transformer.Transformer"},
     {"idx": 1, "name": "1", "path": "1_Pooling",
      "type": "sentence_transformers.sentence_transformer.modules.pooling.Pooling"},
     {"idx": 2, "name": "2", "path": "2_Normalize",
      "type": "sentence_transformers.base.modules.normalize.Normalize"}]
    """
  private static let newSettings = """
    {"transformer_task": "feature-extraction",
     "modality_config": {"text": {"method": "forward", "method_output_name": "last_hidden_state"}},
     "module_output_name": "token_embeddings"}
    """

  func bert(_ changes: [String: String]) throws -> Bert? {
    try BertTests.bert(of: BertTests.texts(changes))
  }

  /// A chain of modules, each a folder with its kind in the name, as 5.3 wrote them.
  static func chain(_ kinds: [String]) -> String {
    let entries = kinds.enumerated().map { index, kind in
      #"{"path": "\#(index == 0 ? "" : "\(index)_\(kind)")", "#
        + #""type": "sentence_transformers.models.\#(kind)"}"#
    }
    return "[\(entries.joined(separator: ",\n "))]"
  }

  @Test func readsWhatVersion6Saves() throws {
    let bert = try #require(
      try bert([
        "modules.json": Self.newTypes, "1_Pooling/config.json": Self.pooled,
        "2_Normalize/config.json":
          #"{"module_input_name": "sentence_embedding", "module_output_name": "sentence_embedding"}"#,
        "sentence_bert_config.json": Self.newSettings,
        "tokenizer_config.json": #"{"model_max_length": 9}"#,
        "config_sentence_transformers.json":
          #"{"model_type": "SentenceTransformer", "prompts": {"query": "", "document": ""}, "#
          + #""default_prompt_name": null, "similarity_fn_name": "cosine", "__version__": {}}"#,
      ]))
    #expect(bert.maximumLength == 9)
    #expect(
      bert.describingFiles == [
        "config.json", "modules.json", "1_Pooling/config.json", "2_Normalize/config.json",
        "sentence_bert_config.json", "config_sentence_transformers.json", "tokenizer.json",
        "tokenizer_config.json",
      ])
    #expect(try bert.graph(batch: 1, length: 2).nodes.last?.name == "embedding")
  }

  @Test func aTransformerMayLieInAFolderOfItsOwn() throws {
    var texts = BertTests.texts([
      "modules.json": BertTests.edited(
        BertTests.modules, #""path": "", "#, #""path": "0_Transformer", "#)
    ])
    for name in ["config.json", "tokenizer.json", "sentence_bert_config.json"] {
      texts["0_Transformer/\(name)"] = texts.removeValue(forKey: name)
    }
    let bert = try #require(try BertTests.bert(of: texts))
    #expect(bert.maximumLength == 10)
    #expect(
      bert.describingFiles == [
        "0_Transformer/config.json", "modules.json", "1_Pooling/config.json",
        "0_Transformer/sentence_bert_config.json", "0_Transformer/tokenizer.json",
      ])
  }

  struct Length: CustomTestStringConvertible, Sendable {
    let name: String
    let stated: String?
    let configured: String?
    let expected: Int
    var testDescription: String { name }
  }

  static let lengths = [
    Length(name: "neither", stated: nil, configured: nil, expected: 12),
    Length(name: "max_seq_length wins", stated: "11", configured: "5", expected: 11),
    Length(name: "null counts as absent", stated: "null", configured: "5", expected: 5),
    Length(name: "model_max_length alone", stated: nil, configured: "7", expected: 7),
    Length(name: "no more than positions", stated: nil, configured: "512", expected: 12),
    Length(
      name: "10³⁰ means none", stated: nil, configured: "1000000000000000019884624838656",
      expected: 12),
  ]

  @Test(arguments: lengths)
  func theLengthComesFrom(_ length: Length) throws {
    var texts = BertTests.texts()
    texts["sentence_bert_config.json"] = length.stated.map { #"{"max_seq_length": \#($0)}"# }
    texts["tokenizer_config.json"] = length.configured.map { #"{"model_max_length": \#($0)}"# }
    let bert = try #require(try BertTests.bert(of: texts))
    #expect(bert.maximumLength == length.expected)
  }

  struct Joined: CustomTestStringConvertible, Sendable {
    let config: String
    let names: [String]
    var testDescription: String { config }
  }

  static let joined = [
    Joined(config: #"{"pooling_mode": "lasttoken"}"#, names: ["last_token"]),
    Joined(
      config: #"{"pooling_mode": ["mean", "cls"]}"#, names: ["pool_mean", "first_token"]),
    // The library's order, not the file's.
    Joined(
      config: #"{"pooling_mode_mean_tokens": true, "pooling_mode_cls_token": true}"#,
      names: ["first_token", "pool_mean"]),
    Joined(
      config: #"{"pooling_mode_mean_tokens": false, "pooling_mode_weightedmean_tokens": true, "#
        + #""pooling_mode_mean_sqrt_len_tokens": true}"#,
      names: ["pool_mean_of_root", "pool_weighted_mean"]),
    // The new key wins.
    Joined(
      config: #"{"pooling_mode": "max", "pooling_mode_mean_tokens": true}"#,
      names: ["pool_maximum"]),
    Joined(config: #"{"embedding_dimension": 8}"#, names: ["pool_mean"]),
  ]

  @Test(arguments: joined)
  func poolingsAreJoined(_ joined: Joined) throws {
    let bert = try #require(
      try bert([
        "1_Pooling/config.json": joined.config,
        "modules.json": Self.chain(["Transformer", "Pooling"]),
      ]))
    #expect(bert.output == .embedding(width: 8 * joined.names.count))
    let graph = try bert.graph(batch: 2, length: 3)
    let results = graph.nodes.map(\.name).filter(joined.names.contains)
    #expect(results == joined.names)
    #expect(graph.outputType == ValueType(.float32, [2, 8 * joined.names.count]))
  }

  @Test func modulesBehindThePoolingRunInOrder() throws {
    let bert = try #require(
      try bert([
        "modules.json": Self.chain(
          ["Transformer", "Pooling", "Normalize", "Dense", "Dropout", "LayerNorm", "Normalize"]),
        "3_Dense/config.json":
          #"{"in_features": 8, "out_features": 6, "bias": false, "#
          + #""activation_function": "torch.nn.modules.activation.Tanh"}"#,
        "4_Dropout/config.json": #"{"dropout": 0.2}"#,
        "5_LayerNorm/config.json": #"{"dimension": 6}"#,
      ]))
    let graph = try bert.graph(batch: 2, length: 3)
    #expect(graph.outputType == ValueType(.float32, [2, 6]))
    #expect(
      graph.nodes.map(\.name).suffix(9) == [
        "module2_length", "module2_divisor", "module2", "module3", "module3_active", "module4",
        "row_length", "row_divisor", "embedding",
      ])
    #expect(
      graph.weights.map(\.name).suffix(3) == [
        "3_Dense.linear.weight", "5_LayerNorm.norm.weight", "5_LayerNorm.norm.bias",
      ])
  }

  @Test func aCutKeepsTheFirstNumbersBehindEveryModule() throws {
    let bert = try #require(
      try bert(["config_sentence_transformers.json": #"{"truncate_dim": 3}"#]))
    #expect(bert.output == .embedding(width: 3))
    let graph = try bert.graph(batch: 2, length: 3)
    #expect(graph.nodes.map(\.name).suffix(2) == ["embedding", "kept"])
    let wide = try #require(
      try self.bert(["config_sentence_transformers.json": #"{"truncate_dim": 30}"#]))
    #expect(wide.output == .embedding(width: 8))
  }

  @Test func normsOfOldCheckpointsAreGammaAndBeta() throws {
    let new = try #require(try bert([:])).graph(batch: 1, length: 1).weights
    let old = new.map { weight in
      let name = weight.name.text.replacing("LayerNorm.weight", with: "LayerNorm.gamma")
        .replacing("LayerNorm.bias", with: "LayerNorm.beta")
      return ("bert." + name, weight.shape)
    }
    let weights = ShapesOnly(named: Dictionary(old) { first, _ in first })
    let bert = try #require(try Bert.recognise(files(BertTests.texts()), weights: weights))
    let names = try bert.graph(batch: 1, length: 1).weights.map(\.name)
    #expect(names == old.map { TensorName($0.0) })
    #expect(names.contains("bert.encoder.layer.0.output.LayerNorm.beta"))
  }
}
