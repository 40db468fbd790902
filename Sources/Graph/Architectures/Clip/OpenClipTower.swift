import StrictJSON
import Weights

/// An image encoder of timm within a model of OpenCLIP, which `timm_model_name` names.
protocol OpenClipTower: Sendable {
  /// Every name in timm that is known.
  static var names: [String] { get }
  /// - Throws: for a setting that is not built, and for weights that are missing.
  init(_ settings: OpenClipTowerSettings) throws
  /// A normalised image, [B, 3, height, width] → [B, embed_dim], before it is scaled to length 1.
  func vectors(
    _ pixels: Operand, batch: Int, in graph: inout GraphBuilder
  ) throws(GraphError) -> Operand
}

/// The image encoders of timm that are read.
enum OpenClipTowers {
  static let all: [any OpenClipTower.Type] = [FastVitTower.self]
}

/// What `vision_cfg` says of an image encoder of timm.
struct OpenClipTowerSettings {
  /// The layer that ends the encoder.
  enum Projection: Equatable, Sendable {
    /// timm's own head, with a bias.
    case ownHead
    /// OpenCLIP's linear layer behind the features.
    case linear
  }

  /// Prefix of the names of timm's weights.
  static let trunk = "visual.trunk."
  /// The linear layer behind timm's features.
  static let layer = "visual.head.proj"

  /// The model's name in timm.
  let name: String
  let size: (width: Int, height: Int)
  /// How the features of all places become one vector: `avg`, `token`, …; empty for timm's own.
  let pool: String
  let projection: Projection
  /// Numbers of an embedding.
  let width: Int
  let config: JSONObject
  let weights: any WeightSource
  /// The model, for messages.
  let origin: String

  /// Whether the linear layer behind timm's features has a bias.
  var layerHasBias: Bool { weights.shape(of: TensorName("\(Self.layer).bias")) != nil }

  /// Refuses another pooling than those.
  func requirePool(_ known: [String]) throws {
    guard known.contains(pool) else {
      throw ModelError.unsupported(
        place: "\(config.origin): 'timm_pool'", found: "'\(pool)'",
        supported: known.joined(separator: ", "))
    }
  }
}

extension OpenClip {
  /// Settings of an image encoder of timm.
  private func settings(
    _ part: JSONObject, _ name: String, _ weights: any WeightSource
  ) throws -> OpenClipTowerSettings {
    let (height, width) = try sides(part)
    return OpenClipTowerSettings(
      name: name, size: (width, height),
      pool: try part["timm_pool"] == nil
        ? "avg" : part.has("timm_pool") ? part.string("timm_pool") : "",
      projection: try projection(part),
      width: try model.integer("embed_dim", in: 1...1 << 20), config: part, weights: weights,
      origin: root.origin)
  }

  // Without the key it is linear; null and "" mean the head of timm.
  private func projection(_ part: JSONObject) throws -> OpenClipTowerSettings.Projection {
    guard part["timm_proj"] != nil else { return .linear }
    switch part.has("timm_proj") ? try part.string("timm_proj") : "" {
    case "": return .ownHead
    case "linear": return .linear
    case let word:
      throw ModelError.unsupported(
        place: "\(root.origin): 'timm_proj'", found: "'\(word)'", supported: "linear, null")
    }
  }

  /// The image encoder that `timm_model_name` names.
  func tower(_ part: JSONObject, _ weights: any WeightSource) throws -> ClipEncoder {
    let name = try part.string("timm_model_name")
    guard let type = OpenClipTowers.all.first(where: { $0.names.contains(name) }) else {
      throw ModelError.unsupported(
        place: "\(root.origin): 'timm_model_name'", found: "'\(name)'",
        supported: OpenClipTowers.all.flatMap { $0.names }.joined(separator: ", "))
    }
    let settings = try settings(part, name, weights)
    let normalisation = try PixelNormalisation(
      openCLIP: root.has("preprocess_cfg") ? try root.object("preprocess_cfg") : nil)
    return ClipEncoder(
      part: .tower(
        ClipEncoder.Tower(
          size: settings.size, normalisation: normalisation, model: try type.init(settings))),
      transformer: .none, projection: settings.width,
      names: .openCLIP(.image, textRoot: ""), describingFiles: [Self.configName])
  }
}

extension ClipGraph {
  /// An image encoder of timm: image [B, 3, height, width] of pixels 0...255 → [B, projection].
  mutating func build(_ tower: ClipEncoder.Tower) throws(GraphError) -> ModelGraph {
    let pixels = graph.input(
      "image", ValueType(.float32, [batch, 3, tower.size.height, tower.size.width]))
    let normalised = try graph.normalise(pixels, tower.normalisation)
    let vectors = try tower.model.vectors(normalised, batch: batch, in: &graph)
    let embedding = try graph.unitRows(vectors)
    return try graph.finish(output: embedding)
  }
}
