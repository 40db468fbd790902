import StrictJSON
import Weights

/// An image encoder of timm inside one of OpenCLIP's models, as `open_clip_config.json` names it.
///
/// To add a family: a type that conforms to `TimmTower`, and its line in `families`.
struct OpenClipTower {
  /// Every family that is built.
  static let families: [any TimmTower.Type] = [TimmVit.self, FastVitTower.self]

  /// The prefixes of the names of a tower's weights, and of those of what OpenCLIP puts behind it.
  static let (trunk, head) = ("visual.trunk.", "visual.head.")

  /// The name in timm: `vit_base_patch16_siglip_224`.
  let name: String
  /// Pixels of the image.
  let size: (width: Int, height: Int)
  let normalisation: PixelNormalisation
  /// `timm_pool`
  let pool: String
  /// The layer behind the pooled vector; nil without.
  let projection: VisionTransformer.Projection?
  let weights: any WeightSource
  /// The file, for messages.
  let origin: String

  /// Whether the layer behind the pooled vector is the tower's own head.
  var endsItself: Bool { projection?.name.hasPrefix(Self.trunk) ?? false }

  /// Whether a model has weights of a tower.
  static func isThere(_ weights: any WeightSource) -> Bool {
    weights.names.contains { $0.text.hasPrefix(trunk) }
  }

  /// The shape of one of the tower's weights.
  ///
  /// - Throws: if it is missing, or has another number of axes.
  func shape(of name: String, axes: Int) throws -> [Int] {
    let full = TensorName(Self.trunk + name)
    guard let shape = weights.shape(of: full) else {
      throw ModelError.missingWeight(origin: origin, name: full)
    }
    guard shape.count == axes, !shape.contains(0) else {
      throw ModelError.wrongShape(
        origin: origin, name: full, found: shape, expected: Array(repeating: 1, count: axes))
    }
    return shape
  }

  func unsupported(_ key: String, _ found: String, _ supported: String) -> ModelError {
    .unsupported(place: "\(origin): '\(key)'", found: "'\(found)'", supported: supported)
  }
}

/// A family of timm's image encoders.
protocol TimmTower: Sendable {
  /// The names of models in timm, without those of other families.
  static var names: [String] { get }
  /// - Throws: if the weights or the configuration do not fit the name.
  static func read(_ tower: OpenClipTower) throws -> any ImageTower
}

/// The graph of an image encoder.
protocol ImageTower: Sendable {
  /// Numbers that come out, scaled to length 1.
  var outputWidth: Int { get }
  /// image [B, 3, height, width] of pixels 0...255 → [B, numbers that come out].
  func graph(batch: Int) throws(GraphError) -> ModelGraph
  /// The purpose of a tensor that the graph does not use; nil if unknown.
  func role(ofUnused name: TensorName) -> String?
}

extension VisionTransformer: ImageTower {
  func graph(batch: Int) throws(GraphError) -> ModelGraph {
    var builder = VisionGraph(vision: self, batch: batch)
    return try builder.build()
  }

  func role(ofUnused name: TensorName) -> String? { nil }
}

extension OpenClip {
  /// The image encoder that the configuration has from timm.
  func tower(_ part: JSONObject, _ weights: any WeightSource) throws -> ClipEncoder {
    let name = try word("timm_model_name", of: part, "")
    guard let family = OpenClipTower.families.first(where: { $0.names.contains(name) }) else {
      let known = OpenClipTower.families.flatMap { $0.names }
      throw unsupported("timm_model_name", name, known.joined(separator: ", "))
    }
    let (height, width) = try sides(part)
    let tower = OpenClipTower(
      name: name, size: (width, height), normalisation: try normalisation,
      pool: try word("timm_pool", of: part, part["timm_pool"]?.isNull == true ? "" : "avg"),
      projection: try projection(of: part), weights: weights, origin: root.origin)
    let built = try family.read(tower)
    guard try built.outputWidth == projection else {
      throw try root.error(
        "'embed_dim' is \(projection), '\(name)' gives \(built.outputWidth) numbers",
        at: root.position)
    }
    return ClipEncoder(
      part: .tower(built, width: width, height: height), transformer: .none,
      projection: try projection, names: .openCLIP(.image, textRoot: ""),
      describingFiles: [Self.configName])
  }

  /// The layer behind a tower's vector: the tower's own without `timm_proj`.
  private func projection(
    of part: JSONObject
  ) throws -> VisionTransformer.Projection? {
    let isPlain = part["timm_proj"]?.isNull == true
    let width = try projection
    switch try word("timm_proj", of: part, isPlain ? "" : "linear") {
    case "none": return nil
    case "": return .init(name: "\(OpenClipTower.trunk)head", width: width)
    case "linear":
      let hasBias = try flag("timm_proj_bias", of: part)
      return .init(name: "\(OpenClipTower.head)proj", width: width, hasBias: hasBias)
    case let other: throw unsupported("timm_proj", other, "null, linear, none")
    }
  }
}

extension ClipEncoder.Transformer {
  /// Of an encoder that is built elsewhere.
  static let none = ClipEncoder.Transformer(
    layers: 0, heads: 1, width: 1, intermediate: 0, activation: .exact, epsilon: 0)
}
