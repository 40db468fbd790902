package import StrictJSON

/// Turns text into the ids of a WordPiece model, token for token as Hugging Face's library
/// `tokenizers` (0.22) does from the same `tokenizer.json`.
///
/// Truncation and padding of the file are not applied: the caller decides about lengths.
package struct WordPieceTokenizer: TextTokenizer {
  let model: WordPieceModel
  let normalizer: Normalizer
  let preTokenizer: PreTokenizer
  let template: SpecialTokenTemplate
  /// Looked for in the text as it was given.
  let rawTokens: AddedTokenMatcher
  /// Looked for in normalised text.
  let normalizedTokens: AddedTokenMatcher

  private let added: AddedTokens

  /// One more than the highest possible id: the rows that the model's table needs.
  package let vocabularySize: Int
  /// The id that fills up short texts of a batch: of the file's `padding`, else of `[PAD]`, else 0.
  package let paddingID: Int32
  package var unknownID: Int32? { model.unknownID }
  /// The most tokens by the file's own `truncation`, special tokens included, if it has one.
  package let declaredMaximumLength: Int?
  package let configuredMaximumLength: Int?
  package let sides: TextSides

  /// Reads a `tokenizer.json`.
  ///
  /// Throws if the text is malformed or contradicts itself, when it is not a WordPiece tokenizer,
  /// and when it uses a part that is not supported here.
  ///
  /// - Parameter origin: the file the text came from, for messages.
  package init(json: [UInt8], origin: String) throws(PreprocessingError) {
    let root = try reading { () throws(JSONError) in
      try JSONParser.parseObject(json, origin: origin)
    }
    let file = try TokenizerFile(root)
    self = try WordPieceAssembly(TokenizerContext(file), file.wordPieceVocabulary()).tokenizer()
  }

  init(
    model: WordPieceModel, parts: WordPieceParts,
    matchers: (raw: AddedTokenMatcher, normalized: AddedTokenMatcher), paddingID: Int32,
    sides: TextSides, declaredMaximumLength: Int?, configuredMaximumLength: Int?
  ) {
    self.model = model
    normalizer = parts.normalizer
    preTokenizer = parts.preTokenizer
    template = parts.template
    added = parts.added
    rawTokens = matchers.raw
    normalizedTokens = matchers.normalized
    vocabularySize = Int(max(model.vocabulary.highestID, parts.added.highestListedID)) + 1
    self.paddingID = paddingID
    self.sides = sides
    self.declaredMaximumLength = declaredMaximumLength
    self.configuredMaximumLength = configuredMaximumLength
  }

  package func differences(from other: any TextTokenizer) -> [String] {
    guard let other = other as? WordPieceTokenizer else { return ["the kind of tokenizer"] }
    var found = TokenizerDifferences()
    found.compare(model.vocabulary, other.model.vocabulary)
    found.compare(model.unknownID == other.model.unknownID, "the unknown token")
    found.compare(model.cuts(as: other.model), "how words are cut into pieces")
    found.compare(normalizer == other.normalizer, "the normalizer")
    found.compare(preTokenizer == other.preTokenizer, "the pre_tokenizer")
    found.compare(template == other.template, "the special tokens around a text")
    found.compare(
      preTokenizer.dropsSpace ? added.findsSame(as: other.added) : added == other.added,
      "the added tokens")
    found.compare(self, other)
    return found.parts
  }

  package func requireRows(_ rows: Int) throws(PreprocessingError) {
    try added.requireRows(rows)
  }

  package var specialTokenCounts: (before: Int, behind: Int) {
    (template.before.count, template.after.count)
  }

  package func ids(of text: String, maximumLength: Int) -> [Int32] {
    template.ids(
      around: text, maximumLength: maximumLength, cutting: sides.truncation
    ) { text, ids, limit in
      append(text, to: &ids, limit: limit)
    }
  }

  /// Appends the ids of text; may stop once there are as many as the limit.
  private func append(_ text: [UInt32], to ids: inout [Int32], limit: Int) {
    for piece in rawTokens.pieces(of: text) where ids.count < limit {
      switch piece {
      case .token(let id): ids.append(id)
      case .text(let range):
        var part = range == text.indices ? text : Array(text[range])
        normalizer.apply(to: &part)
        appendNormalized(part, to: &ids, limit: limit)
      }
    }
  }

  private func appendNormalized(_ text: [UInt32], to ids: inout [Int32], limit: Int) {
    var hashes: [UInt64] = []
    for piece in normalizedTokens.pieces(of: text) where ids.count < limit {
      switch piece {
      case .token(let id): ids.append(id)
      case .text(let range):
        let part = range == text.indices ? text : Array(text[range])
        for word in preTokenizer.words(of: part) where ids.count < limit {
          model.append(word, of: part, to: &ids, hashes: &hashes)
        }
      }
    }
  }
}

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
