import StrictJSON

/// Turns text into the ids of SigLIP's first version, as the class `SiglipTokenizer` of the library
/// `transformers` does, which has punctuation left out and runs SentencePiece itself.
///
/// Source: `SiglipTokenizer` of transformers 4.57 and 5.23.
struct SiglipTokenizer: TextTokenizer {
  private static let space = SentencePieceNormalizer.visibleSpace

  let processor: SentencePieceProcessor
  /// The tokens that are found in the text itself, with their ids.
  let added: AddedTokens
  let cleaning: SiglipCleaning
  /// The text of the unknown token, which the class puts before every part of a text, and the number
  /// of its pieces, which it takes off again.
  let unknown: [UInt32]
  private let unknownCount: Int
  /// The token behind every text.
  let endID: Int32
  let paddingID: Int32
  let sides: TextSides
  let configuredMaximumLength: Int?
  private let special: AddedTokenMatcher
  private let specialIDs: [[UInt32]: Int32]
  private let specialTexts: [Int32: [UInt32]]

  /// - Parameter unknown: the text of the unknown token.
  init(
    _ processor: SentencePieceProcessor, _ added: AddedTokens, _ cleaning: SiglipCleaning,
    unknown: String, ids: (end: Int32, padding: Int32), _ sides: TextSides, maximumLength: Int?
  ) {
    self.processor = processor
    self.added = added
    self.cleaning = cleaning
    self.unknown = unknown.unicodeScalars.map(\.value)
    unknownCount = processor.pieces(of: self.unknown).count
    (endID, paddingID) = ids
    self.sides = sides
    configuredMaximumLength = maximumLength
    let tokens = added.tokens.map { ($0.entry.content.unicodeScalars.map(\.value), $0.id) }
    specialIDs = Dictionary(tokens) { first, _ in first }
    specialTexts = Dictionary(tokens.map { ($1, $0) }) { first, _ in first }
    special = AddedTokenMatcher(
      tokens.map { text, id in
        AddedToken(
          text: text, id: id, isSingleWord: false, stripsLeft: false, stripsRight: false)
      })
  }

  var vocabularySize: Int {
    Int(max(processor.vocabulary.highestID, added.highestListedID)) + 1
  }
  var unknownID: Int32? { processor.spellsBytes ? nil : processor.unknownID }
  var declaredMaximumLength: Int? { nil }
  var specialTokenCounts: (before: Int, behind: Int) { (0, 1) }

  func requireRows(_ rows: Int) throws(PreprocessingError) { try added.requireRows(rows) }

  func differences(from other: any TextTokenizer) -> [String] {
    guard let other = other as? SiglipTokenizer else { return ["the kind of tokenizer"] }
    var found = TokenizerDifferences()
    found.compare(processor.vocabulary, other.processor.vocabulary)
    found.compare(processor.scores == other.processor.scores, "the scores of the pieces")
    found.compare(processor.spellsBytes == other.processor.spellsBytes, "the ids of bytes")
    found.compare(
      processor.normalizer == other.processor.normalizer && cleaning == other.cleaning,
      "the normalizer")
    found.compare(
      processor.unknownID == other.processor.unknownID && unknown == other.unknown,
      "the unknown token")
    found.compare(added == other.added, "the added tokens")
    found.compare(endID == other.endID, "the special tokens around a text")
    found.compare(paddingID == other.paddingID, "the padding id")
    found.compare(sides.truncation == other.sides.truncation, "the end that is cut")
    return found.parts
  }

  func ids(of text: String, maximumLength: Int) -> [Int32] {
    var ids = tokens(of: text.unicodeScalars.map(\.value)).map {
      specialIDs[$0] ?? processor.id(of: $0)
    }
    let excess = ids.count - max(maximumLength, 1) + 1
    if excess > 0 {
      if sides.truncation == .right { ids.removeLast(excess) } else { ids.removeFirst(excess) }
    }
    // A text that ends with the token gets no second one.
    return ids.last == endID ? ids : ids + [endID]
  }

  /// The tokens of a text, as texts.
  private func tokens(of text: [UInt32]) -> [[UInt32]] {
    let spaced = [Self.space] + text.map { $0 == Self.space ? 0x20 : $0 }
    let text = cleaning.beforeTokens(spaced, special)
    var tokens: [[UInt32]] = []
    for part in special.pieces(of: text) {
      switch part {
      case .token(let id): tokens += specialTexts[id].map { [$0] } ?? []
      case .text(let range): tokens += pieces(of: cleaning.clean(text[range]))
      }
    }
    guard tokens.count > 1, tokens[0] == [Self.space], specialIDs[tokens[1]] != nil else {
      return tokens
    }
    return Array(tokens.dropFirst())
  }

  /// The pieces of a part between special tokens.
  private func pieces(of part: [UInt32]) -> [[UInt32]] {
    let pieces = processor.pieces(of: unknown + part)
    return pieces.count < unknownCount ? pieces : Array(pieces.dropFirst(unknownCount))
  }
}
