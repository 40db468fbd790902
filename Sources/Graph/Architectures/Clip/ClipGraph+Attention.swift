import Weights

extension ClipGraph {
  /// What each token finds in all others: [B, S, H] → [B, S, H], or [B, 1, H] for a pooled one.
  mutating func attention(
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

  /// [B, S, H] → [B, 1, H] if one token is pooled, else unchanged.
  mutating func pool(
    _ states: Operand, _ pooling: Pooling?, _ name: String
  ) throws(GraphError) -> Operand {
    switch pooling {
    case nil: return states
    case .place(let place):
      return try graph.append(
        name, SliceByIndex(states, begin: [0, place, 0], end: [batch, place + 1, width]))
    case .selected(let selector): return try graph.append(name, Matmul(selector, states))
    }
  }

  // The mask of all tokens, [S, S] or [B, 1, S, S], or that of the pooled one in each row,
  // [1, S], [B, 1, 1, S].
  private mutating func scoreMask(
    _ mask: Operand?, _ pooling: Pooling?
  ) throws(GraphError) -> Operand? {
    guard let mask, let shape = graph.type(of: mask)?.shape else { return nil }
    switch pooling {
    case nil: return mask
    case .place(let place):
      let axis = shape.count - 2
      var begin = shape.map { _ in 0 }, end = shape
      (begin[axis], end[axis]) = (place, place + 1)
      return try graph.append("mask_row", SliceByIndex(mask, begin: begin, end: end))
    case .selected(let selector):
      let row = try graph.append("mask_pooled", Matmul(selector, mask))
      return try graph.append("mask_row", ExpandDims(row, axes: [1]))
    }
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
}
