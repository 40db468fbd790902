/// The layers of a FastViT: a stem, stages of blocks, a last convolution, and a linear head.
///
/// Source: Vasu et al. 2023, arXiv:2303.14189.
struct FastVitNetwork: Sendable {
  let stem: [BranchedConv]
  let stages: [FastVitStage]
  let last: BranchedConv
  /// Nil where the pooled features come out.
  let head: FastVitHead?

  /// Numbers of the pooled features.
  var features: Int { last.outputs }
  /// Numbers that come out.
  var width: Int { head?.outputs ?? features }
}

/// The linear layer at the end.
struct FastVitHead: Sendable {
  let source: String
  let outputs: Int
  let hasBias: Bool
}

/// Branches that see the same image and are added: convolutions, each with its norm, and a norm of the
/// image itself. A model that was put together for inference has one convolution with a bias instead.
///
/// Source: Vasu et al. 2022, "MobileOne", arXiv:2206.04040.
struct BranchedConv: Sendable {
  /// Its name in the graph.
  let name: String
  var convolutions: [ConvLayer]
  /// The norm of the image itself; nil without.
  var identity: String?
  var excitation: Excitation?
  var isActive = true

  var outputs: Int { convolutions.first?.shape[0] ?? 0 }
}

/// Blocks for images of one size.
struct FastVitStage: Sendable {
  /// Makes the image smaller and deeper; empty where it stays as it is.
  let entry: [BranchedConv]
  let positions: FastVitPositions?
  let blocks: [FastVitBlock]
}

/// A convolution that tells the blocks behind it where they are.
struct FastVitPositions: Sendable {
  let name: String
  let conv: ConvLayer
  /// Whether its input is added to its output.
  let hasSkip: Bool
}

/// A block: a mixer that looks around, and a feed-forward part, each beside its input.
struct FastVitBlock: Sendable {
  enum Mixer: Sendable {
    /// x + scale · (branches(x) − norm(x))
    case branches(BranchedConv, norm: String, scale: String)
    /// The same as one convolution.
    case conv(ConvLayer)
    case attention(FastVitAttention)
  }

  /// Its name in the graph.
  let name: String
  let channels: Int
  let mixer: Mixer
  /// A convolution with a norm, one that widens and one that narrows.
  let feedForward: [ConvLayer]
  /// The gain of the feed-forward part, [channels, 1, 1].
  let scale: String
}

/// Attention over all places of an image.
struct FastVitAttention: Sendable {
  /// The norm before it, which is one of a channel or one of a place.
  enum Norm: Sendable {
    case channels(String)
    case places(String)
  }

  /// Numbers of a head.
  static let headWidth = 32

  let norm: Norm
  /// Prefix of `qkv`, which has no bias, and `proj`.
  let source: String
  /// Its gain, [channels, 1, 1].
  let scale: String
}
