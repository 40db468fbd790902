import Graph
import ModelFixtures
import TestSupport
import Testing
import Weights

/// Heads of transformers: classifiers of tokens, and of texts where the head is not BERT's.
struct TokenClassifierTests {
  /// A model of one layer from its keys beside the sizes.
  private static func model(
    _ type: String, _ architecture: String, _ more: String = "", _ weights: [String: [Int]]
  ) throws -> any Architecture {
    try Architectures.recognise(
      files([
        "config.json": """
        {"architectures": ["\(architecture)"], "model_type": "\(type)", "hidden_size": 8,
         "num_attention_heads": 2, "num_hidden_layers": 1, "intermediate_size": 16,
         "vocab_size": 20, "max_position_embeddings": 12\(more)}
        """
      ]), weights: ShapesOnly(named: weights))
  }

  private static func bert(_ more: String, rows: Int = 3) throws -> any Architecture {
    try model(
      "bert", "BertForTokenClassification", more,
      ["bert.embeddings.word_embeddings.weight": [20, 8], "classifier.weight": [rows, 8]])
  }

  private static let names = #", "id2label": {"0": "O", "1": "B-PER", "2": "I-PER"}"#

  @Test func everyTokenHasProbabilities() throws {
    let model = try Self.bert(Self.names)
    #expect(model.output == .tokenClasses(labels: ["O", "B-PER", "I-PER"], tokens: 12))
    #expect(model.output.width == 36 && model.output.width(ofLength: 5) == 15)
    let graph = try model.graph(batch: 2, length: 5)
    #expect(graph.outputType == ValueType(.float32, [2, 5, 3]))
    #expect(graph.nodes.suffix(3).map(\.operation.milName) == ["softmax", "expand_dims", "mul"])
    #expect(!graph.weights.contains { $0.name.text.contains("pooler") })
  }

  @Test(arguments: [
    (
      #", "id2label": {"0": "O"}"#, 1,
      "there is one label, which every token has; a classifier of tokens needs two"
    ),
    (names, 2, "there are 3 labels, the head's 'classifier.weight' has 2 rows"),
  ])
  func refusesLabels(more: String, rows: Int, fault: String) {
    let text = message { _ = try Self.bert(more, rows: rows) }
    #expect(text?.hasSuffix(fault) == true, "\(text ?? "")")
  }

  @Test(arguments: [
    (
      "t5", "T5ForSequenceClassification",
      "'architectures': a classifier of the vectors of T5's decoder, which is not read, is not "
        + "supported; supported: T5EncoderModel, T5ForTokenClassification"
    ),
    (
      "new", "NewForTokenClassification",
      "'architectures': a class '…ForTokenClassification' of the program that came with the first "
        + "models is not supported; supported: that of transformers, whose keys and weights it writes"
    ),
  ])
  func refusesHeads(type: String, architecture: String, fault: String) {
    let text = message { _ = try Self.model(type, architecture, "", [:]) }
    #expect(text == "model/config.json: \(fault)")
  }

  @Test(arguments: [
    ("cls", "head.norm", "slice_by_index"), ("mean", "head.norm", "real_div"),
  ])
  func modernBertPoolsAsItsKeySays(word: String, norm: String, operation: String) throws {
    let model = try Self.model(
      "modernbert", "ModernBertForSequenceClassification", #", "classifier_pooling": "\#(word)""#,
      ["model.embeddings.tok_embeddings.weight": [20, 8], "classifier.weight": [2, 8]])
    let graph = try model.graph(batch: 1, length: 3)
    let names = ["first_token", "mean_token"]
    let pooled = graph.nodes.filter { names.contains($0.name) }
    #expect(pooled.map(\.operation.milName) == [operation])
    #expect(graph.weights.contains { $0.name == TensorName("\(norm).weight") })
    #expect(!graph.weights.contains { $0.name == "head.dense.bias" })
  }

  @Test(arguments: [
    (#", "pad_token_id": 3"#, true), (#", "pad_token_id": null"#, false), ("", false),
  ])
  func qwen3LooksForPaddingWhereItIsNamed(more: String, looks: Bool) throws {
    let model = try Self.model(
      "qwen3", "Qwen3ForSequenceClassification",
      #", "head_dim": 4, "num_key_value_heads": 1"# + more,
      ["model.embed_tokens.weight": [20, 8], "score.weight": [2, 8]])
    let graph = try model.graph(batch: 1, length: 3)
    #expect(graph.nodes.contains { $0.name == "is_padding" } == looks)
    #expect(graph.weights.contains { $0.name == "score.weight" })
    #expect(!graph.weights.contains { $0.name == "score.bias" })
  }
}
