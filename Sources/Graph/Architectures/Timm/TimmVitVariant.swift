import Foundation

/// What the name of a vision transformer says in timm and its weights do not.
struct TimmVitVariant: Sendable {
  /// The layers that make queries, keys and values.
  enum Projections: Sendable {
    /// One layer.
    case joined
    /// One without a bias; queries and values have one.
    case joinedWithBiases
    /// Three; that of the keys has no bias.
    case separate
  }

  /// How places turn queries and keys: as whole numbers, moved by an offset, of a grid that is
  /// stretched to the `reference` patches of a side that the model was first trained with.
  struct Turns: Sendable {
    let reference: Int
    var offset: Float = 0
    /// Whether numbers of a head come for columns first, and not for rows.
    var isColumnFirst = false
  }

  let heads: Int
  var activation = TransformerActivation.gelu(.exact)
  var epsilon: Float = 1e-6
  var projections = Projections.joined
  var turns: Turns?
  var hasClass = true
  /// Whether convolutions make the patches, and the class vector has no position.
  var hasStem = false
  /// Whether tokens are normalised before the blocks; patches then have no bias.
  var hasPreNorm = false
  /// Whether the feed-forward part is SwiGLU, and both parts have a norm inside.
  var isGated = false
  var isPostNorm = false
  /// `token`, or `map`: a learnt query's attention.
  var pool = "token"
  /// Heads of that attention, where not those of the blocks.
  var poolHeads: Int?
}

extension TimmVitVariant {
  /// By the names that OpenCLIP's configurations use.
  static let all: [String: TimmVitVariant] = [
    "eva02_base_patch16_clip_224": eva02(heads: 12),
    "eva02_large_patch14_clip_224": eva02(heads: 16),
    "eva02_large_patch14_clip_336": eva02(heads: 16),
    "eva02_enormous_patch14_clip_224": TimmVitVariant(
      heads: 16, projections: .joinedWithBiases, isPostNorm: true),
    "eva_giant_patch14_224": TimmVitVariant(heads: 16, projections: .joinedWithBiases),
    "vit_base_mci_224": TimmVitVariant(heads: 12, hasStem: true),
    "vit_base_patch16_siglip_224": siglip(heads: 12),
    "vit_base_patch16_siglip_256": siglip(heads: 12),
    "vit_base_patch16_siglip_384": siglip(heads: 12),
    "vit_base_patch16_siglip_512": siglip(heads: 12),
    "vit_base_patch32_siglip_256": siglip(heads: 12),
    "vit_giantopt_patch16_siglip_256": siglip(heads: 16, .gelu(.tanhApproximation)),
    "vit_giantopt_patch16_siglip_384": siglip(heads: 16, .gelu(.tanhApproximation)),
    "vit_large_patch14_clip_224": TimmVitVariant(heads: 16, epsilon: 1e-5, hasPreNorm: true),
    "vit_large_patch16_siglip_256": siglip(heads: 16),
    "vit_large_patch16_siglip_384": siglip(heads: 16),
    "vit_large_patch16_siglip_512": siglip(heads: 16),
    "vit_pe_core_base_patch16_224": perception(heads: 12, reference: 14),
    "vit_pe_core_large_patch14_336": perception(heads: 16, reference: 24),
    "vit_pe_core_small_patch16_384": perception(heads: 6, reference: 24),
    "vit_pe_core_tiny_patch16_384": perception(heads: 3, reference: 24),
    "vit_so400m_patch14_siglip_224": siglip(heads: 16),
    "vit_so400m_patch14_siglip_378": siglip(heads: 16),
    "vit_so400m_patch14_siglip_384": siglip(heads: 16),
    "vit_so400m_patch16_siglip_256": siglip(heads: 16),
    "vit_so400m_patch16_siglip_384": siglip(heads: 16),
    "vit_so400m_patch16_siglip_512": siglip(heads: 16),
  ]

  private static func siglip(
    heads: Int, _ activation: TransformerActivation = .gelu(.exact)
  ) -> TimmVitVariant {
    TimmVitVariant(heads: heads, activation: activation, hasClass: false, pool: "map")
  }

  private static func eva02(heads: Int) -> TimmVitVariant {
    TimmVitVariant(
      heads: heads, projections: .separate, turns: Turns(reference: 16), isGated: true)
  }

  private static func perception(heads: Int, reference: Int) -> TimmVitVariant {
    TimmVitVariant(
      heads: heads, epsilon: 1e-5,
      turns: Turns(reference: reference, offset: 1, isColumnFirst: true), hasPreNorm: true,
      pool: "map", poolHeads: 8)
  }
}

extension RotaryTable {
  /// Angles of the patches of a square by row and column: a quarter of a head's numbers has
  /// frequencies for either, 10000^(−4i / width). Tokens before the patches are not turned.
  ///
  /// Source: Fang et al. 2023, "EVA-02", arXiv:2303.11331; computed as timm does, in float32.
  init(_ turns: TimmVitVariant.Turns, grid: Int, before: Int, width: Int) {
    let quarter = width / 4
    let bands = (0..<quarter).map {
      1 / powf(10000, Float($0) / Float(quarter))
    }
    func angles(_ place: Int) -> [Float] {
      let position = (Float(place) + turns.offset) / Float(grid) * Float(turns.reference)
      return bands.map { position * $0 }
    }
    let still = Array(repeating: [Float](repeating: 0, count: width / 2), count: before)
    let turned = (0..<grid).flatMap { row in
      (0..<grid).map { column in
        turns.isColumnFirst ? angles(column) + angles(row) : angles(row) + angles(column)
      }
    }
    self.init(angles: still + turned, pairing: .neighbours)
  }
}
