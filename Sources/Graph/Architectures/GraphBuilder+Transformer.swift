import Weights

// Parts that the graphs of several transformers share.
extension GraphBuilder {
  /// The vector of segment 0, [1, H], or, of types, that of each token, [B, S, H].
  ///
  /// - Parameters:
  ///   - table: one row per segment.
  ///   - shape: [B, S] of an input `token_type_ids`; nil where every token is of segment 0.
  ///   - width: H.
  mutating func segment(
    _ table: Operand, types shape: [Int]?, width: Int
  ) throws(GraphError) -> Operand {
    guard let shape else {
      return try append("segment", SliceByIndex(table, begin: [0, 0], end: [1, width]))
    }
    let types = input("token_type_ids", ValueType(.int32, shape))
    return try append("segment", Gather(table, indices: types))
  }

  /// The vectors of tokens, and those of their segments added where the model has segments: ids
  /// [B, S] → [B, S, H].
  ///
  /// - Parameters:
  ///   - source: prefix of the tables' names.
  ///   - segments: rows of the table of segments; 0 for a model without it.
  ///   - types: [B, S] of an input of types; nil where every token is of segment 0.
  ///   - hidden: H.
  mutating func wordsAndSegment(
    _ ids: Operand, _ source: String, vocabulary: Int, segments: Int, types: [Int]? = nil,
    hidden: Int
  ) throws(GraphError) -> Operand {
    let table = WeightReference(
      "\(source).word_embeddings.weight", [vocabulary, hidden], role: .tokenTable)
    let words = try append("words", Gather(.weight(table), indices: ids))
    guard segments > 0 else { return words }
    let kinds = WeightReference(
      "\(source).token_type_embeddings.weight", [segments, hidden], role: .positionTable)
    let segment = try segment(.weight(kinds), types: types, width: hidden)
    return try append("words_segment", ElementwiseBinary(.add, words, segment))
  }

  /// The inputs of an encoder of texts: ids of tokens, and 1 where a token is, 0 where padding is, as
  /// float32; [B, S] each.
  mutating func tokens(
    batch: Int, length: Int
  ) throws(GraphError) -> (ids: Operand, mask: Operand) {
    let ids = input("input_ids", ValueType(.int32, [batch, length]))
    let mask = input("attention_mask", ValueType(.int32, [batch, length]))
    return (ids, try append("mask", Cast(mask, to: .float32)))
  }

  /// The heads of each token side by side: [B, S, H] → [B, heads, S, H/heads].
  ///
  /// - Parameters:
  ///   - name: prefix of the values' names.
  ///   - shape: [B, S, H].
  mutating func splitHeads(
    _ x: Operand, _ name: String, shape: [Int], heads: Int
  ) throws(GraphError) -> Operand {
    let split = try append(
      "\(name)_split", Reshape(x, shape: [shape[0], shape[1], heads, shape[2] / heads]))
    return try append("\(name)_heads", Transpose(split, permutation: [0, 2, 1, 3]))
  }

  /// A linear layer with the weights `source.weight` and, if it has one, `source.bias`:
  /// [.., inputs] → [.., outputs].
  ///
  /// - Parameter precision: in which a device computes it, where that is not its input's.
  mutating func linear(
    _ x: Operand, _ source: String, _ name: String, inputs: Int, outputs: Int,
    hasBias: Bool = true, precision: ValuePrecision? = nil
  ) throws(GraphError) -> Operand {
    let weight = WeightReference(
      "\(source).weight", [outputs, inputs], role: .matrix(outputAxis: 0))
    let bias = WeightReference("\(source).bias", [outputs], role: .bias)
    return try append(
      name, Linear(x, weight: .weight(weight), bias: hasBias ? .weight(bias) : nil),
      precision: precision)
  }

  /// A normalisation of the last axis; `gain` and `shift` are the names of its weights. Without a
  /// shift, zeros are added.
  ///
  /// - Parameter precision: in which a device computes it, if not in most of the program's.
  mutating func norm(
    _ x: Operand, gain: TensorName, shift: TensorName?, _ name: String, width: Int,
    epsilon: Float, precision: ValuePrecision? = nil
  ) throws(GraphError) -> Operand {
    let zeros = Operand.literal(.floats(Array(repeating: 0, count: width), shape: [width]))
    return try append(
      name,
      LayerNorm(
        x, gamma: .weight(WeightReference(gain, [width], role: .norm)),
        beta: shift.map { .weight(WeightReference($0, [width], role: .norm)) } ?? zeros,
        epsilon: epsilon), precision: precision)
  }

  /// The same with the weights `source.weight` and `source.bias`.
  mutating func norm(
    _ x: Operand, _ source: String, _ name: String, width: Int, epsilon: Float
  ) throws(GraphError) -> Operand {
    try norm(
      x, gain: "\(source).weight", shift: "\(source).bias", name, width: width, epsilon: epsilon)
  }

  /// The vectors of padding behind those of a text, which the model sees: [B, S, H] →
  /// [B, S + missing, H].
  mutating func filled(
    _ words: Operand, with padding: Int32, of table: Operand, missing: Int, batch: Int
  ) throws(GraphError) -> Operand {
    guard missing > 0 else { return words }
    let one = try append(
      "padding", Gather(table, indices: .literal(.integers([padding], shape: [1, 1]))))
    let all = try append("paddings", Tile(one, repetitions: [batch, missing, 1]))
    return try append("words_filled", Concat([words, all], axis: 1))
  }

  /// Attention of heads, [B, heads, S, H/heads] each, and the heads put together again: [B, S, H].
  ///
  /// - Parameters:
  ///   - mask: added to the scores; nil where every token sees all others.
  ///   - shape: [B, S, H], S being the number of queries.
  mutating func attention(
    query: Operand, key: Operand, value: Operand, mask: Operand?, _ name: String, shape: [Int]
  ) throws(GraphError) -> Operand {
    let context = try append(
      "\(name)_context",
      ScaledDotProductAttention(query: query, key: key, value: value, mask: mask))
    let swapped = try append(
      "\(name)_context_swapped", Transpose(context, permutation: [0, 2, 1, 3]))
    return try append("\(name)_context_joined", Reshape(swapped, shape: shape))
  }

  /// The mask that hides padding from attention: 0 where a token is, [B, S] → [B, 1, 1, S].
  ///
  /// - Parameter mask: 1 where a token is, 0 elsewhere.
  mutating func scoreMask(_ mask: Operand) throws(GraphError) -> Operand {
    let wide = try append("mask_wide", ExpandDims(mask, axes: [1, 2]))
    let inverse = try append(
      "mask_inverse", ElementwiseBinary(.sub, .literal(.float(1)), wide))
    return try append("score_mask", ElementwiseBinary(.mul, inverse, .literal(.hiding)))
  }

  /// Divides each row by its Euclidean length: [B, H] → [B, H].
  ///
  /// - Parameter name: of the value; usually the model's vector.
  mutating func unitRows(_ rows: Operand, _ name: String? = nil) throws(GraphError) -> Operand {
    let part = name ?? "row"
    let length = try append("\(part)_length", Reduce(.l2Norm, rows, axis: 1, keepsAxis: true))
    let divisor = try append(
      "\(part)_divisor", ElementwiseBinary(.maximum, length, .literal(.float(1e-12))))
    return try append(name ?? "embedding", ElementwiseBinary(.realDivision, rows, divisor))
  }
}
