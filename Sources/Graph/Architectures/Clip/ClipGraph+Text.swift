extension ClipGraph {
  /// The text encoder: input_ids [B, S] → [B, projection].
  ///
  /// Nothing after the end token is ever seen: the mask is causal, and the first end token
  /// gives the vector of the text. So no mask of padding is needed.
  mutating func build(_ text: ClipEncoder.Text, length: Int) throws(GraphError) -> ModelGraph {
    let ids = graph.input("input_ids", ValueType(.int32, [batch, length]))
    let words = try graph.append(
      "words",
      Gather(weight(clip.names.inputs, [text.vocabulary, width], .tokenTable), indices: ids))
    let position = try graph.append(
      "position",
      SliceByIndex(
        weight(clip.names.positions, [text.positions, width], .positionTable),
        begin: [0, 0], end: [length, width]))
    let placed = try graph.append("words_placed", ElementwiseBinary(.add, words, position))
    let end = try graph.append(
      "selector", ExpandDims(try firstEnd(ids, text.end, length), axes: [1]))
    return try finish(
      try blocks(placed, tokens: length, mask: causalMask(length), pooling: .selected(end)))
  }

  // 0 on and below the diagonal, −10000 above: [S, S]. Finite, so that it survives float16.
  private func causalMask(_ length: Int) -> Operand {
    var values = [Float](repeating: 0, count: length * length)
    for row in 0..<length {
      for column in row + 1..<max(row + 1, length) { values[row * length + column] = -10000 }
    }
    return .literal(.floats(values, shape: [length, length]))
  }

  // 1 at the first end token, 0 elsewhere: [B, S]. Of equal tokens the first weighs most, so that
  // nothing depends on which of equals an arg-max would take.
  private mutating func firstEnd(
    _ ids: Operand, _ end: Int32, _ length: Int
  ) throws(GraphError) -> Operand {
    let isEnd = try graph.append(
      "is_end", Comparison(.equal, ids, .literal(.integers([end], shape: []))))
    let ends = try graph.append("ends", Cast(isEnd, to: .float32))
    let ranks = (0..<length).map { Float(length - $0) }
    let ranked = try graph.append(
      "ends_ranked",
      ElementwiseBinary(.mul, ends, .literal(.floats(ranks, shape: [1, length]))))
    let highest = try graph.append(
      "ends_highest", Reduce(.max, ranked, axis: 1, keepsAxis: true))
    let isFirst = try graph.append("is_first_end", Comparison(.equal, ranked, highest))
    return try graph.append("first_end", Cast(isFirst, to: .float32))
  }
}
