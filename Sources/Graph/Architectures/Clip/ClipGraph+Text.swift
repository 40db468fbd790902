extension ClipGraph {
  /// The text encoder: input_ids [B, S] → [B, projection].
  ///
  /// Where the mask is causal, nothing after the end token is ever seen: the first end token gives
  /// the vector of the text. Elsewhere the library shows the model the zeros that fill a text up, so
  /// the graph adds those that are missing. So no mask of padding is needed.
  mutating func build(_ text: ClipEncoder.Text, length: Int) throws(GraphError) -> ModelGraph {
    let given = graph.input("input_ids", ValueType(.int32, [batch, length]))
    let ids = text.isCausal ? given : try filled(given, missing: text.positions - length)
    let length = text.isCausal ? length : text.positions
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
      try blocks(
        placed, tokens: length, mask: text.isCausal ? causalMask(length) : nil,
        pooling: .selected(end)))
  }

  // Zeros behind the ids: [B, S] → [B, S + missing]. They are tiled because coremltools cannot list
  // a package in which a constant is joined to something.
  private mutating func filled(_ ids: Operand, missing: Int) throws(GraphError) -> Operand {
    guard missing > 0 else { return ids }
    let zeros = try graph.append(
      "padding", Tile(.literal(.integers([0], shape: [1, 1])), repetitions: [batch, missing]))
    return try graph.append("ids_filled", Concat([ids, zeros], axis: 1))
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
