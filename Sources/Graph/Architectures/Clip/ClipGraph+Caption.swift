import Weights

// The text encoder of CoCa.
//
// Source: Yu et al. 2022, "CoCa", arXiv:2205.01917, as OpenCLIP builds it: its mask of padding begins
// one place too late, so that the first token of padding is seen.
extension ClipGraph {
  /// The state of a learnt vector in the model's last place: words [B, S, H] → [B, 1, H]. It sees the
  /// text and, where the text is shorter than the model allows, one token of padding.
  mutating func ownVector(
    _ words: Operand, _ ids: Operand, _ table: Operand, _ text: ClipEncoder.Text, length: Int
  ) throws(GraphError) -> Operand {
    let isFull = length == text.length, before = isFull ? length : length + 1
    let filled = try graph.filled(
      words, with: text.padding, of: table, missing: before - length, batch: batch)
    let table = try positions(text, 0..<text.positions, "position")
    let placed = try graph.append(
      "words_placed",
      ElementwiseBinary(.add, filled, try rows(0..<before, of: table, "words_position")))
    let own = try ownRows(try rows(text.length..<text.length + 1, of: table, "own_position"))
    let all = try graph.append("words_and_own", Concat([placed, own], axis: 1))
    let mask = try mask(ids, text, tokens: before + 1, isFull: isFull)
    return try blocks(all, tokens: before + 1, mask: mask, pooling: .place(before))
  }

  private mutating func rows(
    _ places: Range<Int>, of table: Operand, _ name: String
  ) throws(GraphError) -> Operand {
    try graph.append(
      name,
      SliceByIndex(table, begin: [places.lowerBound, 0], end: [places.upperBound, width]))
  }

  // The learnt vector in its place, for every text: [B, 1, H].
  private mutating func ownRows(_ position: Operand) throws(GraphError) -> Operand {
    let own = weight("text.cls_emb", [1, 1, width], .positionTable)
    let placed = try graph.append("own_placed", ElementwiseBinary(.add, own, position))
    return try graph.append("own_vectors", Tile(placed, repetitions: [batch, 1, 1]))
  }

  // Hides later tokens, and those behind the first one of padding: [B, 1, tokens, tokens].
  private mutating func mask(
    _ ids: Operand, _ text: ClipEncoder.Text, tokens: Int, isFull: Bool
  ) throws(GraphError) -> Operand {
    let isPadding = try graph.append(
      "is_padding", Comparison(.equal, ids, .literal(.integers([text.padding], shape: []))))
    let padding = try graph.append("is_padding_number", Cast(isPadding, to: .float32))
    let word = try graph.append(
      "is_word", ElementwiseBinary(.sub, .literal(.float(1)), padding))
    let one = try constants(1, "seen_always")
    let rest = isFull ? [] : [try constants(0, "seen_never")]
    let seen = try graph.append("seen", Concat([one, word] + rest, axis: 1))
    let hidden = try graph.scoreMask(seen)
    return try graph.append("mask", ElementwiseBinary(.add, hidden, causalMask(tokens)))
  }

  // One number for every text: [B, 1].
  private mutating func constants(_ value: Float, _ name: String) throws(GraphError) -> Operand {
    try graph.append(
      name, Tile(.literal(.floats([value], shape: [1, 1])), repetitions: [batch, 1]))
  }
}
