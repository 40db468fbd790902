import Weights

/// A transformer that began as a decoder.
struct DecoderTransformer: TextTransformer {
  let shape: DecoderShape
  let layout: DecoderLayout

  var hidden: Int { shape.hidden }
  var vocabulary: Int { shape.vocabulary }
  var positions: Int { shape.positions }
  var prefix: WeightPrefix { shape.prefix }

  func states(batch: Int, length: Int) throws(GraphError) -> TokenStates {
    var builder = DecoderGraph(self, batch: batch, length: length)
    return try builder.build()
  }
}

/// How the layers of a decoder differ from each other, and from those of other decoders.
struct DecoderLayout: Sendable {
  /// Whether tokens see those behind them.
  var isBidirectional = false
  /// For each layer, whether its tokens see a window alone.
  let isLocal: [Bool]
  /// A token of a local layer sees those less than so many places away; nil without such layers.
  var window: Int?
  /// Bases of the rotary angles.
  let wholeBase: Double
  let localBase: Double
  /// Scores are divided by its root.
  let queryScalar: Double
  /// Whether norms add 1 to their gain and are behind each part of a block too, and word vectors are
  /// multiplied by the root of their width.
  var isGemma = false
}

/// Writes a decoder's operations for one batch size B and length S; H is the hidden width.
struct DecoderGraph {
  private let shape: DecoderShape
  private let layout: DecoderLayout
  private let attention: DecoderAttention
  private let whole: RotaryTable
  private let local: RotaryTable
  private var graph = GraphBuilder()

  init(_ model: DecoderTransformer, batch: Int, length: Int) {
    shape = model.shape
    layout = model.layout
    attention = DecoderAttention(
      shape: model.shape, layout: model.layout, batch: batch, length: length)
    let width = model.shape.headWidth
    whole = RotaryTable(length: length, width: width, base: model.layout.wholeBase)
    local = RotaryTable(length: length, width: width, base: model.layout.localBase)
  }

  /// The token vectors, and the mask of tokens.
  mutating func build() throws(GraphError) -> TokenStates {
    let (ids, mask) = try graph.tokens(batch: attention.batch, length: attention.length)
    let masks = try masks(mask)
    var states = try embeddings(ids)
    for (layer, isLocal) in layout.isLocal.enumerated() {
      states = try block(
        layer, states, isLocal ? masks.local : masks.whole, by: isLocal ? local : whole)
    }
    states = try norm(states, "norm", "states")
    return TokenStates(graph: graph, states: states, mask: mask)
  }

  private mutating func masks(
    _ mask: Operand
  ) throws(GraphError) -> (whole: Operand, local: Operand) {
    let length = attention.length
    guard layout.isBidirectional else {
      let later = try graph.causalMask("causal_mask", length: length)
      guard let window = layout.window else { return (later, later) }
      return (later, try graph.causalMask("local_mask", length: length, window: window))
    }
    let padding = try graph.scoreMask(mask)
    guard layout.isLocal.contains(true), let window = layout.window, window < length else {
      return (padding, padding)
    }
    return (padding, try graph.windowMask(padding, reach: window - 1, length: length))
  }

  /// Gemma's stay in float32 on a device from the multiplication on.
  private mutating func embeddings(_ ids: Operand) throws(GraphError) -> Operand {
    let table = WeightReference(
      "\(shape.prefix.text)\(DecoderShape.table)", [shape.vocabulary, shape.hidden],
      role: .tokenTable)
    let words = try graph.append("words", Gather(.weight(table), indices: ids))
    guard layout.isGemma else { return words }
    let root = Float(Double(shape.hidden).squareRoot())
    return try graph.append(
      "embeddings", ElementwiseBinary(.mul, words, .literal(.float(root))), precision: .full)
  }

  private mutating func block(
    _ layer: Int, _ input: Operand, _ mask: Operand, by table: RotaryTable
  ) throws(GraphError) -> Operand {
    let source = "layers.\(layer)", name = "layer\(layer)", isGemma = layout.isGemma
    let before = try norm(input, "\(source).input_layernorm", "\(name)_before")
    var attended = try attention.write(before, source, name, mask: mask, by: table, to: &graph)
    if isGemma {
      attended = try norm(attended, "\(source).post_attention_layernorm", "\(name)_behind")
    }
    let middle = try graph.residual(input, attended, "\(name)_middle")
    let normed = try norm(
      middle, "\(source).\(isGemma ? "pre_feedforward_layernorm" : "post_attention_layernorm")",
      "\(name)_\(isGemma ? "unit_before" : "between")")
    let unit = "\(shape.prefix.text)\(source).mlp"
    var narrow = try graph.gatedUnit(
      normed, ("\(unit).gate_proj", "\(unit).up_proj", "\(unit).down_proj"), name,
      shape.activation, hidden: shape.hidden, inner: shape.intermediate)
    if isGemma {
      narrow = try norm(narrow, "\(source).post_feedforward_layernorm", "\(name)_unit_behind")
    }
    return try graph.residual(middle, narrow, "\(name)_output")
  }

  private mutating func norm(
    _ x: Operand, _ source: String, _ name: String
  ) throws(GraphError) -> Operand {
    try graph.rmsNorm(
      x, gain: "\(shape.prefix.text)\(source).weight", name, epsilon: shape.epsilon,
      offset: layout.isGemma ? 1 : 0)
  }
}
