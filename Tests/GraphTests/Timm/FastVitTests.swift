import Files
import ModelFixtures
import Testing
import Weights

@testable import Graph

/// FastViTs in timm's files: which layers are read off the weights, faults, shapes of graphs.
struct FastVitTests {
  private func model(
    _ name: String = "fastvit_sa12", _ shapes: [String: [Int]], _ more: String = ""
  ) throws -> FastVit? {
    let config = """
      {"architecture": "\(name)", "num_classes": 0, \(more)
       "pretrained_cfg": {"input_size": [3, 32, 48], "mean": [0, 0, 0], "std": [1, 1, 1]}}
      """
    return try FastVit.recognise(
      files(["config.json": config]), weights: ShapesOnly(named: shapes))
  }

  private func fault(_ shapes: [String: [Int]]) -> String? {
    do {
      _ = try model("fastvit_sa12", shapes)
      return nil
    } catch { return "\(error)" }
  }

  @Test(arguments: [false, true])
  func branchesAreReadAsTheyAreStored(isWhole: Bool) throws {
    let shapes = FastVitShapes(isWhole: isWhole).all
    let graph = try #require(try model("fastvit_sa12", shapes)).graph(batch: 2, length: 1)
    #expect(graph.inputs.map(\.type.shape) == [[2, 3, 32, 48]])
    #expect(graph.outputType.shape == [2, 64])
    // Every weight is used once, and none is made.
    #expect(Set(graph.weights.map(\.name.text)) == Set(shapes.keys))
    #expect(graph.weightUses.count == shapes.count)
  }

  /// 32 × 48 pixels, a quarter of that in the first stage, an eighth in the second.
  @Test func stagesHaveTheirSizes() throws {
    let graph = try #require(try model("fastvit_sa12", FastVitShapes().all))
      .graph(batch: 1, length: 1)
    func shape(_ name: String) -> [Int]? { graph.nodes.first { $0.name == name }?.type.shape }
    #expect(shape("stem2_active") == [1, 8, 8, 12])
    #expect(shape("stage0_block0_output") == [1, 8, 8, 12])
    #expect(shape("stage1_entry0_sum1") == [1, 32, 4, 6])
    #expect(shape("stage1_block0_attention_rows") == [1, 24, 32])
    #expect(shape("embedding") == [1, 64])
  }

  @Test func aClassifierGivesScoresAndMobileCLIPAVector() throws {
    let classes = #""num_classes": 512,"#
    func output(_ name: String, _ more: String) throws -> ModelOutput? {
      let config = """
        {"architecture": "\(name)", \(classes) \(more)
         "pretrained_cfg": {"input_size": [3, 32, 32]}}
        """
      var shapes = FastVitShapes(outputs: 512).all
      shapes["stages.1.blocks.0.norm.bias"] = [32]
      return try FastVit.recognise(
        files(["config.json": config]), weights: ShapesOnly(named: shapes))?.output
    }
    #expect(try output("fastvit_mci1.apple_mclip", "") == .embedding(width: 512))
    #expect(
      try output("fastvit_sa12", "")
        == .classes(labels: .integers(Array(0..<512)), width: 512, scale: .scores))
    let labels = (0..<512).map { "\"\($0) things\"" }.joined(separator: ", ")
    #expect(
      try output("fastvit_mci1", "\"label_names\": [\(labels)],")
        == .classes(
          labels: .texts((0..<512).map { "\($0) things" }), width: 512, scale: .scores))
  }

  @Test func nothingIsLeftOut() {
    var shapes = FastVitShapes().all
    shapes["stem.0.conv_scale.conv.weight"] = nil
    #expect(
      fault(shapes)
        == "model: the model needs a weight 'stem.0.conv_scale.conv.weight', which is not there")
    shapes = FastVitShapes().all
    shapes["stages.1.pos_emb.pos_enc.weight"] = nil
    #expect(
      fault(shapes)
        == "model: the model needs a weight 'stages.1.pos_emb.pos_enc.weight', which is not there")
  }

  @Test func shapesFitEachOther() {
    var shapes = FastVitShapes().all
    shapes["stages.0.blocks.0.mlp.fc1.weight"] = [24, 4, 1, 1]
    #expect(
      fault(shapes)
        == "model: weight 'stages.0.blocks.0.mlp.fc1.weight' has shape [24, 4, 1, 1], the model "
        + "needs [24, 8, 1, 1]")
    #expect(
      fault(FastVitShapes(channels: [8, 24]).all)
        == "model: 'stages.1.blocks.0.token_mixer': attention of 24 channels is not supported; "
        + "supported: multiples of 32")
  }

  @Test func namesSayWhatWeightsDoNot() throws {
    let small = try #require(FastVitVariant(named: "fastvit_mci2"))
    #expect(small.activatesEntries && small.excitedStages == [2, 3] && small.scalesStem)
    let large = try #require(FastVitVariant(named: "fastvit_mci4"))
    #expect(large.activatesEntries && large.excitedStages == [] && !large.scalesStem)
    #expect([small.clipWidth, large.clipWidth] == [512, 768])
    let plain = try #require(FastVitVariant(named: "fastvit_ma36"))
    #expect(!plain.activatesEntries && plain.clipWidth == nil)
    #expect(FastVitVariant(named: "fastvit_mci5") == nil)
    #expect(FastVitVariant(named: "mci0") == nil)
  }

  @Test func otherModelsOfTimmAreLeftAlone() throws {
    #expect(try model("mobilenetv3_small_100", [:]) == nil)
    let error = #expect(throws: ModelError.self) { _ = try model("resnet50", [:]) }
    #expect(
      error?.description.hasPrefix(
        "model/config.json: 'architecture': 'resnet50' is not supported; supported: mobilenetv3_")
        == true)
  }
}
