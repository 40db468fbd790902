import Weights

// Layers whose weights lie side by side, and linear units with a gate.
extension GraphBuilder {
  /// Some columns of every row: [B, S, W] → [B, S, `width`].
  ///
  /// - Parameter first: the first of them.
  mutating func columns(
    _ x: Operand, _ name: String, from first: Int, width: Int, of shape: [Int]
  ) throws(GraphError) -> Operand {
    try append(
      name,
      SliceByIndex(
        x, begin: [0, 0, first], end: [shape[0], shape[1], first + width]))
  }

  /// A gated linear unit of one layer, whose first half is activated and multiplied by the second:
  /// [B, S, H] → [B, S, `inner`].
  ///
  /// Source: Shazeer 2020, "GLU Variants Improve Transformer", arXiv:2002.05202.
  ///
  /// - Parameters:
  ///   - source: prefix of the layer's weights, [2 · inner, H].
  ///   - shape: [B, S, H].
  ///   - activatesFirst: whether the first half is activated, or the second.
  mutating func gatedUnit(
    _ x: Operand, _ source: String, _ name: String, _ activation: TransformerActivation,
    shape: [Int], inner: Int, activatesFirst: Bool = true, hasBias: Bool
  ) throws(GraphError) -> Operand {
    let wide = try linear(
      x, source, "\(name)_wide", inputs: shape[2], outputs: 2 * inner, hasBias: hasBias,
      precision: .half)
    let first = try columns(wide, "\(name)_first", from: 0, width: inner, of: shape)
    let second = try columns(wide, "\(name)_second", from: inner, width: inner, of: shape)
    let active = try activate(
      activation, activatesFirst ? first : second, "\(name)_active")
    return try append(
      "\(name)_gated", ElementwiseBinary(.mul, active, activatesFirst ? second : first))
  }

  /// Attention with rotary positions over query, key and value that lie side by side in the rows of
  /// one layer's output: [B, S, H] → [B, S, H].
  ///
  /// - Parameters:
  ///   - source: prefix of the layer's weights, [3 · H, H].
  ///   - mask: added to the scores.
  ///   - shape: [B, S, H].
  mutating func rotaryAttention(
    _ x: Operand, _ source: String, _ name: String, mask: Operand, by table: RotaryTable,
    shape: [Int], hasBias: Bool
  ) throws(GraphError) -> Operand {
    let hidden = shape[2], heads = hidden / table.width
    let joined = try linear(
      x, source, "\(name)_query_key_value", inputs: hidden, outputs: 3 * hidden,
      hasBias: hasBias, precision: .half)
    let split = [shape[0], shape[1], heads, table.width]
    var parts: [Operand] = []
    for (index, part) in ["query", "key", "value"].enumerated() {
      let rows = try columns(
        joined, "\(name)_\(part)", from: index * hidden, width: hidden, of: shape)
      var perHead = try append("\(name)_\(part)_split", Reshape(rows, shape: split))
      if part != "value" {
        perHead = try rotate(perHead, "\(name)_\(part)", by: table, shape: split)
      }
      parts.append(
        try append("\(name)_\(part)_heads", Transpose(perHead, permutation: [0, 2, 1, 3])))
    }
    return try attention(
      query: parts[0], key: parts[1], value: parts[2], mask: mask, name, shape: shape)
  }
}
