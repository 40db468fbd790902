import ModelFixtures
import TestSupport
import Testing
import Weights

@testable import Graph

/// Files of image models of transformers: keys, faults, shapes of graphs.
struct VisionFilesTests {
  private static let processor = #"""
    {"image_processor_type": "BitImageProcessor", "size": {"shortest_edge": 9},
     "crop_size": {"height": 8, "width": 8}}
    """#

  private static func texts(_ config: String, _ processor: String = processor) -> [String: String] {
    ["config.json": "{\(config)}", "preprocessor_config.json": processor]
  }

  private static let sizes = #"""
    "hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2, "patch_size": 4,
    """#

  private func vit(
    _ config: String, _ weights: [String: [Int]] = [:], processor: String = processor
  ) throws -> Vit? {
    try Vit.recognise(
      files(Self.texts(Self.sizes + config, processor)), weights: ShapesOnly(named: weights))
  }

  private func fault(_ config: String, _ weights: [String: [Int]] = [:]) -> String? {
    do {
      _ = try vit(config, weights)
      return nil
    } catch { return "\(error)" }
  }

  @Test func leavesOtherModelsAlone() throws {
    #expect(try vit(#""model_type": "deit""#) == nil)
  }

  @Test func aPoolerGivesTheVectorIfThereIsOne() throws {
    let config = #""model_type": "vit", "image_size": 8, "pooler_output_size": 5"#
    #expect(try vit(config)?.output == .embedding(width: 8))
    let pooled = try vit(config, ["pooler.dense.weight": [5, 8]])
    #expect(pooled?.output == .embedding(width: 5))
    let graph = try pooled?.graph(batch: 3, length: 1)
    #expect(graph?.outputType.shape == [3, 5])
    #expect(graph?.inputs.map(\.type.shape) == [[3, 3, 8, 8]])
  }

  /// The last block is computed for the class vector's token alone.
  @Test func theLastBlockIsThatOfOneToken() throws {
    let graph = try vit(#""model_type": "vit", "image_size": 8"#)?.graph(batch: 2, length: 1)
    func shape(_ name: String) -> [Int]? { graph?.nodes.first { $0.name == name }?.type.shape }
    #expect(shape("layer0_output") == [2, 5, 8] && shape("layer1_output") == [2, 1, 8])
    #expect(shape("layer1_key") == [2, 5, 8])
  }

  @Test func refusesWhatItDoesNotBuild() {
    #expect(
      fault(#""model_type": "vit", "image_size": 16"#)?.hasSuffix(
        "'image_size' is 16, the processor makes images of 8 × 8") == true)
    #expect(
      fault(#""model_type": "vit", "image_size": 8"#, ["classifier.weight": [3, 8]])
        == "model/config.json: the weights beside it: 'classifier.weight', the head of a "
        + "classifier, is not supported; supported: that of ViTForImageClassification, named under "
        + "'architectures'")
    #expect(
      fault(#""model_type": "vit", "image_size": 8, "rotary": true"#)?.contains(
        "the key 'rotary'") == true)
  }

  @Test func refusesAProcessorWithoutAName() {
    let error = #expect(throws: (any Error).self) {
      _ = try vit(#""model_type": "vit", "image_size": 8"#, processor: #"{"size": 8}"#)
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("the key 'image_processor_type' is missing"))
  }

  /// A table of 3 × 3 positions for images of 2 × 2 patches, with two registers.
  @Test func dinov2ResamplesItsPositions() throws {
    let config =
      #""model_type": "dinov2_with_registers", "image_size": 12, "num_register_tokens": 2"#
    let model = try #require(
      try Dinov2.recognise(files(Self.texts(Self.sizes + config)), weights: ShapesOnly()))
    let graph = try model.graph(batch: 1, length: 1)
    func shape(_ name: String) -> [Int]? { graph.nodes.first { $0.name == name }?.type.shape }
    #expect(shape("positions") == [1, 4, 8] && shape("tokens") == [1, 7, 8])
    let table = graph.weights.first { $0.name == "embeddings.position_embeddings" }
    #expect(table?.shape == [1, 10, 8])
    #expect(model.output == .embedding(width: 8))
    #expect(model.role(ofUnused: "embeddings.mask_token") == "hides patches in training")
  }

  /// The library refuses such weights, too; without the check they would be left out.
  @Test func refusesAnotherNumberOfRegisters() {
    let config = #""model_type": "dinov3_vit", "num_register_tokens": 0"#
    let weights = ShapesOnly(shapes: ["embeddings.register_tokens": [1, 4, 8]])
    let found = message {
      _ = try Dinov3.recognise(files(Self.texts(Self.sizes + config)), weights: weights)
    }
    #expect(
      found?.hasSuffix("'num_register_tokens' is 0, 'embeddings.register_tokens' has 4 rows")
        == true,
      "\(found ?? "")")
  }

  /// Tokens before the patches are not turned: their cosines are 1.
  @Test func dinov3TurnsPatchesAlone() throws {
    let config = #""model_type": "dinov3_vit", "num_register_tokens": 1"#
    let model = try #require(
      try Dinov3.recognise(files(Self.texts(Self.sizes + config)), weights: ShapesOnly()))
    guard case .floats(let cosines, let shape)? = model.vision.rotary?.cosines else {
      Issue.record("no angles")
      return
    }
    #expect(shape == [6, 1, 4] && cosines.prefix(8).allSatisfy { $0 == 1 })
    #expect(!cosines.dropFirst(8).allSatisfy { $0 == 1 })
    let names = try model.graph(batch: 1, length: 1).weights.map(\.name)
    #expect(names.contains("layer.0.attention.q_proj.bias"))
    #expect(!names.contains("layer.0.attention.k_proj.bias"))
  }
}
