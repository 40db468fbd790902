import Weights

/// Writes BERT's operations for one batch size B and length S; H is the hidden width, A the heads.
struct BertGraph {
  let bert: Bert
  let batch: Int
  let length: Int
  var graph = GraphBuilder()

  private var shape: BertShape { bert.shape }

  init(bert: Bert, batch: Int, length: Int) {
    self.bert = bert
    self.batch = batch
    self.length = length
  }

  mutating func build() throws(GraphError) -> ModelGraph {
    let ids = graph.input("input_ids", ValueType(.int32, [batch, length]))
    let mask = graph.input("attention_mask", ValueType(.int32, [batch, length]))
    let floatMask = try graph.append("mask", Cast(mask, to: .float32))
    let scoreMask = try graph.scoreMask(floatMask)
    var states = try embeddings(ids)
    for layer in 0..<shape.layers {
      states = try block(layer, states, scoreMask)
    }
    var end = SentenceGraph(bert.sentence, behind: graph, batch: batch, length: length)
    return try end.finish(states, floatMask)
  }

  private func weight(_ name: String, _ shape: [Int], _ role: WeightRole) -> Operand {
    .weight(WeightReference("\(bert.shape.names.prefix)\(name)", shape, role: role))
  }

  // Word, segment 0 and position vectors, summed and normalised: [B, S, H].
  private mutating func embeddings(_ ids: Operand) throws(GraphError) -> Operand {
    let hidden = shape.hidden
    let words = try graph.append(
      "words",
      Gather(
        weight("embeddings.word_embeddings.weight", [shape.vocabulary, hidden], .tokenTable),
        indices: ids))
    let segment = try graph.append(
      "segment",
      SliceByIndex(
        weight(
          "embeddings.token_type_embeddings.weight", [shape.segments, hidden], .positionTable),
        begin: [0, 0], end: [1, hidden]))
    let position = try graph.append(
      "position",
      SliceByIndex(
        weight("embeddings.position_embeddings.weight", [shape.positions, hidden], .positionTable),
        begin: [0, 0], end: [length, hidden]))
    let typed = try graph.append("words_segment", ElementwiseBinary(.add, words, segment))
    let placed = try graph.append("embeddings", ElementwiseBinary(.add, typed, position))
    return try norm("embeddings.LayerNorm", placed, "embeddings_norm")
  }

  private mutating func block(
    _ layer: Int, _ input: Operand, _ scoreMask: Operand
  ) throws(GraphError) -> Operand {
    let source = "encoder.layer.\(layer)", name = "layer\(layer)"
    let context = try attention("\(source).attention.self", name, input, scoreMask)
    let projected = try linear(
      "\(source).attention.output.dense", "\(name)_projection", context, shape.hidden, shape.hidden)
    let attended = try graph.append(
      "\(name)_attended", ElementwiseBinary(.add, projected, input))
    let middle = try norm("\(source).attention.output.LayerNorm", attended, "\(name)_middle")
    let wide = try linear(
      "\(source).intermediate.dense", "\(name)_wide", middle, shape.hidden, shape.intermediate)
    let active = try graph.activate(shape.activation, wide, "\(name)_active")
    let narrow = try linear(
      "\(source).output.dense", "\(name)_narrow", active, shape.intermediate, shape.hidden)
    let sum = try graph.append("\(name)_sum", ElementwiseBinary(.add, narrow, middle))
    return try norm("\(source).output.LayerNorm", sum, "\(name)_output")
  }

  private mutating func attention(
    _ source: String, _ name: String, _ input: Operand, _ scoreMask: Operand
  ) throws(GraphError) -> Operand {
    let query = try heads("\(source).query", "\(name)_query", input)
    let key = try heads("\(source).key", "\(name)_key", input)
    let value = try heads("\(source).value", "\(name)_value", input)
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
    try graph.linear(input, shape.names.prefix + source, name, inputs: inputs, outputs: outputs)
  }

  private mutating func norm(
    _ source: String, _ input: Operand, _ name: String
  ) throws(GraphError) -> Operand {
    let prefix = shape.names.prefix
    return try graph.norm(
      input, gain: TensorName(prefix + shape.names.gain(of: source)),
      shift: TensorName(prefix + shape.names.shift(of: source)), name, width: shape.hidden,
      epsilon: shape.epsilon)
  }
}
