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
    case first
    /// The one where [B, 1, S] is 1; it is 0 elsewhere.
    case selected(Operand)
  }

  /// All blocks, [B, S, H] → [B, H]: the states of one token. The last block is computed only
  /// for that token; it still attends to all others.
  ///
  /// - Parameter mask: added to the scores, [S, S]; nil if every token sees all others.
  mutating func blocks(
    _ input: Operand, tokens: Int, mask: Operand?, pooling: Pooling
  ) throws(GraphError) -> Operand {
    var states = input
    let last = clip.transformer.layers - 1
    for layer in 0..<last {
      states = try block(layer, states, tokens: tokens, mask: mask, pooling: nil)
    }
    let row = try block(last, states, tokens: tokens, mask: mask, pooling: pooling)
    return try graph.append("pooled", Reshape(row, shape: [batch, width]))
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
    let residual = try pool(input, pooling, "\(name)_input_pooled")
    let middle = try graph.append("\(name)_middle", ElementwiseBinary(.add, residual, projected))
    let second = try norm("\(source)\(names.secondNorm)", middle, "\(name)_second")
    let inner = clip.transformer.intermediate
    let wide = try linear("\(source)\(names.wide)", "\(name)_wide", second, width, inner)
    let active = try graph.append(
      "\(name)_active", Gelu(wide, mode: clip.transformer.activation))
    let narrow = try linear("\(source)\(names.narrow)", "\(name)_narrow", active, inner, width)
    return try graph.append("\(name)_output", ElementwiseBinary(.add, middle, narrow))
  }

  private mutating func attention(
    _ source: String, _ name: String, _ input: Operand, tokens: Int, mask: Operand?,
    pooling: Pooling?
  ) throws(GraphError) -> Operand {
    let parts = try projections(source, name, input, tokens: tokens)
    let queries = pooling == nil ? tokens : 1
    let query = try pool(parts.query, pooling, "\(name)_query_pooled")
    return try graph.attention(
      query: try split(query, "\(name)_query", tokens: queries),
      key: try split(parts.key, "\(name)_key", tokens: tokens),
      value: try split(parts.value, "\(name)_value", tokens: tokens),
      mask: try scoreMask(mask, pooling), name, shape: [batch, queries, width])
  }

  // [B, S, H] → [B, 1, H] if one token is pooled, else unchanged.
  private mutating func pool(
    _ states: Operand, _ pooling: Pooling?, _ name: String
  ) throws(GraphError) -> Operand {
    switch pooling {
    case nil: return states
    case .first:
      return try graph.append(
        name, SliceByIndex(states, begin: [0, 0, 0], end: [batch, 1, width]))
    case .selected(let selector): return try graph.append(name, Matmul(selector, states))
    }
  }

  // The mask of all tokens, [S, S], or of the pooled one in each row, [B, 1, 1, S].
  private mutating func scoreMask(
    _ mask: Operand?, _ pooling: Pooling?
  ) throws(GraphError) -> Operand? {
    guard let mask, case .selected(let selector) = pooling else { return mask }
    let row = try graph.append("mask_pooled", Matmul(selector, mask))
    return try graph.append("mask_row", ExpandDims(row, axes: [1]))
  }

  // Query, key and value, each [B, S, H].
  private mutating func projections(
    _ source: String, _ name: String, _ input: Operand, tokens: Int
  ) throws(GraphError) -> (query: Operand, key: Operand, value: Operand) {
    switch clip.names.attention {
    case .separate(let query, let key, let value):
      return (
        try linear(source + query, "\(name)_query", input, width, width),
        try linear(source + key, "\(name)_key", input, width, width),
        try linear(source + value, "\(name)_value", input, width, width)
      )
    case .joined(let weight, let bias):
      let all = try graph.append(
        "\(name)_projections",
        Linear(
          input,
          weight: self.weight("\(source)\(weight)", [3 * width, width], .matrix(outputAxis: 0)),
          bias: self.weight("\(source)\(bias)", [3 * width], .bias)))
      return (
        try part(0, of: all, "\(name)_query", tokens: tokens),
        try part(1, of: all, "\(name)_key", tokens: tokens),
        try part(2, of: all, "\(name)_value", tokens: tokens)
      )
    }
  }

  // One of the three parts of every row: [B, S, 3H] → [B, S, H].
  private mutating func part(
    _ place: Int, of all: Operand, _ name: String, tokens: Int
  ) throws(GraphError) -> Operand {
    try graph.append(
      name,
      SliceByIndex(
        all, begin: [0, 0, place * width], end: [batch, tokens, (place + 1) * width]))
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
    _ source: String, _ input: Operand, _ name: String
  ) throws(GraphError) -> Operand {
    try graph.norm(
      input, gain: "\(source).weight", shift: "\(source).bias", name, width: width,
      epsilon: clip.transformer.epsilon)
  }

  /// The end of either encoder: [B, H] → [B, projection], rows of length 1.
  mutating func finish(_ pooled: Operand) throws(GraphError) -> ModelGraph {
    let normed = try norm(clip.names.lastNorm, pooled, "pooled_norm")
    let projected = try project(normed)
    let embedding = try graph.unitRows(projected)
    return try graph.finish(output: embedding)
  }

  private mutating func project(_ rows: Operand) throws(GraphError) -> Operand {
    let (name, isInputMajor) = clip.names.projection
    guard isInputMajor else {
      let matrix = weight(name, [clip.projection, width], .matrix(outputAxis: 0))
      return try graph.append("projected", Linear(rows, weight: matrix, bias: nil))
    }
    let matrix = weight(name, [width, clip.projection], .matrix(outputAxis: 1))
    return try graph.append("projected", Matmul(rows, matrix))
  }
}
