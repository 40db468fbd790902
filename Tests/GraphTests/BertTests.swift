import Graph
import ModelFixtures
import TestSupport
import Testing
import Weights

struct BertTests {
  static let config = """
    {"model_type": "bert", "hidden_size": 8, "num_attention_heads": 2, "num_hidden_layers": 1,
     "intermediate_size": 16, "vocab_size": 20, "max_position_embeddings": 12,
     "type_vocab_size": 2, "layer_norm_eps": 1e-12, "hidden_act": "gelu"}
    """
  static let modules = """
    [{"idx": 0, "path": "", "type": "sentence_transformers.models.Transformer"},
     {"idx": 1, "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
     {"idx": 2, "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"}]
    """
  static let pooling = #"{"pooling_mode_mean_tokens": true, "pooling_mode_cls_token": false}"#

  static func texts(_ changes: [String: String] = [:]) -> [String: String] {
    [
      "config.json": config, "modules.json": modules, "1_Pooling/config.json": pooling,
      "sentence_bert_config.json": #"{"max_seq_length": 10, "do_lower_case": false}"#,
      "tokenizer.json": "{}",
    ].merging(changes) { _, new in new }
  }

  /// The model of some files, whatever its weights.
  static func bert(of texts: [String: String]) throws -> Bert? {
    try Bert.recognise(files(texts), weights: ShapesOnly())
  }

  private func bert(_ changes: [String: String] = [:]) throws -> Bert? {
    try Self.bert(of: Self.texts(changes))
  }

  @Test func readsItsFiles() throws {
    let bert = try #require(try bert())
    #expect(bert.input == .tokens(maximumLength: 10, vocabulary: 20))
    #expect(bert.output == .embedding(width: 8))
    #expect(
      bert.describingFiles == [
        "config.json", "modules.json", "1_Pooling/config.json", "sentence_bert_config.json",
        "tokenizer.json",
      ])
  }

  @Test func graphHasConcreteShapesAndNamesItsWeights() throws {
    let graph = try #require(try bert()).graph(batch: 3, length: 5)
    #expect(graph.outputType == ValueType(.float32, [3, 8]))
    #expect(graph.inputs.map(\.name) == ["input_ids", "attention_mask"])
    // Three tables and their norm (5), and per layer: 6 linear layers and 2 norms, each two.
    #expect(graph.weights.count == 5 + 16)
    #expect(graph.weights.count { $0.role.isCompressible } == 7)
  }

  @Test func weightsMayHaveAPrefix() throws {
    let weights = ShapesOnly(shapes: ["bert.embeddings.word_embeddings.weight": [20, 8]])
    let bert = try #require(try Bert.recognise(files(Self.texts()), weights: weights))
    let names = try bert.graph(batch: 1, length: 1).weights.map(\.name)
    #expect(names.allSatisfy { $0.text.hasPrefix("bert.") })
  }

  /// It counts where `tokenizer_config.json` names none, and that is for the tokenizer to say.
  @Test(arguments: ["BertTokenizer", "PreTrainedTokenizerFast", "RobertaTokenizer"])
  func leavesTheClassOfTheTokenizerToIt(name: String) throws {
    let config = Self.edited(Self.config, "{", "{\"tokenizer_class\": \"\(name)\", ")
    #expect(try bert(["config.json": config]) != nil)
  }

  @Test func anotherModelTypeIsNotBert() throws {
    #expect(try bert(["config.json": #"{"model_type": "roberta"}"#]) == nil)
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    let name: String
    let file: String
    let text: String
    let expected: String
    var testDescription: String { name }
  }

  static func edited(_ text: String, _ old: String, _ new: String) -> String {
    text.split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
  }

  static let refusals: [Refusal] = [
    Refusal(
      name: "activation", file: "config.json", text: edited(config, "gelu", "mish"),
      expected: "model/config.json: 'hidden_act': 'mish' is not supported; supported: gelu, "
        + "gelu_python, gelu_new, gelu_fast, gelu_pytorch_tanh, quick_gelu, relu, silu, swish, tanh"
    ),
    Refusal(
      name: "heads do not divide", file: "config.json",
      text: edited(config, "\"num_attention_heads\": 2", "\"num_attention_heads\": 3"),
      expected: "model/config.json:1:1: 'hidden_size' 8 is not a multiple of "
        + "'num_attention_heads' 3"),
    Refusal(
      name: "hidden size is text", file: "config.json",
      text: edited(config, "\"hidden_size\": 8", "\"hidden_size\": \"8\""),
      expected: "model/config.json:1:39: 'hidden_size' is the string \"8\", expected an integer"),
    Refusal(
      name: "relative positions", file: "config.json",
      text: edited(config, "{", "{\"position_embedding_type\": \"relative_key\", "),
      expected: "model/config.json:1:29: 'position_embedding_type' is the string "
        + "\"relative_key\", which is not supported; supported: \"absolute\""),
    Refusal(
      name: "a key nobody knows", file: "config.json",
      text: edited(config, "{", "{\"scale_attention\": 2, "),
      expected: "model/config.json:1:21: the key 'scale_attention' (the number 2) is not "
        + "understood, and it may change what the model does"),
    Refusal(
      name: "a path out of the folder", file: "modules.json",
      text: edited(modules, "1_Pooling", "../elsewhere"),
      expected: "model/modules.json: the path '../elsewhere' is not supported; "
        + "supported: paths inside the model's folder"),
    Refusal(
      name: "a path out of the folder behind a combining mark", file: "modules.json",
      text: edited(modules, "1_Pooling", "../\u{301}elsewhere"),
      expected: "model/modules.json: the path '../\u{301}elsewhere' is not supported; "
        + "supported: paths inside the model's folder"),
  ]

  @Test(arguments: refusals)
  func refuses(_ refusal: Refusal) {
    #expect(message { _ = try bert([refusal.file: refusal.text]) } == refusal.expected)
  }

  @Test func missingModulesSaysWhatToDo() {
    var texts = Self.texts()
    texts["modules.json"] = nil
    let text = message {
      _ = try Bert.recognise(files(texts), weights: ShapesOnly())
    }
    #expect(
      text?.hasPrefix(
        "model: 'modules.json' is missing; no file says how the vectors of tokens become the one of "
          + "a text, and a guess could be wrong unseen; write two files, here for the mean: "
      )
        == true, "\(text ?? "")")
  }

  @Test(arguments: [
    (
      [:],
      "model: no architecture was recognised; no config.json or model.json names one; give the whole "
        + "folder that the library saved, its config.json included, or write a model.json for a "
        + "network of linear layers; specs/formats/architectures.md lists what is read"
    ),
    (
      ["config.json": #"{"model_type": "mobilebert", "architectures": ["MobileBertModel"]}"#],
      "model/config.json: calls the model 'mobilebert' (MobileBertModel), which is not read; the "
        + "nearest that are: roberta, bert, modernbert; specs/formats/architectures.md lists all"
    ),
    (
      ["config.json": #"{"model_type": "wav2vec2"}"#],
      "model/config.json: calls the model 'wav2vec2', which is not read; "
        + "specs/formats/architectures.md lists all"
    ),
    (
      ["config.json": #"{"architecture": "resnet50"}"#],
      "model/config.json: calls the model 'resnet50', which is not read; "
        + "specs/formats/architectures.md lists all"
    ),
  ])
  func nothingRecognisedSaysWhatWasFoundAndWhatIsNear(_ texts: [String: String], _ fault: String) {
    let text = message {
      _ = try Architectures.recognise(files(texts), weights: ShapesOnly())
    }
    #expect(text == fault)
    #expect(fault.count <= 400)
  }
}
