import Weights

/// Writes the operations of a BERT with rotary positions and gated linear units, with a norm behind
/// each part of a block; for one batch size B and length S, H being the hidden width.
struct GatedBertGraph {
  private let model: GatedBertShape
  private let batch: Int
  private let length: Int
  private let table: RotaryTable
  private var graph = GraphBuilder()

  init(_ model: GatedBertShape, batch: Int, length: Int) {
    self.model = model
    self.batch = batch
    self.length = length
    table = RotaryTable(
      length: length, width: model.hidden / model.heads, base: model.angles.base,
      scale: model.angles.scale)
  }

  private var shape: [Int] { [batch, length, model.hidden] }

  /// The token vectors, and the mask of tokens.
  mutating func build() throws(GraphError) -> TokenStates {
    let (ids, mask) = try graph.tokens(batch: batch, length: length)
    let scoreMask = try graph.scoreMask(mask)
    var states = try embeddings(ids)
    for layer in 0..<model.layers {
      states = try block(layer, states, scoreMask)
    }
    return TokenStates(graph: graph, states: states, mask: mask)
  }

  // Summed and normalised: [B, S, H].
  private mutating func embeddings(_ ids: Operand) throws(GraphError) -> Operand {
    let sum = try graph.wordsAndSegment(
      ids, "\(model.prefix.text)embeddings", vocabulary: model.vocabulary,
      segments: model.segments, types: model.readsTypes ? [batch, length] : nil,
      hidden: model.hidden)
    return try norm(sum, model.names.embeddingNorm, "embeddings")
  }

  private mutating func block(
    _ layer: Int, _ input: Operand, _ mask: Operand
  ) throws(GraphError) -> Operand {
    let source = "\(model.names.layers).\(layer)", name = "layer\(layer)"
    let context = try graph.rotaryAttention(
      input, "\(model.prefix.text)\(source).\(model.names.joinedAttention)", name, mask: mask,
      by: table,
      shape: shape, hasBias: model.biases.attention)
    let projected = try linear(
      context, "\(source).\(model.names.projection)", "\(name)_projection",
      (model.hidden, model.hidden), hasBias: model.biases.attention)
    let attended = try graph.append("\(name)_attended", ElementwiseBinary(.add, projected, input))
    let middle = try norm(attended, "\(source).\(model.names.attentionNorm)", "\(name)_middle")
    let gated = try unit(middle, source, name)
    let narrow = try linear(
      gated, "\(source).\(model.names.narrow)", "\(name)_narrow",
      (model.intermediate, model.hidden), hasBias: model.biases.narrow)
    let sum = try graph.append("\(name)_sum", ElementwiseBinary(.add, narrow, middle))
    return try norm(sum, "\(source).\(model.names.unitNorm)", "\(name)_output")
  }

  // [B, S, H] → [B, S, intermediate]
  private mutating func unit(
    _ x: Operand, _ source: String, _ name: String
  ) throws(GraphError) -> Operand {
    switch model.names.unit {
    case .joined(let joined):
      return try graph.gatedUnit(
        x, "\(model.prefix.text)\(source).\(joined)", name, model.activation, shape: shape,
        inner: model.intermediate, activatesFirst: false, hasBias: model.biases.wide)
    case .apart(let up, let gate):
      let sizes = (model.hidden, model.intermediate)
      let wide = try linear(
        x, "\(source).\(up)", "\(name)_wide", sizes, hasBias: model.biases.wide)
      let open = try linear(
        x, "\(source).\(gate)", "\(name)_open", sizes, hasBias: model.biases.wide)
      let active = try graph.activate(model.activation, open, "\(name)_active")
      return try graph.append("\(name)_gated", ElementwiseBinary(.mul, active, wide))
    }
  }

  private mutating func linear(
    _ x: Operand, _ source: String, _ name: String, _ sizes: (inputs: Int, outputs: Int),
    hasBias: Bool
  ) throws(GraphError) -> Operand {
    try graph.linear(
      x, model.prefix.text + source, name, inputs: sizes.inputs, outputs: sizes.outputs,
      hasBias: hasBias)
  }

  private mutating func norm(
    _ x: Operand, _ source: String, _ name: String
  ) throws(GraphError) -> Operand {
    try graph.norm(
      x, model.prefix.text + source, name, width: model.hidden, epsilon: model.epsilon)
  }
}
