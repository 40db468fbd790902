import Weights

extension ClipGraph {
  /// The text encoder: input_ids [B, S] → [B, projection].
  ///
  /// Where tokens see only those before them, and the vector is that of the first end token, nothing
  /// behind it is ever seen: so no mask of padding is needed. Where padding is seen, the graph adds
  /// what is missing.
  mutating func build(_ text: ClipEncoder.Text, length: Int) throws(GraphError) -> ModelGraph {
    let ids = graph.input("input_ids", ValueType(.int32, [batch, length]))
    let table = weight(clip.names.inputs, [text.vocabulary, width], .tokenTable)
    let words = try graph.append("words", Gather(table, indices: ids))
    if case .own = text.pooling {
      return try finish(try row(try ownVector(words, ids, table, text, length: length)))
    }
    let tokens = text.isFilled ? text.length : length
    let all = try graph.filled(
      words, with: text.padding, of: table, missing: tokens - length, batch: batch)
    let placed = try graph.append(
      "words_placed",
      ElementwiseBinary(.add, all, try positions(text, 0..<tokens, "position")))
    let mask = text.isCausal ? causalMask(tokens) : nil
    let pooling = try pooling(text, ids, length: length, tokens: tokens)
    return try finish(
      try row(try blocks(placed, tokens: tokens, mask: mask, pooling: pooling)))
  }

  /// Rows of the table of positions: [count, H].
  mutating func positions(
    _ text: ClipEncoder.Text, _ places: Range<Int>, _ name: String
  ) throws(GraphError) -> Operand {
    try graph.append(
      name,
      SliceByIndex(
        weight(clip.names.positions, [text.positions, width], .positionTable),
        begin: [places.lowerBound, 0], end: [places.upperBound, width]))
  }

  /// 0 on and below the diagonal, −10000 above: [S, S]. Finite, so that it survives float16.
  func causalMask(_ length: Int) -> Operand {
    var values = [Float](repeating: 0, count: length * length)
    for row in 0..<length {
      for column in row + 1..<max(row + 1, length) { values[row * length + column] = -10000 }
    }
    return .literal(.floats(values, shape: [length, length]))
  }

  private mutating func pooling(
    _ text: ClipEncoder.Text, _ ids: Operand, length: Int, tokens: Int
  ) throws(GraphError) -> Pooling {
    switch text.pooling {
    case .first: return .place(0)
    case .last, .own: return .place(tokens - 1)
    case .end(let end):
      var selector = try firstEnd(ids, end, length)
      if tokens > length {
        let none = try graph.append(
          "selector_filling",
          Tile(
            .literal(.floats([0], shape: [1, 1])), repetitions: [batch, tokens - length]))
        selector = try graph.append("selector_filled", Concat([selector, none], axis: 1))
      }
      return .selected(try graph.append("selector", ExpandDims(selector, axes: [1])))
    }
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
