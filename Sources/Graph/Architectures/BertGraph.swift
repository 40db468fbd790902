/// Writes BERT's operations for one batch size B and length S; H is the hidden width, A the heads.
struct BertGraph {
  private let bert: Bert
  private let batch: Int
  private let length: Int
  private var graph = GraphBuilder()

  init(bert: Bert, batch: Int, length: Int) {
    self.bert = bert
    self.batch = batch
    self.length = length
  }

  mutating func build() throws(GraphError) -> ModelGraph {
    let ids = graph.input("input_ids", ValueType(.int32, [batch, length]))
    let mask = graph.input("attention_mask", ValueType(.int32, [batch, length]))
    let floatMask = try graph.append("mask", Cast(mask, to: .float32))
    let scoreMask = try self.scoreMask(floatMask)
    var states = try embeddings(ids)
    for layer in 0..<bert.layers {
      states = try block(layer, states, scoreMask)
    }
    var sentence = try pool(states, floatMask)
    if bert.normalises { sentence = try graph.unitRows(sentence) }
    return try graph.finish(output: sentence)
  }

  private func weight(_ name: String, _ shape: [Int], _ role: WeightRole) -> Operand {
    .weight(WeightReference(bert.prefix + name, shape, role: role))
  }

  // Word, segment 0 and position vectors, summed and normalised: [B, S, H].
  private mutating func embeddings(_ ids: Operand) throws(GraphError) -> Operand {
    let hidden = bert.hidden
    let words = try graph.append(
      "words",
      Gather(
        weight("embeddings.word_embeddings.weight", [bert.vocabulary, hidden], .tokenTable),
        indices: ids))
    let segment = try graph.append(
      "segment",
      SliceByIndex(
        weight("embeddings.token_type_embeddings.weight", [bert.segments, hidden], .positionTable),
        begin: [0, 0], end: [1, hidden]))
    let position = try graph.append(
      "position",
      SliceByIndex(
        weight("embeddings.position_embeddings.weight", [bert.positions, hidden], .positionTable),
        begin: [0, 0], end: [length, hidden]))
    let typed = try graph.append("words_segment", ElementwiseBinary(.add, words, segment))
    let placed = try graph.append("embeddings", ElementwiseBinary(.add, typed, position))
    return try norm("embeddings.LayerNorm", placed, "embeddings_norm")
  }

  // 0 where a token is, −10000 where padding is: [B, 1, 1, S]. Finite, so that it survives FP16.
  private mutating func scoreMask(_ mask: Operand) throws(GraphError) -> Operand {
    let wide = try graph.append("mask_wide", ExpandDims(mask, axes: [1, 2]))
    let inverse = try graph.append(
      "mask_inverse", ElementwiseBinary(.sub, .literal(.float(1)), wide))
    return try graph.append(
      "score_mask", ElementwiseBinary(.mul, inverse, .literal(.float(-10000))))
  }

  private mutating func block(
    _ layer: Int, _ input: Operand, _ scoreMask: Operand
  ) throws(GraphError) -> Operand {
    let source = "encoder.layer.\(layer)", name = "layer\(layer)"
    let context = try attention("\(source).attention.self", name, input, scoreMask)
    let projected = try linear(
      "\(source).attention.output.dense", "\(name)_projection", context, bert.hidden, bert.hidden)
    let attended = try graph.append(
      "\(name)_attended", ElementwiseBinary(.add, projected, input))
    let middle = try norm("\(source).attention.output.LayerNorm", attended, "\(name)_middle")
    let wide = try linear(
      "\(source).intermediate.dense", "\(name)_wide", middle, bert.hidden, bert.intermediate)
    let active = try activate(wide, "\(name)_active")
    let narrow = try linear(
      "\(source).output.dense", "\(name)_narrow", active, bert.intermediate, bert.hidden)
    let sum = try graph.append("\(name)_sum", ElementwiseBinary(.add, narrow, middle))
    return try norm("\(source).output.LayerNorm", sum, "\(name)_output")
  }

  private mutating func attention(
    _ source: String, _ name: String, _ input: Operand, _ scoreMask: Operand
  ) throws(GraphError) -> Operand {
    let query = try heads("\(source).query", "\(name)_query", input)
    let key = try heads("\(source).key", "\(name)_key", input)
    let value = try heads("\(source).value", "\(name)_value", input)
    let context = try graph.append(
      "\(name)_context",
      ScaledDotProductAttention(query: query, key: key, value: value, mask: scoreMask))
    let swapped = try graph.append(
      "\(name)_context_swapped", Transpose(context, permutation: [0, 2, 1, 3]))
    return try graph.append(
      "\(name)_context_joined", Reshape(swapped, shape: [batch, length, bert.hidden]))
  }

  // [B, S, H] → [B, A, S, H/A]
  private mutating func heads(
    _ source: String, _ name: String, _ input: Operand
  ) throws(GraphError) -> Operand {
    let projected = try linear(source, name, input, bert.hidden, bert.hidden)
    return try graph.splitHeads(
      projected, name, shape: [batch, length, bert.hidden], heads: bert.heads)
  }

  private mutating func linear(
    _ source: String, _ name: String, _ input: Operand, _ inputs: Int, _ outputs: Int
  ) throws(GraphError) -> Operand {
    try graph.append(
      name,
      Linear(
        input, weight: weight("\(source).weight", [outputs, inputs], .matrix(outputAxis: 0)),
        bias: weight("\(source).bias", [outputs], .bias)))
  }

  private mutating func norm(
    _ source: String, _ input: Operand, _ name: String
  ) throws(GraphError) -> Operand {
    try graph.append(
      name,
      LayerNorm(
        input, gamma: weight("\(source).weight", [bert.hidden], .norm),
        beta: weight("\(source).bias", [bert.hidden], .norm), epsilon: bert.epsilon))
  }

  private mutating func activate(_ input: Operand, _ name: String) throws(GraphError) -> Operand {
    switch bert.activation {
    case .gelu(let mode): try graph.append(name, Gelu(input, mode: mode))
    case .relu: try graph.append(name, ElementwiseUnary(.relu, input))
    }
  }

  // [B, S, H] → [B, H]
  private mutating func pool(_ states: Operand, _ mask: Operand) throws(GraphError) -> Operand {
    switch bert.pooling {
    case .firstToken:
      return try graph.append(
        "first_token",
        SliceByIndex(
          states, begin: [0, 0, 0], end: [batch, 1, bert.hidden], squeezedAxes: [1]))
    case .mean:
      let wide = try graph.append("pool_mask", ExpandDims(mask, axes: [2]))
      let kept = try graph.append("pool_kept", ElementwiseBinary(.mul, states, wide))
      let sum = try graph.append("pool_sum", Reduce(.sum, kept, axis: 1, keepsAxis: false))
      let count = try graph.append("pool_count", Reduce(.sum, mask, axis: 1, keepsAxis: true))
      let divisor = try graph.append(
        "pool_divisor", ElementwiseBinary(.maximum, count, .literal(.float(1e-9))))
      return try graph.append("pool_mean", ElementwiseBinary(.realDivision, sum, divisor))
    case .maximum:
      let wide = try graph.append("pool_mask", ExpandDims(mask, axes: [2]))
      let isToken = try graph.append("pool_is_token", Cast(wide, to: .bool))
      let kept = try graph.append(
        "pool_kept", Select(isToken, states, else: .literal(.float(-10000))))
      return try graph.append("pool_maximum", Reduce(.max, kept, axis: 1, keepsAxis: false))
    }
  }
}
