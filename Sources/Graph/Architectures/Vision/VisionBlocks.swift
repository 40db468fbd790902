/// The blocks of a transformer that normalises before each of its two parts, as vision transformers
/// do: their sizes, and the names of their weights.
struct VisionBlocks: Sendable {
  /// A linear layer: the name before `.weight` and `.bias`, seen from its block.
  struct Layer: Sendable {
    let name: String
    var hasBias = true
  }

  /// The part of a block that looks at one token alone.
  enum FeedForward: Sendable {
    /// narrow(activation(wide(x)))
    case plain(wide: Layer, narrow: Layer)
    /// narrow(activation(gate(x)) · wide(x))
    case gated(gate: Layer, wide: Layer, narrow: Layer)
    /// The same, with gate and wide as the rows of one matrix, the gate's first.
    case joined(both: Layer, narrow: Layer)
  }

  let layers: Int
  let heads: Int
  /// Numbers of a token's vector; a multiple of `heads`.
  let width: Int
  /// Numbers between the layers of the feed-forward part.
  let intermediate: Int
  let activation: TransformerActivation
  let epsilon: Float

  /// The prefix of the number of a block.
  let prefix: String
  let firstNorm: String
  let query: Layer
  let key: Layer
  let value: Layer
  let attentionOutput: Layer
  let secondNorm: String
  let feedForward: FeedForward
  /// Names of the gains that multiply what each part adds; nil without.
  var scales: (first: String, second: String)?
}
