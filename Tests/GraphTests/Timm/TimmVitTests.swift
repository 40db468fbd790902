import ModelFixtures
import Testing
import TestSupport
import Weights

@testable import Graph

/// Vision transformers of timm in OpenCLIP's models.
struct TimmVitTests {
  private func encoder(
    _ name: String, pool: String, projection: String = "null", size: Int = 16, width: Int = 48,
    rows: Int = 5
  ) throws -> ClipEncoder? {
    let config = """
      {"model_cfg": {"embed_dim": \(projection == "\"none\"" ? width : 6),
         "vision_cfg": {"image_size": \(size), "timm_model_name": "\(name)", "timm_pool": "\(pool)",
           "timm_proj": \(projection)}, "text_cfg": {}}}
      """
    let root = "visual.trunk."
    return try ClipEncoder.encoders(
      files(["open_clip_config.json": config]),
      weights: ShapesOnly(named: [
        "\(root)patch_embed.proj.weight": [width, 3, 8, 8], "\(root)pos_embed": [1, rows, width],
        "\(root)blocks.0.norm1.weight": [width], "\(root)blocks.0.mlp.fc1.weight": [20, width],
        "\(root)blocks.0.mlp.fc1_x.weight": [20, width],
        "\(root)attn_pool.mlp.fc1.weight": [20, width],
      ])
    ).first
  }

  @Test func eva02TurnsNeighboursAndNormalisesInside() throws {
    let model = try #require(try encoder("eva02_base_patch16_clip_224", pool: "token"))
    #expect(model.output == .embedding(width: 6))
    let graph = try model.graph(batch: 2, length: 1)
    func shape(_ name: String) -> [Int]? { graph.nodes.first { $0.name == name }?.type.shape }
    #expect(shape("layer0_query_pairs") == [2, 5, 12, 2, 2])
    #expect(shape("layer0_context_normed") == [2, 1, 48])
    #expect(shape("layer0_gated_normed") == [2, 1, 20])
    let names = graph.weights.map(\.name)
    #expect(!names.contains("visual.trunk.blocks.0.attn.k_proj.bias"))
    #expect(names.contains("visual.trunk.head.bias"))
  }

  /// A first token that is not turned, then places as the model was trained: 16 for the side.
  @Test func placesAreStretchedToTheTrainedGrid() {
    let table = RotaryTable(.init(reference: 16), grid: 2, before: 1, width: 4)
    guard case .floats(let sines, let shape) = table.sines else { return }
    #expect(shape == [5, 1, 4] && sines.prefix(4).allSatisfy { $0 == 0 })
    // Row 1, column 0: the first pair is turned by 8, the second is not.
    let row = Array(sines[12..<16])
    #expect((row[1] - 0.98935825).magnitude < 1e-6 && row[0] == -row[1])
    #expect(row[2] == 0 && row[3] == 0)
  }

  @Test func siglipHasNoLayerBehindItsPooling() throws {
    let model = try #require(
      try encoder(
        "vit_base_patch16_siglip_224", pool: "map", projection: "\"none\"", rows: 4))
    let names = try model.graph(batch: 1, length: 1).weights.map(\.name)
    #expect(names.contains("visual.trunk.attn_pool.kv.weight"))
    #expect(!names.contains { $0.text.hasPrefix("visual.trunk.head") })
  }

  @Test func refusesWhatTheNameDoesNotHave() {
    func fault(_ name: String, pool: String = "token", size: Int = 16, width: Int = 48) -> String {
      message { _ = try encoder(name, pool: pool, size: size, width: width) } ?? ""
    }
    let name = "eva02_base_patch16_clip_224"
    #expect(fault("convnext_base").contains("'timm_model_name': 'convnext_base' is not supported"))
    #expect(
      fault(name, pool: "avg").hasSuffix("'timm_pool': 'avg' is not supported; supported: token"))
    #expect(fault(name, size: 24).contains("pixels; the table of positions has 5 rows"))
    #expect(fault(name, width: 40).contains("12 heads of the same width, here 40 numbers"))
  }
}
