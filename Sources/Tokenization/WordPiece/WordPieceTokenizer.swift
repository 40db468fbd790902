package import StrictJSON

/// Turns text into the ids of a WordPiece model, token for token as Hugging Face's library
/// `tokenizers` (0.22) does from the same `tokenizer.json`.
package struct WordPieceTokenizer: PipelineTokenizer {
  let model: WordPieceModel
  package let pipeline: TokenizerPipeline

  package var unknownID: Int32? { model.unknownID }

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

  init(model: WordPieceModel, pipeline: TokenizerPipeline) {
    self.model = model
    self.pipeline = pipeline
  }

  package func differences(from other: any TextTokenizer) -> [String] {
    guard let other = other as? WordPieceTokenizer else { return ["the kind of tokenizer"] }
    var found = TokenizerDifferences()
    found.compare(model.vocabulary, other.model.vocabulary)
    found.compare(model.unknownID == other.model.unknownID, "the unknown token")
    found.compare(model.cuts(as: other.model), "how words are cut into pieces")
    found.compare(pipeline, other.pipeline)
    return found.parts
  }

  package func ids(of text: String, maximumLength: Int) -> [Int32] {
    pipeline.ids(of: text, maximumLength: maximumLength, model)
  }

  package func tokens(
    of first: String, and second: String, maximumLength: Int
  ) -> TextTokens? {
    pipeline.tokens(of: first, and: second, maximumLength: maximumLength, model)
  }
}

/// Splits one word into the longest pieces of a vocabulary, from left to right.
///
/// Source: Schuster and Nakajima, "Japanese and Korean voice search", 2012, in the greedy form of
/// BERT's own tokenizer.
struct WordPieceModel: WordModel {
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

  /// Hashes of the beginnings of a piece.
  func makeWorkspace() -> [UInt64] { [] }

  /// Appends the ids of a word; that of the unknown token if the word cannot be split completely.
  func append(
    _ word: Range<Int>, of text: [UInt32], to ids: inout [Int32], _ hashes: inout [UInt64]
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
