/// Splits one word into the longest pieces of a vocabulary, from left to right.
///
/// Source: Schuster and Nakajima, "Japanese and Korean voice search", 2012, in the greedy form of
/// BERT's own tokenizer.
struct WordPieceModel: Sendable {
  let vocabulary: Vocabulary
  let unknownID: Int32
  /// The prefix of pieces that continue a word, usually `##`.
  private let prefix: [UInt32]
  private let prefixHash: UInt64
  /// Words of more scalars than this are unknown as a whole.
  private let maximumWordLength: Int

  init(vocabulary: Vocabulary, unknownID: Int32, prefix: String, maximumWordLength: Int) {
    self.vocabulary = vocabulary
    self.unknownID = unknownID
    self.prefix = prefix.unicodeScalars.map(\.value)
    self.prefixHash = self.prefix.reduce(Vocabulary.emptyHash, Vocabulary.extend)
    self.maximumWordLength = maximumWordLength
  }

  /// Whether another model splits words of one vocabulary in the same way.
  func cuts(as other: WordPieceModel) -> Bool {
    prefix == other.prefix && maximumWordLength == other.maximumWordLength
  }

  /// Appends the ids of a word; that of the unknown token if the word cannot be split completely.
  ///
  /// - Parameter hashes: a buffer, kept from word to word.
  func append(
    _ word: Range<Int>, of text: [UInt32], to ids: inout [Int32], hashes: inout [UInt64]
  ) {
    let firstID = ids.count
    guard word.count <= maximumWordLength else {
      ids.append(unknownID)
      return
    }
    var start = word.lowerBound
    while start < word.upperBound {
      let rest = start..<word.upperBound
      guard
        let (id, end) = longestPiece(
          of: rest, isContinued: start > word.lowerBound, text, &hashes)
      else {
        ids.removeSubrange(firstID...)
        ids.append(unknownID)
        return
      }
      ids.append(id)
      start = end
    }
  }

  private func longestPiece(
    of rest: Range<Int>, isContinued: Bool, _ text: [UInt32], _ hashes: inout [UInt64]
  ) -> (id: Int32, end: Int)? {
    let before = isContinued ? prefix : []
    var hash = isContinued ? prefixHash : Vocabulary.emptyHash
    hashes.removeAll(keepingCapacity: true)
    for index in rest.prefix(max(0, vocabulary.longest - before.count)) {
      hash = Vocabulary.extend(hash, text[index])
      hashes.append(hash)
    }
    while let hash = hashes.popLast() {
      let piece = rest.prefix(hashes.count + 1)
      if let id = vocabulary.id(hash: hash, prefix: before, text, piece) {
        return (id, piece.upperBound)
      }
    }
    return nil
  }
}
