/// The blocks of a transformer that normalises at each of its two parts, mostly before it, as vision
/// transformers do: their sizes, and the names of their weights.
struct VisionBlocks: Sendable {
  /// A linear layer: the name before `.weight` and `.bias`, seen from its block.
  struct Layer: Sendable {
    let name: String
    var hasBias = true
  }

  /// The layers that make queries, keys and values.
  enum Attention: Sendable {
    case separate(query: Layer, key: Layer, value: Layer)
    /// One layer, whose rows are those of the three one after another.
    case joined(Layer)
    /// The same without a bias of its own: queries and values have one each, by these names.
    case joinedWithBiases(Layer, query: String, value: String)
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
  let attention: Attention
  let attentionOutput: Layer
  let secondNorm: String
  let feedForward: FeedForward
  /// Names of the gains that multiply what each part adds; nil without.
  var scales: (first: String, second: String)?
  /// Names of the norms inside the parts, before the last layer of each; nil without.
  var innerNorms: (attention: String, feedForward: String)?
  /// Whether a part's result is normalised, and not its input.
  var isPostNorm = false
}
