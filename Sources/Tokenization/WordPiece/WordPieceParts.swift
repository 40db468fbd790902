import StrictJSON

/// The parts of a WordPiece tokenizer besides its vocabulary.
struct WordPieceParts: Equatable, Sendable {
  /// The token of a word that cannot be split into pieces.
  var unknown: ExactString
  /// The prefix of pieces that continue a word.
  var prefix: ExactString
  /// Words of more scalars than this are unknown as a whole.
  var maximumWordLength: Int
  var normalizer: Normalizer
  var preTokenizer: PreTokenizer
  var template: SpecialTokenTemplate
  var added: AddedTokens

  /// Names of the parts in which another reading of the same files differs.
  func differences(from other: WordPieceParts) -> [String] {
    [
      unknown == other.unknown ? nil : "the unknown token",
      prefix == other.prefix && maximumWordLength == other.maximumWordLength
        ? nil : "how words are cut into pieces",
      normalizer == other.normalizer ? nil : "the normalizer",
      preTokenizer == other.preTokenizer ? nil : "the pre_tokenizer",
      template == other.template ? nil : "the special tokens around a text",
      added == other.added ? nil : "the added tokens",
    ].compactMap { $0 }
  }
}
