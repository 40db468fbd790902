/// The part `ByteLevel`: cuts as GPT-2 does, and writes bytes as characters (`ByteAlphabet`).
struct ByteLevelStep: Equatable, Sendable {
  /// Whether a word that does not begin with a space gets one.
  let addsSpace: Bool
  /// Whether words are cut by GPT-2's expression.
  let cuts: Bool

  /// Cuts and rewrites the words of a text.
  func apply(to text: inout PreTokenizedText) {
    var result = PreTokenizedText([], leading: 0)
    result.scalars.reserveCapacity(text.scalars.count + text.scalars.count / 4)
    for word in text.words {
      // A space in front of a word belongs to its first scalar.
      var piece = text.scalars[word]
      if addsSpace, piece.first != 0x20 { piece = [0x20] + piece }
      append(Array(piece), to: &result)
      if word.lowerBound == 0, text.leading > 0 {
        result.leading =
          ByteLevelStep.leading(text.scalars.prefix(text.leading))
          + (addsSpace && text.scalars.first != 0x20 ? 1 : 0)
      }
    }
    text = result
  }

  private func append(_ piece: [UInt32], to result: inout PreTokenizedText) {
    var start = piece.startIndex
    while start < piece.endIndex {
      let end =
        cuts ? SplitPattern.gpt2.end(in: piece, piece.indices, from: start) : piece.endIndex
      let first = result.scalars.count
      ByteAlphabet.append(piece[start..<end], to: &result.scalars)
      result.words.append(first..<result.scalars.count)
      start = end
    }
  }

  private static func leading(_ scalars: ArraySlice<UInt32>) -> Int {
    var bytes: [UInt32] = []
    ByteAlphabet.append(scalars, to: &bytes)
    return bytes.count
  }
}
