import ModelFixtures
import TestSupport
import Testing

@testable import Graph

/// Classifiers of images of transformers.
struct ImageHeadTests {
  private static let config = #"""
    "model_type": "vit", "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2,
    "patch_size": 4, "image_size": 8, "architectures": ["ViTForImageClassification"]
    """#
  private static let processor = #"""
    {"image_processor_type": "ViTImageProcessor", "size": {"height": 8, "width": 8}}
    """#
  private static let labels = #""id2label": {"0": "cat", "1": "dog", "2": "cup"}"#

  private func model(
    _ more: String, prefix: String = "vit.", rows: Int = 3
  ) throws -> Vit? {
    try Vit.recognise(
      files([
        "config.json": "{\(Self.config), \(more)}",
        "preprocessor_config.json": Self.processor,
      ]),
      weights: ShapesOnly(named: [
        "\(prefix)embeddings.cls_token": [1, 1, 8], "classifier.weight": [rows, 8],
      ]))
  }

  private func names(_ model: Vit?) throws -> [String] {
    try #require(model).graph(batch: 2, length: 1).nodes.map(\.name)
  }

  @Test func givesProbabilitiesOfLabels() throws {
    let model = try model(Self.labels)
    #expect(model?.output == .classes(labels: .texts(["cat", "dog", "cup"]), width: 3))
    #expect(model?.outputName == "label")
    let graph = try #require(try model?.graph(batch: 2, length: 1))
    #expect(graph.outputType.shape == [2, 3])
    #expect(graph.nodes.last?.operation is Softmax)
  }

  @Test func severalLabelsOfAnImageAreScoredOneByOne() throws {
    let model = try model(Self.labels + #", "problem_type": "multi_label_classification""#)
    let last = try #require(try model?.graph(batch: 1, length: 1)).nodes.last
    #expect(last?.operation is ElementwiseUnary)
  }

  @Test func aNumberIsNoLabel() throws {
    let model = try model(
      #""id2label": {"0": "age"}, "problem_type": "regression""#, rows: 1)
    #expect(model?.output == .numbers(width: 1) && model?.outputName == "score")
    #expect(try names(model).last == "logits")
  }

  @Test func refusesOtherCountsAndRandomModels() {
    #expect(
      message { _ = try model(Self.labels, rows: 4) }?.hasSuffix(
        "there are 3 labels, 'classifier.weight' has 4 rows") == true)
    #expect(
      message { _ = try model(Self.labels, prefix: "") }?.contains(
        "a classifier's weights without a prefix before their names") == true)
  }

  /// DINOv2's classifier sees the class vector and the mean of the patches, but no register.
  @Test func registersAreNotPartOfTheMean() throws {
    let text = #"""
      {"model_type": "dinov2_with_registers", "hidden_size": 8, "num_hidden_layers": 1,
       "num_attention_heads": 2, "patch_size": 4, "image_size": 8, "num_register_tokens": 3,
       "architectures": ["Dinov2WithRegistersForImageClassification"],
       "id2label": {"0": "cat", "1": "dog"}}
      """#
    let model = try Dinov2.recognise(
      files(["config.json": text, "preprocessor_config.json": Self.processor]),
      weights: ShapesOnly(named: ["dinov2_with_registers.embeddings.cls_token": [1, 1, 8]]))
    let graph = try #require(try model?.graph(batch: 1, length: 1))
    func shape(_ name: String) -> [Int]? { graph.nodes.first { $0.name == name }?.type.shape }
    #expect(shape("patch_states") == [1, 4, 8] && shape("pooled") == [1, 16])
  }
}
