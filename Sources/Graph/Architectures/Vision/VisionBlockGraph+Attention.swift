import Weights

extension VisionBlockGraph {
  /// What each token finds in all others: [B, S, H] → [B, S, H], or [B, 1, H] for the wanted one.
  mutating func attention(
    _ source: String, _ name: String, _ input: Operand, wanted: Int?
  ) throws(GraphError) -> Operand {
    let parts = try projections(source, name, input)
    let query = try turned(try split(parts.query, "\(name)_query"), "\(name)_query")
    let key = try turned(try split(parts.key, "\(name)_key"), "\(name)_key")
    let value = try split(parts.value, "\(name)_value")
    let context = try graph.attention(
      query: try swapped(try kept(query, "\(name)_query_kept", wanted), "\(name)_query"),
      key: try swapped(key, "\(name)_key"), value: try swapped(value, "\(name)_value"), mask: nil,
      name, shape: [batch, wanted == nil ? tokens : 1, width])
    let normed = try inner(
      blocks.innerNorms?.attention, source, context, "\(name)_context_normed")
    return try linear(
      source, blocks.attentionOutput, "\(name)_projection", normed, width, width)
  }

  // Query, key and value of every token, each [B, S, H].
  private mutating func projections(
    _ source: String, _ name: String, _ input: Operand
  ) throws(GraphError) -> (query: Operand, key: Operand, value: Operand) {
    let names = (query: "\(name)_query", key: "\(name)_key", value: "\(name)_value")
    switch blocks.attention {
    case .separate(let query, let key, let value):
      return (
        try linear(source, query, names.query, input, width, width),
        try linear(source, key, names.key, input, width, width),
        try linear(source, value, names.value, input, width, width)
      )
    case .joined(let layer):
      let all = try linear(source, layer, "\(name)_projections", input, width, 3 * width)
      return (
        try part(0, of: all, names.query), try part(1, of: all, names.key),
        try part(2, of: all, names.value)
      )
    case .joinedWithBiases(let layer, let query, let value):
      let all = try linear(source, layer, "\(name)_projections", input, width, 3 * width)
      return (
        try biased(try part(0, of: all, names.query), source + query, names.query),
        try part(1, of: all, names.key),
        try biased(try part(2, of: all, names.value), source + value, names.value)
      )
    }
  }

  // One of the three parts of every row: [B, S, 3H] → [B, S, H].
  private mutating func part(
    _ place: Int, of all: Operand, _ name: String
  ) throws(GraphError) -> Operand {
    try graph.append(
      name,
      SliceByIndex(
        all, begin: [0, 0, place * width], end: [batch, tokens, (place + 1) * width]))
  }

  private mutating func biased(
    _ rows: Operand, _ bias: String, _ name: String
  ) throws(GraphError) -> Operand {
    let weight = Operand.weight(WeightReference(TensorName(bias), [width], role: .bias))
    return try graph.append("\(name)_biased", ElementwiseBinary(.add, rows, weight))
  }

  private var headShape: [Int] { [batch, tokens, blocks.heads, width / blocks.heads] }

  // [B, S, H] → [B, S, heads, H/heads]
  private mutating func split(_ rows: Operand, _ name: String) throws(GraphError) -> Operand {
    try graph.append("\(name)_split", Reshape(rows, shape: headShape))
  }

  private mutating func turned(_ heads: Operand, _ name: String) throws(GraphError) -> Operand {
    guard let rotary else { return heads }
    return try graph.rotate(heads, name, by: rotary, shape: headShape)
  }

  // [B, S, heads, H/heads] → [B, heads, S, H/heads]
  private mutating func swapped(_ heads: Operand, _ name: String) throws(GraphError) -> Operand {
    try graph.append("\(name)_heads", Transpose(heads, permutation: [0, 2, 1, 3]))
  }

  /// One token of [B, S, …]; all of them without a wish.
  mutating func kept(
    _ states: Operand, _ name: String, _ wanted: Int?
  ) throws(GraphError) -> Operand {
    guard let wanted, let shape = graph.type(of: states)?.shape else { return states }
    return try graph.append(
      name,
      SliceByIndex(
        states, begin: [0, wanted] + shape.dropFirst(2).map { _ in 0 },
        end: [shape[0], wanted + 1] + shape.dropFirst(2)))
  }
}
