import Weights

/// Grouped attention with normalised heads and rotary positions, for one batch size B and length S.
struct DecoderAttention {
  let shape: DecoderShape
  let layout: DecoderLayout
  let batch: Int
  let length: Int

  /// By what queries are multiplied beyond 1 / √W, which the attention itself divides by.
  private var queryFactor: Float {
    Float((Double(shape.headWidth) / layout.queryScalar).squareRoot())
  }

  /// From normalised token vectors to what is added to the residual stream: [B, S, H] → [B, S, H].
  ///
  /// - Parameters:
  ///   - source: prefix of the layer's names, without that of the checkpoint.
  ///   - mask: added to the scores.
  func write(
    _ x: Operand, _ source: String, _ name: String, mask: Operand, by table: RotaryTable,
    to graph: inout GraphBuilder
  ) throws(GraphError) -> Operand {
    let part = Part(source: "\(shape.prefix.text)\(source).self_attn", name: name, table: table)
    var query = try heads(x, part, "query", shape.heads, &graph)
    if queryFactor != 1 {
      query = try graph.append(
        "\(name)_query_scaled", ElementwiseBinary(.mul, query, .literal(.float(queryFactor))))
    }
    let key = try heads(x, part, "key", shape.keyHeads, &graph)
    let value = try heads(x, part, "value", shape.keyHeads, &graph)
    let inner = shape.heads * shape.headWidth
    let context = try graph.attention(
      query: query, key: key, value: value, mask: mask, name, shape: [batch, length, inner])
    return try graph.linear(
      context, "\(part.source).o_proj", "\(name)_projection", inputs: inner, outputs: shape.hidden,
      hasBias: shape.hasBias)
  }

  private struct Part {
    let source: String
    let name: String
    let table: RotaryTable
  }

  /// The heads of queries, keys or values, as many as there are of queries: [B, A, S, W].
  private func heads(
    _ x: Operand, _ part: Part, _ kind: String, _ count: Int, _ graph: inout GraphBuilder
  ) throws(GraphError) -> Operand {
    let name = "\(part.name)_\(kind)", letter = kind.prefix(1)
    let width = shape.headWidth
    let projected = try graph.linear(
      x, "\(part.source).\(letter)_proj", name, inputs: shape.hidden, outputs: count * width,
      hasBias: shape.hasBias)
    let split = [batch, length, count, width]
    var heads = try graph.append("\(name)_split", Reshape(projected, shape: split))
    if kind != "value" {
      heads = try graph.rmsNorm(
        heads, gain: "\(part.source).\(letter)_norm.weight", "\(name)_norm",
        epsilon: shape.epsilon, offset: layout.isGemma ? 1 : 0)
      heads = try graph.rotate(heads, name, by: part.table, shape: split)
    }
    let swapped = try graph.append(
      "\(name)_heads", Transpose(heads, permutation: [0, 2, 1, 3]))
    return try graph.repeated(
      swapped, name, count: shape.heads / count, shape: [batch, count, length, width])
  }
}
