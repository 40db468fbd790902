import Weights

/// Writes a transformer like BERT for one batch size B and length S, up to the token vectors; H is
/// the hidden width, A the heads.
struct PostNormGraph {
  let shape: PostNormShape
  let batch: Int
  let length: Int
  var graph = GraphBuilder()

  /// The token vectors, and the mask of tokens.
  mutating func build() throws(GraphError) -> TokenStates {
    let (ids, mask) = try graph.tokens(batch: batch, length: length)
    var scoreMask = try graph.scoreMask(mask)
    if let distances = shape.distances {
      scoreMask = try biased(scoreMask, by: distances)
    }
    var states = try embeddings(ids)
    for (layer, source) in shape.blocks.enumerated() {
      states = try block(source, "layer\(layer)", states, scoreMask)
    }
    return TokenStates(graph: graph, states: states, mask: mask)
  }

  private func weight(_ name: String, _ shape: [Int], _ role: WeightRole) -> Operand {
    .weight(WeightReference("\(self.shape.prefix.text)\(name)", shape, role: role))
  }

  private func table(_ name: String, rows: Int, _ role: WeightRole = .positionTable) -> Operand {
    weight("embeddings.\(name).weight", [rows, shape.tableWidth], role)
  }

  // Word, segment and position vectors, summed and normalised: [B, S, H].
  private mutating func embeddings(_ ids: Operand) throws(GraphError) -> Operand {
    var sum = try graph.append(
      "words",
      Gather(table("word_embeddings", rows: shape.vocabulary, .tokenTable), indices: ids))
    var segment: Operand?
    if let segments = shape.segments {
      segment = try graph.segment(
        table("token_type_embeddings", rows: segments),
        types: shape.readsTypes ? [batch, length] : nil, width: shape.tableWidth)
    }
    let position = try positions(ids)
    if let segment {
      sum = try graph.append("words_segment", ElementwiseBinary(.add, sum, segment))
    }
    let placed = try graph.append("embeddings", ElementwiseBinary(.add, sum, position))
    let even = try norm("embeddings.LayerNorm", placed, "embeddings_norm", shape.tableWidth)
    guard let projection = shape.projection else { return even }
    return try linear(projection, "embeddings_projected", even, shape.tableWidth, shape.hidden)
  }

  // The vectors of the positions: [S, width], or [B, S, width] where they depend on the tokens.
  private mutating func positions(_ ids: Operand) throws(GraphError) -> Operand {
    let table = table("position_embeddings", rows: shape.positions)
    guard let padding = shape.padding else {
      return try graph.append(
        "position", SliceByIndex(table, begin: [0, 0], end: [length, shape.tableWidth]))
    }
    return try graph.append("position", Gather(table, indices: try places(ids, padding)))
  }

  // A token's position is the padding's own plus the number of tokens up to it that are no padding;
  // that of the padding, wherever it comes, is its own: [B, S].
  private mutating func places(_ ids: Operand, _ padding: Int) throws(GraphError) -> Operand {
    let own = Operand.literal(.integers([Int32(clamping: padding)], shape: []))
    let isPadding = try graph.append("is_padding", Comparison(.equal, ids, own))
    let paddings = try graph.append("paddings", Cast(isPadding, to: .int32))
    let tokens = try graph.append(
      "tokens", ElementwiseBinary(.sub, .literal(.integers([1], shape: [])), paddings))
    let count = try graph.append("token_count", CumulativeSum(tokens, axis: 1))
    let counted = try graph.append("tokens_counted", ElementwiseBinary(.mul, count, tokens))
    return try graph.append("places", ElementwiseBinary(.add, counted, own))
  }

  private mutating func block(
    _ source: String, _ name: String, _ input: Operand, _ scoreMask: Operand
  ) throws(GraphError) -> Operand {
    let names = shape.block, hidden = shape.hidden
    let context = try attention(source, name, input, scoreMask)
    let projected = try linear(
      "\(source).\(names.projection)", "\(name)_projection", context, hidden, hidden)
    let attended = try graph.append(
      "\(name)_attended", ElementwiseBinary(.add, projected, input))
    let middle = try norm("\(source).\(names.attentionNorm)", attended, "\(name)_middle", hidden)
    let wide = try linear(
      "\(source).\(names.wide)", "\(name)_wide", middle, hidden, shape.intermediate)
    let active = try graph.activate(shape.activation, wide, "\(name)_active")
    let narrow = try linear(
      "\(source).\(names.narrow)", "\(name)_narrow", active, shape.intermediate, hidden)
    let sum = try graph.append("\(name)_sum", ElementwiseBinary(.add, narrow, middle))
    return try norm("\(source).\(names.outputNorm)", sum, "\(name)_output", hidden)
  }

  private mutating func attention(
    _ source: String, _ name: String, _ input: Operand, _ scoreMask: Operand
  ) throws(GraphError) -> Operand {
    let query = try heads("\(source).\(shape.block.query)", "\(name)_query", input)
    let key = try heads("\(source).\(shape.block.key)", "\(name)_key", input)
    let value = try heads("\(source).\(shape.block.value)", "\(name)_value", input)
    return try graph.attention(
      query: query, key: key, value: value, mask: scoreMask, name,
      shape: [batch, length, shape.hidden])
  }

  // [B, S, H] → [B, A, S, H/A]
  private mutating func heads(
    _ source: String, _ name: String, _ input: Operand
  ) throws(GraphError) -> Operand {
    let projected = try linear(source, name, input, shape.hidden, shape.hidden)
    return try graph.splitHeads(
      projected, name, shape: [batch, length, shape.hidden], heads: shape.heads)
  }

  private mutating func linear(
    _ source: String, _ name: String, _ input: Operand, _ inputs: Int, _ outputs: Int
  ) throws(GraphError) -> Operand {
    try graph.linear(input, shape.prefix.text + source, name, inputs: inputs, outputs: outputs)
  }

  private mutating func norm(
    _ source: String, _ input: Operand, _ name: String, _ width: Int
  ) throws(GraphError) -> Operand {
    let prefix = shape.prefix.text
    return try graph.norm(
      input, gain: TensorName(prefix + shape.norms.gain(of: source)),
      shift: TensorName(prefix + shape.norms.shift(of: source)), name, width: width,
      epsilon: shape.epsilon)
  }
}
