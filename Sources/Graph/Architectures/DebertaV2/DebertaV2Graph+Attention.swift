import Weights

// Disentangled attention. The scores of content and content are those of common attention; what
// distances add is a mask for it, [B, A, S, S].
extension DebertaV2Graph {
  private var width: Int { model.hidden / model.heads }

  /// The rows of the table of distances that a text of this length needs, [rows, H]; nil where
  /// tokens meet by content alone.
  mutating func distances() throws(GraphError) -> Operand? {
    guard let relative = model.relative, !relative.kinds.isEmpty else { return nil }
    let table = WeightReference(
      "\(model.prefix.text)encoder.rel_embeddings.weight",
      [2 * relative.buckets.span, model.hidden], role: .positionTable)
    let rows = TextDistances(relative.buckets, length: length).rows.map { Int32($0) }
    let used = try graph.append(
      "distances",
      Gather(.weight(table), indices: .literal(.integers(rows, shape: [rows.count]))))
    return relative.normalises ? try norm(used, "encoder.LayerNorm", "distances_norm") : used
  }

  /// Attention of one layer: [B, S, H] → [B, S, H].
  mutating func attention(
    _ source: String, _ name: String, _ input: Operand, _ mask: Operand, _ distances: Operand?
  ) throws(GraphError) -> Operand {
    let projected = try linear(input, "\(source).query_proj", "\(name)_query")
    let share = Operand.literal(.float(1 / Float(model.parts).squareRoot()))
    let query = try heads(
      model.parts == 1
        ? projected
        : try graph.append("\(name)_query_shared", ElementwiseBinary(.mul, projected, share)),
      "\(name)_query")
    let key = try heads(
      try linear(input, "\(source).key_proj", "\(name)_key"), "\(name)_key")
    let value = try heads(
      try linear(input, "\(source).value_proj", "\(name)_value"), "\(name)_value")
    var scores = mask
    if let relative = model.relative, let distances {
      for kind in relative.kinds {
        let part = try part(
          kind, kind == .contentToPosition ? query : key, distances, relative, source, name)
        scores = try graph.append(
          "\(name)_\(kind.rawValue)_mask", ElementwiseBinary(.add, part, scores))
      }
    }
    return try graph.attention(
      query: query, key: key, value: value, mask: scores, name, shape: shape)
  }

  private mutating func heads(_ x: Operand, _ name: String) throws(GraphError) -> Operand {
    try graph.splitHeads(x, name, shape: shape, heads: model.heads)
  }

  // What one kind adds to the scores: the product of contents with the vectors of all distances,
  // [B, A, S, 2S − 1], and of these for each pair of tokens the one of their distance.
  private mutating func part(
    _ kind: DisentangledAttention.Kind, _ contents: Operand, _ distances: Operand,
    _ relative: DisentangledAttention, _ source: String, _ name: String
  ) throws(GraphError) -> Operand {
    let name = "\(name)_\(kind.rawValue)"
    let vectors = try vectors(kind, distances, relative, source, name)
    let products = try graph.append(
      "\(name)_products", Matmul(contents, vectors, transposeY: true))
    let skewed = try skewed(products, name)
    guard kind == .positionToContent else { return skewed }
    return try graph.append("\(name)_scores", Transpose(skewed, permutation: [0, 1, 3, 2]))
  }

  // The projected vectors of the distances −(S − 1)...S − 1, [1, A, 2S − 1, W], over the root that
  // divides scores. The query has its share of it; so have not the keys.
  private mutating func vectors(
    _ kind: DisentangledAttention.Kind, _ distances: Operand, _ relative: DisentangledAttention,
    _ source: String, _ name: String
  ) throws(GraphError) -> Operand {
    let isFromContent = kind == .contentToPosition
    let own = isFromContent ? "pos_key_proj" : "pos_query_proj"
    let shared = isFromContent ? "key_proj" : "query_proj"
    let projected = try linear(
      distances, "\(source).\(relative.sharesProjections ? shared : own)", "\(name)_distances")
    let divisor = Float(width * (isFromContent ? 1 : model.parts)).squareRoot()
    let scaled = try graph.append(
      "\(name)_scaled", ElementwiseBinary(.mul, projected, .literal(.float(1 / divisor))))
    // Columns are skewed to the other token's place: for a query by falling, for a key by rising
    // distance.
    let rising = TextDistances(relative.buckets, length: length).places.map { Int32($0) }
    let places = isFromContent ? rising.reversed() : rising
    let spread = try graph.append(
      "\(name)_spread",
      Gather(scaled, indices: .literal(.integers(places, shape: [places.count]))))
    return try graph.splitHeads(
      spread, "\(name)_distances", shape: [1, places.count, model.hidden], heads: model.heads)
  }

  // Row i of [B, A, S, 2S − 1] from column S − 1 − i on: [B, A, S, S]. With one more column, rows
  // that are one shorter than they were begin one column later each.
  private mutating func skewed(_ x: Operand, _ name: String) throws(GraphError) -> Operand {
    let all = [batch, model.heads], count = 2 * length - 1
    let column = try graph.append(
      "\(name)_column",
      SliceByIndex(x, begin: [0, 0, 0, 0], end: all + [length, 1]))
    let wide = try graph.append("\(name)_padded", Concat([x, column], axis: 3))
    let flat = try graph.append(
      "\(name)_flat", Reshape(wide, shape: all + [length * (count + 1)]))
    let cut = try graph.append(
      "\(name)_cut", SliceByIndex(flat, begin: [0, 0, 0], end: all + [length * count]))
    let rows = try graph.append("\(name)_rows", Reshape(cut, shape: all + [length, count]))
    return try graph.append(
      "\(name)_skewed",
      SliceByIndex(rows, begin: [0, 0, 0, length - 1], end: all + [length, count]))
  }
}
