import Weights

/// Writes the blocks of a transformer: [B, S, H] → [B, S, H].
struct VisionBlockGraph {
  let blocks: VisionBlocks
  let batch: Int
  let tokens: Int
  /// Turns queries and keys by their places; nil without.
  var rotary: RotaryTable?
  var graph: GraphBuilder

  var width: Int { blocks.width }

  /// All blocks, [B, S, H] → the same shape.
  ///
  /// - Parameter wanted: the only token whose state is needed, [B, 1, H]. The last block is then
  ///   computed for that token; it still attends to all others.
  mutating func build(_ input: Operand, wanted: Int?) throws(GraphError) -> Operand {
    var states = input
    for layer in 0..<blocks.layers {
      let isLast = layer == blocks.layers - 1
      states = try block(layer, states, wanted: isLast ? wanted : nil)
    }
    return states
  }

  private mutating func block(
    _ layer: Int, _ input: Operand, wanted: Int?
  ) throws(GraphError) -> Operand {
    let source = "\(blocks.prefix)\(layer).", name = "layer\(layer)"
    let first = try before(blocks.firstNorm, source, input, "\(name)_first")
    let seen = try behind(
      blocks.firstNorm, source, try attention(source, name, first, wanted: wanted), "\(name)_seen")
    let scaled = try scaled(seen, blocks.scales.map { source + $0.first }, "\(name)_seen_scaled")
    let kept = try kept(input, "\(name)_input_kept", wanted)
    let middle = try graph.append("\(name)_middle", ElementwiseBinary(.add, kept, scaled))
    let second = try before(blocks.secondNorm, source, middle, "\(name)_second")
    let thought = try behind(
      blocks.secondNorm, source,
      try feedForward(source, name, second, rows: wanted == nil ? tokens : 1), "\(name)_thought")
    let added = try self.scaled(
      thought, blocks.scales.map { source + $0.second }, "\(name)_thought_scaled")
    return try graph.append("\(name)_output", ElementwiseBinary(.add, middle, added))
  }

  // The norm of a part's input, where blocks have it there.
  private mutating func before(
    _ norm: String, _ source: String, _ input: Operand, _ name: String
  ) throws(GraphError) -> Operand {
    blocks.isPostNorm ? input : try self.norm(source + norm, input, name, width: width)
  }

  // The norm of a part's result, where blocks have it there.
  private mutating func behind(
    _ norm: String, _ source: String, _ result: Operand, _ name: String
  ) throws(GraphError) -> Operand {
    blocks.isPostNorm
      ? try self.norm(source + norm, result, "\(name)_normed", width: width) : result
  }

  private mutating func scaled(
    _ states: Operand, _ gain: String?, _ name: String
  ) throws(GraphError) -> Operand {
    guard let gain else { return states }
    let weight = Operand.weight(WeightReference(TensorName(gain), [width], role: .norm))
    return try graph.append(name, ElementwiseBinary(.mul, states, weight))
  }

  private mutating func feedForward(
    _ source: String, _ name: String, _ input: Operand, rows: Int
  ) throws(GraphError) -> Operand {
    let inner = blocks.intermediate
    switch blocks.feedForward {
    case .plain(let wide, let narrow):
      let all = try linear(source, wide, "\(name)_wide", input, width, inner)
      let active = try graph.activate(blocks.activation, all, "\(name)_active")
      let normed = try self.inner(
        blocks.innerNorms?.feedForward, source, active, "\(name)_active_normed")
      return try linear(source, narrow, "\(name)_narrow", normed, inner, width)
    case .gated(let gate, let wide, let narrow):
      let first = try linear(source, gate, "\(name)_gate", input, width, inner)
      let second = try linear(source, wide, "\(name)_wide", input, width, inner)
      return try gated(source, name, first, second, narrow)
    case .joined(let both, let narrow):
      let all = try linear(source, both, "\(name)_both", input, width, 2 * inner)
      func half(_ name: String, _ begin: Int) throws(GraphError) -> Operand {
        try graph.append(
          name, SliceByIndex(all, begin: [0, 0, begin], end: [batch, rows, begin + inner]))
      }
      let first = try half("\(name)_gate", 0)
      return try gated(source, name, first, try half("\(name)_wide", inner), narrow)
    }
  }

  // narrow(activation(gate) · wide)
  private mutating func gated(
    _ source: String, _ name: String, _ gate: Operand, _ wide: Operand,
    _ narrow: VisionBlocks.Layer
  ) throws(GraphError) -> Operand {
    let active = try graph.activate(blocks.activation, gate, "\(name)_active")
    let product = try graph.append("\(name)_gated", ElementwiseBinary(.mul, active, wide))
    let normed = try inner(blocks.innerNorms?.feedForward, source, product, "\(name)_gated_normed")
    return try linear(source, narrow, "\(name)_narrow", normed, blocks.intermediate, width)
  }

  /// The norm before the last layer of a part; the input without one.
  mutating func inner(
    _ norm: String?, _ source: String, _ input: Operand, _ name: String
  ) throws(GraphError) -> Operand {
    guard let norm, let width = graph.type(of: input)?.shape.last else { return input }
    return try self.norm(source + norm, input, name, width: width)
  }

  mutating func linear(
    _ source: String, _ layer: VisionBlocks.Layer, _ name: String, _ input: Operand,
    _ inputs: Int, _ outputs: Int
  ) throws(GraphError) -> Operand {
    try graph.linear(
      input, source + layer.name, name, inputs: inputs, outputs: outputs, hasBias: layer.hasBias)
  }

  private mutating func norm(
    _ source: String, _ input: Operand, _ name: String, width: Int
  ) throws(GraphError) -> Operand {
    try graph.norm(input, source, name, width: width, epsilon: blocks.epsilon)
  }
}
