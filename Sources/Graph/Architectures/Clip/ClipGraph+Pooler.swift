import Weights

// Attention of learnt queries to the tokens of an image, as OpenCLIP's CoCa has it.
extension ClipGraph {
  private static let root = "visual.attn_pool"

  /// The vectors of those queries that count: [B, S, H] → [B, queries, projection]. With the class
  /// token's pooling that is the first one, with the mean all others.
  mutating func attend(
    _ states: Operand, _ pooler: ClipEncoder.Image.Pooler, _ image: ClipEncoder.Image, tokens: Int
  ) throws(GraphError) -> Operand {
    let out = clip.projection
    let normed = try norm("\(Self.root).ln_k", states, "pool_states", width: width, epsilon: 1e-5)
    let (query, count) = try queries(pooler, image)
    let parts = try projections(query, normed, tokens: tokens, count: count)
    func heads(_ rows: Operand, _ name: String, _ rowCount: Int) throws(GraphError) -> Operand {
      try graph.splitHeads(rows, name, shape: [batch, rowCount, out], heads: pooler.heads)
    }
    let context = try graph.attention(
      query: try heads(parts.query, "pool_query", count),
      key: try heads(parts.key, "pool_key", tokens),
      value: try heads(parts.value, "pool_value", tokens), mask: nil, "pool",
      shape: [batch, count, out])
    return try linear("\(Self.root).attn.out_proj", "pool_projection", context, out, out)
  }

  /// The last norm of all queries' vectors, and one of them, or their mean, projected.
  mutating func finish(
    attended: Operand, _ image: ClipEncoder.Image
  ) throws(GraphError) -> ModelGraph {
    let out = clip.projection
    let normed = try norm(clip.names.lastNorm, attended, "pool_norm", width: out)
    let row =
      image.pooling == .mean
      ? try graph.append("pooled", Reduce(.mean, normed, axis: 1, keepsAxis: false))
      : try graph.append("pooled", Reshape(normed, shape: [batch, out]))
    return try finish(normed: row, width: out)
  }

  // The learnt queries that count, for every image: [B, count, projection].
  private mutating func queries(
    _ pooler: ClipEncoder.Image.Pooler, _ image: ClipEncoder.Image
  ) throws(GraphError) -> (Operand, Int) {
    let out = clip.projection, isMean = image.pooling == .mean
    let places = isMean ? 1..<pooler.queries : 0..<1
    let all = weight("\(Self.root).query", [1, pooler.queries, out], .positionTable)
    let own = try graph.append(
      "pool_queries",
      SliceByIndex(all, begin: [0, places.lowerBound, 0], end: [1, places.upperBound, out]))
    let normed = try norm("\(Self.root).ln_q", own, "pool_queries_norm", width: out, epsilon: 1e-5)
    let tiled = try graph.append("pool_queries_all", Tile(normed, repetitions: [batch, 1, 1]))
    return (tiled, places.count)
  }

  // Query, key and value, each [B, .., projection]. One matrix has the rows of all three where
  // tokens are as wide as the vectors that come out.
  private mutating func projections(
    _ query: Operand, _ states: Operand, tokens: Int, count: Int
  ) throws(GraphError) -> (query: Operand, key: Operand, value: Operand) {
    guard width == clip.projection else {
      return (
        try separate("q", 0, query, "pool_query", clip.projection),
        try separate("k", 1, states, "pool_key", width),
        try separate("v", 2, states, "pool_value", width)
      )
    }
    let own = try joined(query, "pool_queries"), all = try joined(states, "pool_states")
    return (
      try third(0, of: own, "pool_query", rows: count),
      try third(1, of: all, "pool_key", rows: tokens),
      try third(2, of: all, "pool_value", rows: tokens)
    )
  }

  private mutating func separate(
    _ letter: String, _ place: Int, _ x: Operand, _ name: String, _ inputs: Int
  ) throws(GraphError) -> Operand {
    let out = clip.projection
    let matrix = weight(
      TensorName("\(Self.root).attn.\(letter)_proj_weight"), [out, inputs], .matrix(outputAxis: 0))
    let rows = try graph.append("\(name)_plain", Linear(x, weight: matrix, bias: nil))
    let biases = weight("\(Self.root).attn.in_proj_bias", [3 * out], .bias)
    let bias = try graph.append(
      "\(name)_bias", SliceByIndex(biases, begin: [place * out], end: [(place + 1) * out]))
    return try graph.append(name, ElementwiseBinary(.add, rows, bias))
  }

  private mutating func joined(_ x: Operand, _ name: String) throws(GraphError) -> Operand {
    try graph.append(
      "\(name)_projections",
      Linear(
        x,
        weight: weight(
          "\(Self.root).attn.in_proj_weight", [3 * width, width], .matrix(outputAxis: 0)),
        bias: weight("\(Self.root).attn.in_proj_bias", [3 * width], .bias)))
  }

  private mutating func third(
    _ place: Int, of all: Operand, _ name: String, rows: Int
  ) throws(GraphError) -> Operand {
    try graph.append(
      name,
      SliceByIndex(
        all, begin: [0, 0, place * width], end: [batch, rows, (place + 1) * width]))
  }
}
