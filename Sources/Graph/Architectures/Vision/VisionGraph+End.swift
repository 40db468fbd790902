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
    let isLast = vision.projection == nil && !vision.isUnit
    let row = try pooled(states, isLast ? "embedding" : "pooled")
    let projected = try project(row)
    if let task = vision.task { return try task.scores(of: projected, in: &graph) }
    return vision.isUnit ? try graph.unitRows(projected) : projected
  }

  private mutating func pooled(_ states: Operand, _ name: String) throws(GraphError) -> Operand {
    switch vision.end {
    case .classToken: return try row(states, name)
    case .pooler(let source, let width, let activation):
      let layer = try linear(try row(states, "class_row"), source, "pooler", width)
      return try graph.activate(activation, layer, name)
    case .attention(let pooling): return try attend(states, pooling, name)
    case .mean: return try patchMean(states, name)
    case .classAndMean:
      let first = try graph.append(
        "class_states", SliceByIndex(states, begin: [0, 0, 0], end: [batch, 1, width]))
      let parts = [try row(first, "class_row"), try patchMean(states, "patch_mean")]
      return try graph.append(name, Concat(parts, axis: 1))
    }
  }

  // The mean of the patches' tokens: [B, S, H] → [B, H].
  private mutating func patchMean(_ states: Operand, _ name: String) throws(GraphError) -> Operand {
    var patches = states
    if vision.extraTokens > 0 {
      patches = try graph.append(
        "patch_states",
        SliceByIndex(
          states, begin: [0, vision.extraTokens, 0], end: [batch, vision.tokens, width]))
    }
    return try graph.append(name, Reduce(.mean, patches, axis: 1, keepsAxis: false))
  }

  private mutating func project(_ row: Operand) throws(GraphError) -> Operand {
    guard let layer = vision.projection else { return row }
    let name = vision.isUnit ? "projected" : vision.task == nil ? "embedding" : "logits"
    return try graph.linear(
      row, layer.name, name, inputs: vision.pooledWidth, outputs: layer.width,
      hasBias: layer.hasBias)
  }

  // [B, 1, H] → [B, H]
  mutating func row(_ state: Operand, _ name: String) throws(GraphError) -> Operand {
    try graph.append(name, Reshape(state, shape: [batch, width]))
  }

  mutating func linear(
    _ input: Operand, _ source: String, _ name: String, _ outputs: Int
  ) throws(GraphError) -> Operand {
    try graph.linear(input, source, name, inputs: width, outputs: outputs)
  }

  mutating func norm(
    _ source: String, _ input: Operand, _ name: String
  ) throws(GraphError) -> Operand {
    try graph.norm(input, source, name, width: width, epsilon: vision.blocks.epsilon)
  }
}

extension VisionTransformer {
  /// Whether the class vector's token is all that the end needs.
  var endsWithClassToken: Bool {
    switch end {
    case .classToken, .pooler: true
    case .attention, .mean, .classAndMean: false
    }
  }

  /// Angles of all tokens; those before the patches are not turned.
  var rotary: RotaryTable? {
    guard case .rotary(let base) = positions else { return angles }
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
