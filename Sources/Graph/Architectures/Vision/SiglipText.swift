import Weights

/// SigLIP's text encoder: every text is filled up to one length, every token sees all others, and
/// the last one gives the vector.
struct SiglipText: Sendable {
  let vocabulary: Int
  /// Rows of the table of positions, and the tokens of every text.
  let length: Int
  /// The token that fills up short texts.
  let padding: Int32
  /// Numbers of an embedding.
  let projection: Int
  let blocks: VisionBlocks
  /// The prefix of all names.
  let root: String
}

/// Writes the operations of SigLIP's text encoder for a batch size B.
struct SiglipTextGraph {
  let text: SiglipText
  let batch: Int
  var graph = GraphBuilder()

  private var width: Int { text.blocks.width }

  /// input_ids [B, length] → [B, projection], rows of length 1. The graph adds the padding that is
  /// missing, which the model sees.
  mutating func build(length: Int) throws(GraphError) -> ModelGraph {
    let ids = graph.input("input_ids", ValueType(.int32, [batch, length]))
    let words = try graph.filled(
      try graph.append("words", Gather(table, indices: ids)), with: text.padding, of: table,
      missing: text.length - length, batch: batch)
    let positions = weight("embeddings.position_embedding.weight", [text.length, width])
    let placed = try graph.append("words_placed", ElementwiseBinary(.add, words, positions))
    var blocks = VisionBlockGraph(
      blocks: text.blocks, batch: batch, tokens: text.length, rotary: nil, graph: graph)
    let last = try blocks.build(placed, wanted: text.length - 1)
    graph = blocks.graph
    return try finish(last)
  }

  private func weight(_ name: String, _ shape: [Int]) -> Operand {
    .weight(
      WeightReference(TensorName(text.root + name), shape, role: .positionTable))
  }

  private var table: Operand {
    let name = TensorName("\(text.root)embeddings.token_embedding.weight")
    return .weight(WeightReference(name, [text.vocabulary, width], role: .tokenTable))
  }

  // [B, 1, H] → [B, projection]
  private mutating func finish(_ last: Operand) throws(GraphError) -> ModelGraph {
    let normed = try graph.norm(
      last, "\(text.root)final_layer_norm", "last_normed", width: width,
      epsilon: text.blocks.epsilon)
    let row = try graph.append("last_row", Reshape(normed, shape: [batch, width]))
    let projected = try graph.linear(
      row, "\(text.root)head", "projected", inputs: width, outputs: text.projection)
    let embedding = try graph.unitRows(projected)
    return try graph.finish(output: embedding)
  }
}
