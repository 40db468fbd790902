import Weights

/// Writes DeBERTa's operations for one batch size B and length S; H is the hidden width, A the heads,
/// W the width of one.
struct DebertaV2Graph {
  let model: DebertaV2Shape
  let batch: Int
  let length: Int
  var graph = GraphBuilder()

  /// [B, S, H]
  var shape: [Int] { [batch, length, model.hidden] }

  /// The token vectors, and the mask of tokens.
  mutating func build() throws(GraphError) -> TokenStates {
    let (ids, mask) = try graph.tokens(batch: batch, length: length)
    let scoreMask = try graph.scoreMask(mask)
    var states = try embeddings(ids)
    let distances = try distances()
    for layer in 0..<model.layers {
      states = try block(layer, states, scoreMask, distances)
    }
    return TokenStates(graph: graph, states: states, mask: mask)
  }

  // Vectors of words, and of places and of segments where the model has them, summed and
  // normalised. The library also clears padding, which nothing sees.
  private mutating func embeddings(_ ids: Operand) throws(GraphError) -> Operand {
    var sum = try graph.append(
      "words", Gather(table("word_embeddings", model.vocabulary, .tokenTable), indices: ids))
    if model.addsPositions {
      let places = try graph.append(
        "position",
        SliceByIndex(
          table("position_embeddings", model.positions, .positionTable), begin: [0, 0],
          end: [length, model.hidden]))
      sum = try graph.append("words_position", ElementwiseBinary(.add, sum, places))
    }
    if model.segments > 0 {
      let segment = try graph.segment(
        table("token_type_embeddings", model.segments, .positionTable),
        types: model.readsTypes ? [batch, length] : nil, width: model.hidden)
      sum = try graph.append("words_segment", ElementwiseBinary(.add, sum, segment))
    }
    return try norm(sum, "embeddings.LayerNorm", "embeddings")
  }

  private func table(_ name: String, _ rows: Int, _ role: WeightRole) -> Operand {
    .weight(
      WeightReference(
        "\(model.prefix.text)embeddings.\(name).weight", [rows, model.hidden], role: role))
  }

  private mutating func block(
    _ layer: Int, _ input: Operand, _ mask: Operand, _ distances: Operand?
  ) throws(GraphError) -> Operand {
    let source = "encoder.layer.\(layer)", name = "layer\(layer)"
    let context = try attention("\(source).attention.self", name, input, mask, distances)
    let projected = try linear(
      context, "\(source).attention.output.dense", "\(name)_projection")
    let attended = try graph.append("\(name)_attended", ElementwiseBinary(.add, projected, input))
    let middle = try norm(attended, "\(source).attention.output.LayerNorm", "\(name)_middle")
    let prefix = model.prefix.text
    let wide = try graph.linear(
      middle, "\(prefix)\(source).intermediate.dense", "\(name)_wide", inputs: model.hidden,
      outputs: model.intermediate)
    let active = try graph.activate(model.activation, wide, "\(name)_active")
    let narrow = try graph.linear(
      active, "\(prefix)\(source).output.dense", "\(name)_narrow", inputs: model.intermediate,
      outputs: model.hidden)
    let sum = try graph.append("\(name)_sum", ElementwiseBinary(.add, narrow, middle))
    return try norm(sum, "\(source).output.LayerNorm", "\(name)_output")
  }

  /// A linear layer of the model's own width.
  mutating func linear(
    _ x: Operand, _ source: String, _ name: String
  ) throws(GraphError) -> Operand {
    try graph.linear(
      x, model.prefix.text + source, name, inputs: model.hidden, outputs: model.hidden)
  }

  /// A norm of the model's own width.
  mutating func norm(
    _ x: Operand, _ source: String, _ name: String
  ) throws(GraphError) -> Operand {
    try graph.norm(
      x, model.prefix.text + source, name, width: model.hidden, epsilon: model.epsilon)
  }
}
