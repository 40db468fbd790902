import Weights

/// A vision transformer of timm: those of SigLIP, EVA and EVA-02, CLIP, the Perception Encoder and MobileCLIP.
///
/// The shapes of the weights say how wide and deep it is; the rest follows from the model's name.
///
/// Sources: Zhai et al. 2023, arXiv:2303.15343; Fang et al. 2022, arXiv:2211.07636; Fang et al. 2023,
/// arXiv:2303.11331; Bolya et al. 2025, arXiv:2504.13181; the names are timm's.
struct TimmVit: TimmTower {
  static var names: [String] { TimmVitVariant.all.keys.sorted() }

  private let tower: OpenClipTower
  private let variant: TimmVitVariant
  private let width: Int
  /// Patches of a side of the image.
  private let grid: Int
  private let patch: Int
  /// Convolutions that make the patches; empty without.
  private let stem: [ConvLayer]

  static func read(_ tower: OpenClipTower) throws -> any ImageTower {
    guard let variant = TimmVitVariant.all[tower.name] else {
      throw tower.unsupported(
        "timm_model_name", tower.name, names.joined(separator: ", "))
    }
    guard tower.pool == variant.pool else {
      throw tower.unsupported("timm_pool", tower.pool, variant.pool)
    }
    return try TimmVit(tower, variant).vision()
  }

  private init(_ tower: OpenClipTower, _ variant: TimmVitVariant) throws {
    (self.tower, self.variant) = (tower, variant)
    stem = variant.hasStem ? try Self.stem(tower) : []
    if let last = stem.last {
      (width, patch) = (last.shape[0], stem.reduce(1) { $0 * $1.stride })
    } else {
      let patches = try tower.shape(of: "patch_embed.proj.weight", axes: 4)
      (width, patch) = (patches[0], patches[2])
    }
    grid = tower.size.width / patch
    let rows = try tower.shape(of: "pos_embed", axes: 3)[1]
    let wanted = grid * grid + (variant.hasClass && !variant.hasStem ? 1 : 0)
    guard tower.size.width == tower.size.height, rows == wanted
    else {
      throw tower.unsupported(
        "image_size", "\(tower.size.width) × \(tower.size.height)",
        "a square of patches of \(patch) pixels; the table of positions has \(rows) rows")
    }
    guard width.isMultiple(of: variant.heads),
      variant.turns == nil || (width / variant.heads).isMultiple(of: 4)
    else {
      throw tower.unsupported(
        "timm_model_name", tower.name,
        "\(variant.heads) heads of the same width, here \(width) numbers")
    }
  }

  private var root: String { OpenClipTower.trunk }

  /// Three convolutions whose windows do not overlap: MobileCLIP-B.
  ///
  /// Source: Vasu et al. 2024, "MobileCLIP", arXiv:2311.17049.
  private static func stem(_ tower: OpenClipTower) throws -> [ConvLayer] {
    let reader = ConvLayerReader(weights: tower.weights, origin: tower.origin)
    var layers: [ConvLayer] = []
    for (index, stride) in [4, 2, 2].enumerated() {
      let source = "\(OpenClipTower.trunk)patch_embed.backbone.\(index)."
      var layer = try reader.layer(
        "\(source)conv", norm: index < 2 ? "\(source)bn" : nil, index < 2 ? .gelu : nil,
        inputs: layers.last?.shape[0] ?? 3)
      layer.stride = stride
      layers.append(layer)
    }
    return layers
  }

  private func vision() throws -> VisionTransformer {
    var vision = VisionTransformer(
      image: VisionImage(
        width: tower.size.width, height: tower.size.height, patch: patch,
        normalisation: tower.normalisation),
      blocks: try blocks(), patches: "\(root)patch_embed.proj",
      positions: .table("\(root)pos_embed", grid: grid, resampling: .never),
      lastNorm: "\(root)norm", end: try end())
    vision.classVector = variant.hasClass ? "\(root)cls_token" : nil
    vision.stem = stem
    vision.classHasPosition = !variant.hasStem
    vision.hasPatchBias = !variant.hasPreNorm
    vision.preNorm = variant.hasPreNorm ? "\(root)norm_pre" : nil
    vision.angles = variant.turns.map {
      RotaryTable(
        $0, grid: grid, before: vision.extraTokens, width: width / variant.heads)
    }
    vision.projection = tower.projection
    vision.isUnit = true
    return vision
  }

  private func blocks() throws -> VisionBlocks {
    var layers = 0
    let stored = { (layer: Int) in
      tower.weights.shape(of: TensorName("\(root)blocks.\(layer).norm1.weight")) != nil
    }
    while layers < 1000, stored(layers) { layers += 1 }
    guard layers > 0 else {
      throw ModelError.missingWeight(
        origin: tower.origin, name: TensorName("\(root)blocks.0.norm1.weight"))
    }
    let first = variant.isGated ? "fc1_x" : "fc1"
    let inner = try tower.shape(of: "blocks.0.mlp.\(first).weight", axes: 2)[0]
    return VisionBlocks(
      layers: layers, heads: variant.heads, width: width, intermediate: inner,
      activation: variant.isGated ? .silu : variant.activation, epsilon: variant.epsilon,
      prefix: "\(root)blocks.", firstNorm: "norm1", attention: attention,
      attentionOutput: .init(name: "attn.proj"), secondNorm: "norm2",
      feedForward: variant.isGated
        ? .gated(
          gate: .init(name: "mlp.fc1_g"), wide: .init(name: "mlp.fc1_x"),
          narrow: .init(name: "mlp.fc2"))
        : .plain(wide: .init(name: "mlp.fc1"), narrow: .init(name: "mlp.fc2")),
      innerNorms: variant.isGated ? ("attn.norm", "mlp.norm") : nil,
      isPostNorm: variant.isPostNorm)
  }

  private var attention: VisionBlocks.Attention {
    switch variant.projections {
    case .joined: .joined(.init(name: "attn.qkv"))
    case .joinedWithBiases:
      .joinedWithBiases(
        .init(name: "attn.qkv", hasBias: false), query: "attn.q_bias", value: "attn.v_bias")
    case .separate:
      .separate(
        query: .init(name: "attn.q_proj"), key: .init(name: "attn.k_proj", hasBias: false),
        value: .init(name: "attn.v_proj"))
    }
  }

  private func end() throws -> VisionTransformer.End {
    guard variant.pool == "map" else { return .classToken }
    let head = "\(root)attn_pool."
    return .attention(
      .init(
        query: "\(head)latent",
        projections: .paired(query: "\(head)q", others: "\(head)kv"), output: "\(head)proj",
        norm: "\(head)norm", wide: "\(head)mlp.fc1", narrow: "\(head)mlp.fc2",
        heads: variant.poolHeads,
        intermediate: try tower.shape(of: "attn_pool.mlp.fc1.weight", axes: 2)[0]))
  }
}
