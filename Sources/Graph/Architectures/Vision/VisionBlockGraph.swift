import Weights

/// Writes the blocks of a transformer: [B, S, H] → [B, S, H].
struct VisionBlockGraph {
  let blocks: VisionBlocks
  let batch: Int
  let tokens: Int
  /// Turns queries and keys by their places; nil without.
  var rotary: RotaryTable?
  var graph: GraphBuilder

  private var width: Int { blocks.width }

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
    let first = try norm("\(source)\(blocks.firstNorm)", input, "\(name)_first")
    let seen = try attention(source, name, first, wanted: wanted)
    let scaled = try scaled(seen, blocks.scales.map { source + $0.first }, "\(name)_seen_scaled")
    let kept = try kept(input, "\(name)_input_kept", wanted)
    let middle = try graph.append("\(name)_middle", ElementwiseBinary(.add, kept, scaled))
    let second = try norm("\(source)\(blocks.secondNorm)", middle, "\(name)_second")
    let thought = try feedForward(source, name, second, rows: wanted == nil ? tokens : 1)
    let added = try self.scaled(
      thought, blocks.scales.map { source + $0.second }, "\(name)_thought_scaled")
    return try graph.append("\(name)_output", ElementwiseBinary(.add, middle, added))
  }

  private mutating func attention(
    _ source: String, _ name: String, _ input: Operand, wanted: Int?
  ) throws(GraphError) -> Operand {
    let query = try turned(try heads(source, blocks.query, "\(name)_query", input), "\(name)_query")
    let key = try turned(try heads(source, blocks.key, "\(name)_key", input), "\(name)_key")
    let value = try heads(source, blocks.value, "\(name)_value", input)
    let context = try graph.attention(
      query: try swapped(try kept(query, "\(name)_query_kept", wanted), "\(name)_query"),
      key: try swapped(key, "\(name)_key"), value: try swapped(value, "\(name)_value"), mask: nil,
      name, shape: [batch, wanted == nil ? tokens : 1, width])
    return try linear(
      source, blocks.attentionOutput, "\(name)_projection", context, width, width)
  }

  // [B, S, H] → [B, S, heads, H/heads]
  private mutating func heads(
    _ source: String, _ layer: VisionBlocks.Layer, _ name: String, _ input: Operand
  ) throws(GraphError) -> Operand {
    let all = try linear(source, layer, name, input, width, width)
    return try graph.append("\(name)_split", Reshape(all, shape: headShape))
  }

  private var headShape: [Int] { [batch, tokens, blocks.heads, width / blocks.heads] }

  private mutating func turned(_ heads: Operand, _ name: String) throws(GraphError) -> Operand {
    guard let rotary else { return heads }
    return try graph.rotate(heads, name, by: rotary, shape: headShape)
  }

  // [B, S, heads, H/heads] → [B, heads, S, H/heads]
  private mutating func swapped(_ heads: Operand, _ name: String) throws(GraphError) -> Operand {
    try graph.append("\(name)_heads", Transpose(heads, permutation: [0, 2, 1, 3]))
  }

  // One token of [B, S, …]; all of them without a wish.
  private mutating func kept(
    _ states: Operand, _ name: String, _ wanted: Int?
  ) throws(GraphError) -> Operand {
    guard let wanted, let shape = graph.type(of: states)?.shape else { return states }
    return try graph.append(
      name,
      SliceByIndex(
        states, begin: [0, wanted] + shape.dropFirst(2).map { _ in 0 },
        end: [shape[0], wanted + 1] + shape.dropFirst(2)))
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
      return try linear(source, narrow, "\(name)_narrow", active, inner, width)
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
    return try linear(source, narrow, "\(name)_narrow", product, blocks.intermediate, width)
  }

  private mutating func linear(
    _ source: String, _ layer: VisionBlocks.Layer, _ name: String, _ input: Operand,
    _ inputs: Int, _ outputs: Int
  ) throws(GraphError) -> Operand {
    try graph.linear(
      input, source + layer.name, name, inputs: inputs, outputs: outputs, hasBias: layer.hasBias)
  }

  private mutating func norm(
    _ source: String, _ input: Operand, _ name: String
  ) throws(GraphError) -> Operand {
    try graph.norm(
      input, gain: "\(source).weight", shift: "\(source).bias", name, width: width,
      epsilon: blocks.epsilon)
  }
}
