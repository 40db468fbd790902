import Weights

/// Writes the operations of one CLIP encoder for a batch size B: S tokens or patches of width H.
///
/// Both end alike: the last norm and the projection transform one token's vector, which is then
/// scaled to length 1.
struct ClipGraph {
  let clip: ClipEncoder
  let batch: Int
  var graph = GraphBuilder()

  init(clip: ClipEncoder, batch: Int) {
    self.clip = clip
    self.batch = batch
  }

  var width: Int { clip.transformer.width }

  func weight(_ name: TensorName, _ shape: [Int], _ role: WeightRole) -> Operand {
    .weight(WeightReference(name, shape, role: role))
  }

  /// The token of each row that gives the vector of the whole input.
  enum Pooling {
    case place(Int)
    /// The one where [B, 1, S] is 1; it is 0 elsewhere.
    case selected(Operand)
  }

  /// All blocks: [B, S, H] → [B, 1, H], the states of one token, or of all without a pooling. The
  /// last block is computed only for that token; it still attends to all others.
  ///
  /// - Parameter mask: added to the scores, [S, S] or [B, 1, S, S]; nil if every token sees all
  ///   others.
  mutating func blocks(
    _ input: Operand, tokens: Int, mask: Operand?, pooling: Pooling?
  ) throws(GraphError) -> Operand {
    var states = input
    let last = clip.transformer.layers - 1
    for layer in 0..<last {
      states = try block(layer, states, tokens: tokens, mask: mask, pooling: nil)
    }
    return try block(last, states, tokens: tokens, mask: mask, pooling: pooling)
  }

  /// The states of one token without its axis: [B, 1, H] → [B, H].
  mutating func row(_ state: Operand) throws(GraphError) -> Operand {
    try graph.append("pooled", Reshape(state, shape: [batch, width]))
  }

  // [B, S, H] → [B, S, H], or [B, 1, H] for the one token that is pooled.
  private mutating func block(
    _ layer: Int, _ input: Operand, tokens: Int, mask: Operand?, pooling: Pooling?
  ) throws(GraphError) -> Operand {
    let names = clip.names, source = "\(names.blocks)\(layer).", name = "layer\(layer)"
    let first = try norm("\(source)\(names.firstNorm)", input, "\(name)_first")
    let context = try attention(
      source, name, first, tokens: tokens, mask: mask, pooling: pooling)
    let projected = try linear(
      "\(source)\(names.attentionOutput)", "\(name)_projection", context, width, width)
    let seen = try scaled(projected, "\(source)ls_1.gamma", "\(name)_projection_scaled")
    let residual = try pool(input, pooling, "\(name)_input_pooled")
    let middle = try graph.append("\(name)_middle", ElementwiseBinary(.add, residual, seen))
    let second = try norm("\(source)\(names.secondNorm)", middle, "\(name)_second")
    let inner = clip.transformer.intermediate
    let wide = try linear("\(source)\(names.wide)", "\(name)_wide", second, width, inner)
    let active = try graph.append(
      "\(name)_active", Gelu(wide, mode: clip.transformer.activation))
    let narrow = try linear("\(source)\(names.narrow)", "\(name)_narrow", active, inner, width)
    let added = try scaled(narrow, "\(source)ls_2.gamma", "\(name)_narrow_scaled")
    return try graph.append("\(name)_output", ElementwiseBinary(.add, middle, added))
  }

  // What a part of a block adds, times a gain for each number, if blocks have those.
  private mutating func scaled(
    _ states: Operand, _ gain: TensorName, _ name: String
  ) throws(GraphError) -> Operand {
    guard clip.transformer.hasScales else { return states }
    return try graph.append(
      name, ElementwiseBinary(.mul, states, weight(gain, [width], .norm)))
  }

  mutating func split(
    _ input: Operand, _ name: String, tokens: Int
  ) throws(GraphError) -> Operand {
    try graph.splitHeads(
      input, name, shape: [batch, tokens, width], heads: clip.transformer.heads)
  }

  mutating func linear(
    _ source: String, _ name: String, _ input: Operand, _ inputs: Int, _ outputs: Int
  ) throws(GraphError) -> Operand {
    try graph.linear(input, source, name, inputs: inputs, outputs: outputs)
  }

  mutating func norm(
    _ source: String, _ input: Operand, _ name: String, width: Int? = nil, epsilon: Float? = nil
  ) throws(GraphError) -> Operand {
    try graph.norm(
      input, source, name, width: width ?? self.width,
      epsilon: epsilon ?? clip.transformer.epsilon)
  }

  /// The end of either encoder: [B, H] → [B, projection], rows of length 1.
  mutating func finish(_ pooled: Operand) throws(GraphError) -> ModelGraph {
    let normed = try norm(clip.names.lastNorm, pooled, "pooled_norm")
    return try finish(normed: normed, width: width)
  }

  /// The same behind the last norm.
  mutating func finish(normed rows: Operand, width: Int) throws(GraphError) -> ModelGraph {
    let projected = try project(rows, width)
    let embedding = try graph.unitRows(projected)
    return try graph.finish(output: embedding)
  }

  private mutating func project(_ rows: Operand, _ width: Int) throws(GraphError) -> Operand {
    switch clip.names.projection {
    case .none: return rows
    case .layer(let source): return try linear(source, "projected", rows, width, clip.projection)
    case .outputMajor(let name):
      let matrix = weight(name, [clip.projection, width], .matrix(outputAxis: 0))
      return try graph.append("projected", Linear(rows, weight: matrix, bias: nil))
    case .inputMajor(let name):
      let matrix = weight(name, [width, clip.projection], .matrix(outputAxis: 1))
      return try graph.append("projected", Matmul(rows, matrix))
    }
  }
}
