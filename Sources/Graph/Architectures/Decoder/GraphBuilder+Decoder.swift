import Weights

// Parts of transformers that began as decoders. Their residual streams outgrow float16, so the
// sums are marked to stay in float32 on a device; norms bring their input back.
extension GraphBuilder {
  /// The mask that hides later tokens, and with a window those too far before: [S, S]. Padding
  /// comes last and needs no mask: what sees it is padding itself.
  ///
  /// Places are compared, not stored, so that a program does not hold a number for each pair; they
  /// are integers, because float16 counts to 2048 only.
  ///
  /// - Parameter window: places that a token sees, its own included; nil for all before it.
  mutating func causalMask(
    _ name: String, length: Int, window: Int? = nil
  ) throws(GraphError) -> Operand {
    let places = (0..<Int32(clamping: length)).map { $0 }
    let queries = Operand.literal(.integers(places, shape: [length, 1]))
    let keys = Operand.literal(.integers(places, shape: [1, length]))
    let isLater = try append("\(name)_is_later", Comparison(.less, queries, keys))
    var hidden = try append("\(name)_later", Cast(isLater, to: .float32))
    if let window, window < length {
      let ends = places.map { $0 + Int32(clamping: window) }
      let isFar = try append(
        "\(name)_is_far",
        Comparison(.greaterOrEqual, queries, .literal(.integers(ends, shape: [1, length]))))
      let far = try append("\(name)_far", Cast(isFar, to: .float32))
      hidden = try append("\(name)_hidden", ElementwiseBinary(.add, hidden, far))
    }
    return try append(name, ElementwiseBinary(.mul, hidden, .literal(.hiding)))
  }

  /// Each head of keys or values as often as heads of queries share it, one after the other:
  /// [B, heads, S, W] → [B, heads · count, S, W].
  mutating func repeated(
    _ heads: Operand, _ name: String, count: Int, shape: [Int]
  ) throws(GraphError) -> Operand {
    guard count > 1 else { return heads }
    let apart = [shape[0] * shape[1], 1, shape[2], shape[3]]
    let single = try append("\(name)_apart", Reshape(heads, shape: apart))
    let tiled = try append("\(name)_tiled", Tile(single, repetitions: [1, count, 1, 1]))
    let whole = [shape[0], shape[1] * count, shape[2], shape[3]]
    return try append("\(name)_repeated", Reshape(tiled, shape: whole))
  }

  /// The last layer of a unit, whose input may outgrow float16 and whose output may too: both are
  /// scaled by a power of two, which changes no digit.
  ///
  /// - Parameter source: prefix of the layer's weight; without a bias.
  mutating func scaledLinear(
    _ x: Operand, _ source: String, _ name: String, inputs: Int, outputs: Int
  ) throws(GraphError) -> Operand {
    let factor: Float = 64
    let small = try append(
      "\(name)_small", ElementwiseBinary(.mul, x, .literal(.float(1 / factor))), precision: .full)
    let weight = WeightReference(
      "\(source).weight", [outputs, inputs], role: .matrix(outputAxis: 0))
    let product = try append(
      "\(name)_product", Linear(small, weight: .weight(weight), bias: nil), precision: .half)
    return try append(
      name, ElementwiseBinary(.mul, product, .literal(.float(factor))), precision: .full)
  }

  /// A gated linear unit of three layers: narrow(activation(gate(x)) · wide(x)), [B, S, H] → the same.
  ///
  /// Source: Shazeer 2020, "GLU Variants Improve Transformer", arXiv:2002.05202.
  ///
  /// - Parameter sources: prefixes of the layers' weights.
  mutating func gatedUnit(
    _ x: Operand, _ sources: (gate: String, wide: String, narrow: String), _ name: String,
    _ activation: TransformerActivation, hidden: Int, inner: Int
  ) throws(GraphError) -> Operand {
    let gate = try linear(
      x, sources.gate, "\(name)_gate", inputs: hidden, outputs: inner, hasBias: false)
    let wide = try linear(
      x, sources.wide, "\(name)_wide", inputs: hidden, outputs: inner, hasBias: false)
    let active = try activate(activation, gate, "\(name)_active")
    let gated = try append(
      "\(name)_gated", ElementwiseBinary(.mul, active, wide), precision: .full)
    return try scaledLinear(
      gated, sources.narrow, "\(name)_narrow", inputs: inner, outputs: hidden)
  }

  /// The residual stream: a sum that stays in float32 on a device.
  mutating func residual(
    _ x: Operand, _ y: Operand, _ name: String
  ) throws(GraphError) -> Operand {
    try append(name, ElementwiseBinary(.add, x, y), precision: .full)
  }
}
