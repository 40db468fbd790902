import Foundation
import Weights

/// Writes T5's operations for one batch size B and length S; H is the hidden width, A the heads.
struct T5Graph {
  let model: T5Shape
  let batch: Int
  let length: Int
  var graph = GraphBuilder()

  private var inner: Int { model.heads * model.headWidth }

  /// The token vectors, and the mask of tokens.
  mutating func build() throws(GraphError) -> TokenStates {
    let (ids, mask) = try graph.tokens(batch: batch, length: length)
    let padding = try graph.scoreMask(mask)
    let bias = try graph.append(
      "position_mask", ElementwiseBinary(.add, try positionBias(), padding))
    let table = WeightReference(
      model.table, [model.vocabulary, model.hidden], role: .tokenTable)
    var states = try graph.append("words", Gather(.weight(table), indices: ids))
    for layer in 0..<model.layers { states = try block(layer, states, bias) }
    states = try norm(states, "\(model.prefix.text)encoder.final_layer_norm", "states")
    return TokenStates(graph: graph, states: states, mask: mask)
  }

  /// The bias of each head for each pair of places, from the first layer's table: [1, A, S, S].
  private mutating func positionBias() throws(GraphError) -> Operand {
    let table = WeightReference(
      "\(model.prefix.text)encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight",
      [model.buckets, model.heads], role: .bias)
    let buckets = (0..<length).flatMap { query in
      (0..<length).map { key in
        RelativeBucket.of(key - query, buckets: model.buckets, farthest: model.farthest)
      }
    }
    let rows = try graph.append(
      "position_rows",
      Gather(.weight(table), indices: .literal(.integers(buckets, shape: [length, length]))))
    let perHead = try graph.append(
      "position_heads", Transpose(rows, permutation: [2, 0, 1]))
    return try graph.append("position_bias", ExpandDims(perHead, axes: [0]))
  }

  private mutating func block(
    _ layer: Int, _ input: Operand, _ bias: Operand
  ) throws(GraphError) -> Operand {
    let source = "\(model.prefix.text)encoder.block.\(layer).layer", name = "layer\(layer)"
    let before = try norm(input, "\(source).0.layer_norm", "\(name)_before")
    let attended = try attention("\(source).0.SelfAttention", name, before, bias)
    let middle = try graph.residual(input, attended, "\(name)_middle")
    let normed = try norm(middle, "\(source).1.layer_norm", "\(name)_between")
    let narrow = try unit("\(source).1.DenseReluDense", name, normed)
    return try graph.residual(middle, narrow, "\(name)_output")
  }

  private mutating func attention(
    _ source: String, _ name: String, _ x: Operand, _ bias: Operand
  ) throws(GraphError) -> Operand {
    let query = try heads(x, "\(source).q", "\(name)_query")
    // The operation divides by the root of the width, which T5 does not.
    let root = Float(Double(model.headWidth).squareRoot())
    let scaled = try graph.append(
      "\(name)_query_scaled", ElementwiseBinary(.mul, query, .literal(.float(root))))
    let context = try graph.attention(
      query: scaled, key: try heads(x, "\(source).k", "\(name)_key"),
      value: try heads(x, "\(source).v", "\(name)_value"), mask: bias, name,
      shape: [batch, length, inner])
    return try graph.linear(
      context, "\(source).o", "\(name)_projection", inputs: inner, outputs: model.hidden,
      hasBias: false)
  }

  private mutating func heads(
    _ x: Operand, _ source: String, _ name: String
  ) throws(GraphError) -> Operand {
    let projected = try graph.linear(
      x, source, name, inputs: model.hidden, outputs: inner, hasBias: false)
    return try graph.splitHeads(
      projected, name, shape: [batch, length, inner], heads: model.heads)
  }

  private mutating func unit(
    _ source: String, _ name: String, _ x: Operand
  ) throws(GraphError) -> Operand {
    guard !model.isGated else {
      return try graph.gatedUnit(
        x, ("\(source).wi_0", "\(source).wi_1", "\(source).wo"), name, model.activation,
        hidden: model.hidden, inner: model.intermediate)
    }
    let wide = try graph.linear(
      x, "\(source).wi", "\(name)_wide", inputs: model.hidden, outputs: model.intermediate,
      hasBias: false)
    return try graph.scaledLinear(
      try graph.activate(model.activation, wide, "\(name)_active"), "\(source).wo",
      "\(name)_narrow", inputs: model.intermediate, outputs: model.hidden)
  }

  private mutating func norm(
    _ x: Operand, _ source: String, _ name: String
  ) throws(GraphError) -> Operand {
    try graph.rmsNorm(x, gain: "\(source).weight", name, epsilon: model.epsilon)
  }
}

extension T5Shape {
  func states(batch: Int, length: Int) throws(GraphError) -> TokenStates {
    var builder = T5Graph(model: self, batch: batch, length: length)
    return try builder.build()
  }
}

/// T5's buckets of distances: near ones have their own, far ones share theirs by the logarithm.
enum RelativeBucket {
  /// The bucket of a key so many places behind the query; computed in float32 as the library does.
  ///
  /// - Parameters:
  ///   - buckets: of both directions.
  ///   - farthest: from this distance on all have one bucket.
  static func of(_ distance: Int, buckets: Int, farthest: Int) -> Int32 {
    let half = buckets / 2, exact = half / 2
    let start = distance > 0 ? half : 0
    let size = abs(distance)
    guard size >= exact else { return Int32(start + size) }
    let share = logf(Float(size) / Float(exact)) / Float(log(Double(farthest) / Double(exact)))
    return Int32(start + min(exact + Int(share * Float(half - exact)), half - 1))
  }
}
