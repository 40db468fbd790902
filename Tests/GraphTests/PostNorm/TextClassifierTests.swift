import Graph
import ModelFixtures
import TestSupport
import Testing
import Weights

/// Classifiers of texts: which folders are some, what their labels are, and what is refused.
struct TextClassifierTests {
  private static let table = "bert.embeddings.word_embeddings.weight"

  private static func config(
    _ more: String, architecture: String = "BertForSequenceClassification"
  ) -> String {
    """
    {"architectures": ["\(architecture)"], "model_type": "bert", "hidden_size": 8,
     "num_attention_heads": 2, "num_hidden_layers": 1, "intermediate_size": 16, "vocab_size": 20,
     "max_position_embeddings": 12\(more)}
    """
  }

  private static func model(
    _ more: String = "", rows: Int = 2, _ texts: [String: String] = [:],
    architecture: String = "BertForSequenceClassification", prefix: String = "bert."
  ) throws -> any Architecture {
    let all = ["config.json": config(more, architecture: architecture)].merging(texts) { $1 }
    return try Architectures.recognise(
      files(all),
      weights: ShapesOnly(named: [
        "\(prefix)embeddings.word_embeddings.weight": [20, 8], "classifier.weight": [rows, 8],
      ]))
  }

  private static let intents = #", "id2label": {"1": "refund", "0": "other", "2": "greeting"}"#

  @Test func labelsAreThoseOfTheFile() throws {
    let model = try Self.model(Self.intents, rows: 3)
    #expect(model.output == .classes(labels: ["other", "refund", "greeting"], width: 3))
    #expect(model.input == .tokens(maximumLength: 12, vocabulary: 20))
    let graph = try model.graph(batch: 2, length: 5)
    #expect(graph.outputType == ValueType(.float32, [2, 3]))
    #expect(graph.nodes.last?.operation is Softmax)
    #expect(graph.weights.contains { $0.name == "bert.pooler.dense.weight" })
    #expect(graph.weights.contains { $0.name == "classifier.weight" })
  }

  @Test func aFileWithoutLabelsHasTwo() throws {
    #expect(try Self.model().output == .classes(labels: ["LABEL_0", "LABEL_1"], width: 2))
  }

  @Test(arguments: [
    (#", "problem_type": "regression", "num_labels": 1"#, 1, "linear"),
    (#", "num_labels": 1"#, 1, "sigmoid"),
    (#", "problem_type": "multi_label_classification""#, 2, "sigmoid"),
    (#", "problem_type": "single_label_classification""#, 2, "softmax"),
    (#", "problem_type": null"#, 2, "softmax"),
  ])
  func theLastStepIsThatOfThePipeline(more: String, rows: Int, last: String) throws {
    let model = try Self.model(more, rows: rows)
    #expect(model.output.width == rows)
    if rows == 1 { #expect(model.output == .numbers(width: 1)) }
    #expect(try model.graph(batch: 1, length: 3).nodes.last?.operation.milName == last)
  }

  /// sentence-transformers drops the head.
  @Test func aFolderWithModulesIsAnEncoder() throws {
    let model = try Self.model(
      "", ["modules.json": BertTests.modules, "1_Pooling/config.json": BertTests.pooling])
    #expect(model.output == .embedding(width: 8))
  }

  @Test func anotherHeadIsDropped() throws {
    let text = message { _ = try Self.model(architecture: "BertForMaskedLM") }
    #expect(text?.hasPrefix("model: 'modules.json' is missing; ") == true, "\(text ?? "")")
  }

  @Test(arguments: [
    (
      #", "num_labels": 2, "id2label": {"0": "a"}"#, "'num_labels' is 2, 'id2label' names 1"
    ),
    (
      #", "id2label": {"0": "a", "1": "a"}"#,
      "'id2label' names no label, or one twice; every class needs a name of its own"
    ),
    (
      #", "id2label": {"0": "a", "1": "b", "2": "c"}"#,
      "there are 3 labels, the head's 'classifier.weight' has 2 rows"
    ),
    (
      #", "problem_type": "ranking""#,
      "'problem_type': 'ranking' is not supported; supported: regression, "
        + "single_label_classification, multi_label_classification"
    ),
    (
      #", "sbert_ce_default_activation_function": "torch.nn.ReLU""#,
      "'sbert_ce_default_activation_function': 'torch.nn.ReLU' is not supported; supported: "
        + "torch.nn.Identity, torch.nn.Sigmoid, torch.nn.Softmax"
    ),
  ])
  func refuses(more: String, fault: String) {
    let text = message { _ = try Self.model(more) }
    #expect(text?.hasSuffix(fault) == true, "\(text ?? "")")
  }

  @Test func refusesWeightsWithoutThePrefix() {
    let text = message { _ = try Self.model(prefix: "") }
    #expect(
      text
        == "model/config.json: the weights beside it: weights without 'bert.' before their names, "
        + "beside which the library would fill the head with random numbers, is not supported; "
        + "supported: those that save_pretrained of the classifier writes")
  }
}
