import Weights

/// Writes the operations of a Jina BERT for one batch size B and length S, up to the token vectors; H
/// is the hidden width, A the heads.
struct JinaBertGraph {
  let model: JinaBertShape
  let batch: Int
  let length: Int
  var graph = GraphBuilder()

  private var shape: [Int] { [batch, length, model.hidden] }

  /// The token vectors, and the mask of tokens.
  mutating func build() throws(GraphError) -> TokenStates {
    let (ids, mask) = try graph.tokens(batch: batch, length: length)
    let scoreMask = try graph.append(
      "distance_mask", ElementwiseBinary(.add, try graph.scoreMask(mask), try falloff()))
    var states = try embeddings(ids)
    for layer in 0..<model.layers { states = try block(layer, states, scoreMask) }
    return TokenStates(graph: graph, states: states, mask: mask)
  }

  // The distance of every pair of tokens times each head's slope: [1, A, S, S].
  private mutating func falloff() throws(GraphError) -> Operand {
    let places = (0..<length).map(Float.init)
    let rows = Operand.literal(.floats(places, shape: [length, 1]))
    let columns = Operand.literal(.floats(places, shape: [1, length]))
    let behind = try graph.append("behind", ElementwiseBinary(.sub, rows, columns))
    let ahead = try graph.append("ahead", ElementwiseBinary(.sub, columns, rows))
    let distance = try graph.append("distance", ElementwiseBinary(.maximum, behind, ahead))
    let slopes = Operand.literal(.floats(model.slopes, shape: [1, model.heads, 1, 1]))
    return try graph.append("falloff", ElementwiseBinary(.mul, distance, slopes))
  }

  // Summed and normalised: [B, S, H].
  private mutating func embeddings(_ ids: Operand) throws(GraphError) -> Operand {
    let sum = try graph.wordsAndSegment(
      ids, "\(model.prefix.text)embeddings", vocabulary: model.vocabulary,
      segments: model.segments, hidden: model.hidden)
    return try norm(sum, "embeddings.LayerNorm", "embeddings")
  }

  private mutating func block(
    _ layer: Int, _ input: Operand, _ mask: Operand
  ) throws(GraphError) -> Operand {
    let source = "encoder.layer.\(layer)", name = "layer\(layer)"
    let middle = try attended(source, name, input, mask)
    let gated = try graph.gatedUnit(
      middle, "\(model.prefix.text)\(source).\(model.block.gated)", name, model.activation,
      shape: shape, inner: model.intermediate, activatesFirst: model.block.activatesFirst,
      hasBias: false)
    let narrow = try graph.linear(
      gated, "\(model.prefix.text)\(source).\(model.block.narrow)", "\(name)_narrow",
      inputs: model.intermediate, outputs: model.hidden)
    return try sumAndNorm(narrow, middle, "\(source).\(model.block.norm)", "\(name)_output")
  }

  // [B, S, H] → [B, S, H]
  private mutating func attended(
    _ source: String, _ name: String, _ input: Operand, _ mask: Operand
  ) throws(GraphError) -> Operand {
    let query = try heads("\(source).attention.self", "query", name, input)
    let key = try heads("\(source).attention.self", "key", name, input)
    let value = try heads("\(source).attention.self", "value", name, input)
    let context = try graph.attention(
      query: query, key: key, value: value, mask: mask, name, shape: shape)
    let projected = try linear(context, "\(source).attention.output.dense", "\(name)_projection")
    let middle = try sumAndNorm(
      projected, input, "\(source).attention.output.LayerNorm", "\(name)_middle")
    guard model.block.normsQueries else { return middle }
    return try sumAndNorm(input, middle, "\(source).layer_norm_1", "\(name)_middle_again")
  }

  // [B, S, H] → [B, A, S, H/A]
  private mutating func heads(
    _ source: String, _ part: String, _ name: String, _ input: Operand
  ) throws(GraphError) -> Operand {
    var projected = try linear(input, "\(source).\(part)", "\(name)_\(part)")
    if model.block.normsQueries, part != "value" {
      projected = try norm(
        projected, "\(source).layer_norm_\(part.prefix(1))", "\(name)_\(part)_norm")
    }
    return try graph.splitHeads(projected, "\(name)_\(part)", shape: shape, heads: model.heads)
  }

  // MARK: Layers

  private mutating func linear(
    _ x: Operand, _ source: String, _ name: String
  ) throws(GraphError) -> Operand {
    try graph.linear(
      x, model.prefix.text + source, name, inputs: model.hidden, outputs: model.hidden)
  }

  private mutating func sumAndNorm(
    _ x: Operand, _ residual: Operand, _ source: String, _ name: String
  ) throws(GraphError) -> Operand {
    let sum = try graph.append("\(name)_sum", ElementwiseBinary(.add, x, residual))
    return try norm(sum, source, name)
  }

  private mutating func norm(
    _ x: Operand, _ source: String, _ name: String
  ) throws(GraphError) -> Operand {
    try graph.norm(
      x, model.prefix.text + source, name, width: model.hidden, epsilon: model.epsilon)
  }
}
