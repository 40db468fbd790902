import ModelFixtures
import Testing
import Weights

@testable import Graph

/// MobileCLIP's image encoders in files of OpenCLIP: FastViTs, and a transformer with convolutions before
/// it.
struct MobileClipTests {
  private func encoder(
    _ vision: String, _ shapes: [String: [Int]], width: Int = 5
  ) throws -> ClipEncoder? {
    let config = """
      {"model_cfg": {"embed_dim": \(width), "text_cfg": {},
         "vision_cfg": {"image_size": 32, "timm_drop_path": 0.0, \(vision)}},
       "preprocess_cfg": {"mean": [0, 0, 0], "std": [1, 1, 1], "interpolation": "bilinear"}}
      """
    return try ClipEncoder.encoders(
      files(["open_clip_config.json": config]), weights: ShapesOnly(named: shapes)
    ).first
  }

  private func fault(
    _ vision: String, _ shapes: [String: [Int]], width: Int = 5
  ) -> String? {
    do {
      _ = try encoder(vision, shapes, width: width)
      return nil
    } catch { return "\(error)" }
  }

  private func trunk(_ shapes: [String: [Int]]) -> [String: [Int]] {
    Dictionary(uniqueKeysWithValues: shapes.map { ("visual.trunk.\($0.key)", $0.value) })
  }

  private static let fast =
    #""timm_model_name": "fastvit_mci0", "timm_pool": "avg", "timm_proj": null"#

  @Test func itsHeadIsTheProjection() throws {
    let shapes = trunk(FastVitShapes(outputs: 5).all)
    let found = try #require(try encoder(Self.fast, shapes))
    #expect(found.output == .embedding(width: 5))
    #expect(found.input == .image(width: 32, height: 32))
    let graph = try found.graph(batch: 2, length: 1)
    #expect(graph.outputType.shape == [2, 5])
    #expect(Set(graph.weights.map(\.name.text)) == Set(shapes.keys))
    #expect(
      found.role(ofUnused: "visual.trunk.stem.0.identity.num_batches_tracked")
        == "counts batches of training")
  }

  /// OpenCLIP's own layer behind the pooled features, with a bias.
  @Test func aLinearLayerMayBeTheProjection() throws {
    var shapes = trunk(FastVitShapes().all)
    shapes["visual.head.proj.weight"] = [5, 64]
    shapes["visual.head.proj.bias"] = [5]
    let vision =
      #""timm_model_name": "fastvit_mci0", "timm_proj": "linear", "timm_proj_bias": true"#
    let graph = try #require(try encoder(vision, shapes)).graph(batch: 1, length: 1)
    #expect(Set(graph.weights.map(\.name.text)) == Set(shapes.keys))
  }

  @Test func refusesWhatItDoesNotBuild() {
    let shapes = trunk(FastVitShapes(outputs: 5).all)
    #expect(
      fault(#""timm_model_name": "fastvit_mci0", "timm_pool": "max", "timm_proj": null"#, shapes)
        == "model/open_clip_config.json: 'timm_pool': 'max' is not supported; supported: avg")
    #expect(
      fault(Self.fast, shapes, width: 6)
        == "model/open_clip_config.json: weight 'visual.trunk.head.fc.weight' has shape [5, 64], "
        + "the model needs [6, 64]")
  }

  /// Two blocks of 12 heads over 2 × 2 patches of 16 pixels.
  private var hybrid: [String: [Int]] {
    var shapes: [String: [Int]] = [
      "patch_embed.backbone.0.conv.weight": [4, 3, 4, 4],
      "patch_embed.backbone.1.conv.weight": [6, 4, 2, 2],
      "patch_embed.backbone.2.conv.weight": [24, 6, 2, 2],
      "patch_embed.backbone.2.conv.bias": [24],
      "cls_token": [1, 1, 24], "pos_embed": [1, 4, 24],
      "norm.weight": [24], "norm.bias": [24], "head.weight": [5, 24], "head.bias": [5],
    ]
    for (index, channels) in [4, 6].enumerated() {
      for part in ["weight", "bias", "running_mean", "running_var"] {
        shapes["patch_embed.backbone.\(index).bn.\(part)"] = [channels]
      }
    }
    let layers = [
      "attn.qkv": [72, 24], "attn.proj": [24, 24], "mlp.fc1": [96, 24], "mlp.fc2": [24, 96],
    ]
    for block in 0..<2 {
      for norm in ["norm1", "norm2"] {
        shapes["blocks.\(block).\(norm).weight"] = [24]
        shapes["blocks.\(block).\(norm).bias"] = [24]
      }
      for (name, shape) in layers {
        shapes["blocks.\(block).\(name).weight"] = shape
        shapes["blocks.\(block).\(name).bias"] = [shape[0]]
      }
    }
    return trunk(shapes)
  }

  private static let base =
    #""timm_model_name": "vit_base_mci_224", "timm_pool": "token", "timm_proj": null"#

  @Test func convolutionsMakeThePatches() throws {
    let graph = try #require(try encoder(Self.base, hybrid)).graph(batch: 2, length: 1)
    func shape(_ name: String) -> [Int]? { graph.nodes.first { $0.name == name }?.type.shape }
    #expect(shape("stem0_active") == [2, 4, 8, 8])
    #expect(shape("patches_rows") == [2, 4, 24])
    #expect(shape("tokens") == [2, 5, 24])
    #expect(Set(graph.weights.map(\.name.text)) == Set(hybrid.keys))
  }

  /// The class vector has no row in the table of positions.
  @Test func positionsAreThoseOfPatches() {
    var shapes = hybrid
    shapes["visual.trunk.pos_embed"] = [1, 5, 24]
    #expect(fault(Self.base, shapes)?.contains("; the table of positions has 5 rows") == true)
  }
}
