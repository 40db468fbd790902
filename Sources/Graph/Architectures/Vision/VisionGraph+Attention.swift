import Weights

extension VisionGraph {
  /// A learnt query attends to all tokens, then a feed-forward part: [B, S, H] → [B, H].
  mutating func attend(
    _ states: Operand, _ pooling: VisionTransformer.AttentionPooling, _ name: String
  ) throws(GraphError) -> Operand {
    let seen = try look(states, pooling)
    let normed = try norm(pooling.norm, seen, "head_norm")
    let inner = pooling.intermediate ?? vision.blocks.intermediate
    let wide = try graph.linear(normed, pooling.wide, "head_wide", inputs: width, outputs: inner)
    let active = try graph.activate(vision.blocks.activation, wide, "head_active")
    let narrow = try graph.linear(
      active, pooling.narrow, "head_narrow", inputs: inner, outputs: width)
    let sum = try graph.append("head_output", ElementwiseBinary(.add, seen, narrow))
    return try row(sum, name)
  }

  // [B, S, H] → [B, 1, H]
  private mutating func look(
    _ states: Operand, _ pooling: VisionTransformer.AttentionPooling
  ) throws(GraphError) -> Operand {
    let probe = Operand.weight(
      WeightReference(pooling.query, [1, 1, width], role: .positionTable))
    let probes = try graph.append("head_probes", Tile(probe, repetitions: [batch, 1, 1]))
    let parts = try projections(probes, states, pooling.projections)
    let heads = pooling.heads ?? vision.blocks.heads
    let context = try graph.attention(
      query: try split(parts.query, "head_query", tokens: 1, heads),
      key: try split(parts.key, "head_key", tokens: vision.tokens, heads),
      value: try split(parts.value, "head_value", tokens: vision.tokens, heads), mask: nil, "head",
      shape: [batch, 1, width])
    return try linear(context, pooling.output, "head_projection", width)
  }

  // The query of the learnt vector, and the keys and values of all tokens, each [B, .., H].
  private mutating func projections(
    _ probes: Operand, _ states: Operand,
    _ projections: VisionTransformer.AttentionPooling.Projections
  ) throws(GraphError) -> (query: Operand, key: Operand, value: Operand) {
    let tokens = vision.tokens
    switch projections {
    case .paired(let query, let others):
      let own = try linear(probes, query, "head_query", width)
      let all = try linear(states, others, "head_states_projections", 2 * width)
      return (
        own, try part(0, of: all, tokens: tokens, "head_key"),
        try part(1, of: all, tokens: tokens, "head_value")
      )
    case .joined(let matrix, let bias):
      let own = try joined(probes, matrix, bias, "head_query")
      let all = try joined(states, matrix, bias, "head_states")
      return (
        try part(0, of: own, tokens: 1, "head_query"),
        try part(1, of: all, tokens: tokens, "head_key"),
        try part(2, of: all, tokens: tokens, "head_value")
      )
    }
  }

  // Query, key and value of every row, which are the rows of one matrix: [B, S, 3H]. All three are
  // computed for both inputs: a program cannot cut a compressed matrix.
  private mutating func joined(
    _ input: Operand, _ matrix: TensorName, _ bias: TensorName, _ name: String
  ) throws(GraphError) -> Operand {
    let weight = WeightReference(matrix, [3 * width, width], role: .matrix(outputAxis: 0))
    let shift = WeightReference(bias, [3 * width], role: .bias)
    return try graph.append(
      "\(name)_projections", Linear(input, weight: .weight(weight), bias: .weight(shift)))
  }

  // One of the parts of every row: [B, S, 2H or 3H] → [B, S, H].
  private mutating func part(
    _ place: Int, of all: Operand, tokens: Int, _ name: String
  ) throws(GraphError) -> Operand {
    try graph.append(
      name,
      SliceByIndex(
        all, begin: [0, 0, place * width], end: [batch, tokens, (place + 1) * width]))
  }

  // [B, S, H] → [B, heads, S, H/heads]
  private mutating func split(
    _ rows: Operand, _ name: String, tokens: Int, _ heads: Int
  ) throws(GraphError) -> Operand {
    try graph.splitHeads(rows, name, shape: [batch, tokens, width], heads: heads)
  }
}
