import Foundation
import Weights

extension VisionGraph {
  /// The blocks: [B, S, H] → [B, S, H], or [B, 1, H] where the class vector's token is all that the
  /// end needs.
  mutating func encode(_ states: Operand) throws(GraphError) -> Operand {
    var blocks = VisionBlockGraph(
      blocks: vision.blocks, batch: batch, tokens: vision.tokens, rotary: vision.rotary,
      graph: graph)
    let encoded = try blocks.build(states, wanted: vision.endsWithClassToken ? 0 : nil)
    graph = blocks.graph
    return try norm(vision.lastNorm, encoded, "tokens_normed")
  }

  /// The one vector: [B, S, H], or [B, 1, H], → [B, numbers that come out].
  mutating func end(_ states: Operand) throws(GraphError) -> Operand {
    let name = vision.isUnit ? "pooled" : vision.outputName
    let row: Operand
    switch vision.end {
    case .classToken: row = try pooled(states, name)
    case .pooler(let source, let width, let activation):
      let first = try pooled(states, "class_row")
      let layer = try linear(first, source, "pooler", width)
      row = try graph.activate(activation, layer, name)
    case .classes(let source, let count):
      row = try linear(try pooled(states, "class_row"), source, name, count)
    case .attention(let pooling): row = try attend(states, pooling, name)
    }
    return vision.isUnit ? try graph.unitRows(row) : row
  }

  // [B, 1, H] → [B, H]
  private mutating func pooled(_ row: Operand, _ name: String) throws(GraphError) -> Operand {
    try graph.append(name, Reshape(row, shape: [batch, width]))
  }

  private mutating func linear(
    _ input: Operand, _ source: String, _ name: String, _ outputs: Int
  ) throws(GraphError) -> Operand {
    try graph.linear(input, source, name, inputs: width, outputs: outputs)
  }

  private mutating func norm(
    _ source: String, _ input: Operand, _ name: String
  ) throws(GraphError) -> Operand {
    try graph.norm(
      input, gain: "\(source).weight", shift: "\(source).bias", name, width: width,
      epsilon: vision.blocks.epsilon)
  }

  // A learnt query attends to all tokens, then a feed-forward part: [B, S, H] → [B, H].
  private mutating func attend(
    _ states: Operand, _ pooling: VisionTransformer.AttentionPooling, _ name: String
  ) throws(GraphError) -> Operand {
    let seen = try look(states, pooling)
    let normed = try norm(pooling.norm, seen, "head_norm")
    let inner = vision.blocks.intermediate
    let wide = try graph.linear(normed, pooling.wide, "head_wide", inputs: width, outputs: inner)
    let active = try graph.activate(vision.blocks.activation, wide, "head_active")
    let narrow = try graph.linear(
      active, pooling.narrow, "head_narrow", inputs: inner, outputs: width)
    let sum = try graph.append("head_output", ElementwiseBinary(.add, seen, narrow))
    return try pooled(sum, name)
  }

  // [B, S, H] → [B, 1, H]
  private mutating func look(
    _ states: Operand, _ pooling: VisionTransformer.AttentionPooling
  ) throws(GraphError) -> Operand {
    let probe = Operand.weight(
      WeightReference(pooling.query, [1, 1, width], role: .positionTable))
    let probes = try graph.append("head_probes", Tile(probe, repetitions: [batch, 1, 1]))
    let own = try projections(probes, pooling, "head_query")
    let others = try projections(states, pooling, "head_states")
    let query = try part(0, of: own, tokens: 1, "head_query")
    let key = try part(1, of: others, tokens: vision.tokens, "head_key")
    let value = try part(2, of: others, tokens: vision.tokens, "head_value")
    let context = try graph.attention(
      query: query, key: key, value: value, mask: nil, "head", shape: [batch, 1, width])
    return try linear(context, "\(pooling.attention).out_proj", "head_projection", width)
  }

  // Query, key and value of every row, which are the rows of one matrix: [B, S, 3H]. All three are
  // computed for both inputs: a program cannot cut a compressed matrix.
  private mutating func projections(
    _ input: Operand, _ pooling: VisionTransformer.AttentionPooling, _ name: String
  ) throws(GraphError) -> Operand {
    let matrix = WeightReference(
      "\(pooling.attention).in_proj_weight", [3 * width, width], role: .matrix(outputAxis: 0))
    let bias = WeightReference("\(pooling.attention).in_proj_bias", [3 * width], role: .bias)
    return try graph.append(
      "\(name)_projections", Linear(input, weight: .weight(matrix), bias: .weight(bias)))
  }

  // One of the three as heads: [B, S, 3H] → [B, heads, S, H/heads].
  private mutating func part(
    _ place: Int, of all: Operand, tokens: Int, _ name: String
  ) throws(GraphError) -> Operand {
    let part = try graph.append(
      name,
      SliceByIndex(
        all, begin: [0, 0, place * width], end: [batch, tokens, (place + 1) * width]))
    return try graph.splitHeads(
      part, name, shape: [batch, tokens, width], heads: vision.blocks.heads)
  }
}

extension VisionTransformer {
  /// Whether the class vector's token is all that the end needs.
  var endsWithClassToken: Bool {
    switch end {
    case .classToken, .pooler, .classes: true
    case .attention: false
    }
  }

  var outputName: String {
    if case .classes = end { "scores" } else { "embedding" }
  }

  /// Angles of all tokens; those before the patches are not turned.
  var rotary: RotaryTable? {
    guard case .rotary(let base) = positions else { return nil }
    return RotaryTable(
      patches: image, before: extraTokens, width: blocks.width / blocks.heads, base: base)
  }
}

extension RotaryTable {
  /// Angles of patches by the coordinates of their middles, −1...1 from top to bottom and from left
  /// to right: a quarter of a head's numbers has frequencies for either, 2π · base^(−4i / width).
  ///
  /// Source: Siméoni et al. 2025, "DINOv3", arXiv:2508.10104; computed as the library does, in
  /// float32.
  init(patches image: VisionImage, before: Int, width: Int, base: Double) {
    let frequencies = (0..<width / 4).map {
      Float(1 / powf(Float(base), Float(4 * $0) / Float(width)))
    }
    func turns(_ place: Int, of count: Int) -> [Float] {
      let coordinate = 2 * ((Float(place) + 0.5) / Float(count)) - 1
      return frequencies.map { Float(2 * Double.pi) * coordinate * $0 }
    }
    let still = Array(repeating: [Float](repeating: 0, count: width / 2), count: before)
    let turned = (0..<image.rows).flatMap { row in
      (0..<image.columns).map { turns(row, of: image.rows) + turns($0, of: image.columns) }
    }
    self.init(angles: still + turned)
  }
}
