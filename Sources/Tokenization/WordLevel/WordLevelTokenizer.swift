import StrictJSON

/// Gives each word one id, id for id as Hugging Face's library `tokenizers` (0.22) does from the
/// same `tokenizer.json`.
struct WordLevelTokenizer: PipelineTokenizer, TokenizerOfFile {
  static let modelType = "WordLevel"

  private static let keys = KeyRules(understood: ["type", "vocab", "unk_token"])

  let model: WordLevelModel
  let pipeline: TokenizerPipeline

  var unknownID: Int32? { model.unknownID }

  static func read(
    _ file: TokenizerFile, _ context: TokenizerContext, _ lowercasing: TextPreparation.Lowercasing
  ) throws(PreprocessingError) -> WordLevelTokenizer {
    let model = try model(of: file)
    let special = context.special([:])
    let added = try reading { () throws(JSONError) in
      try context.addedTokens(file.addedEntries(), special.map(\.entry), model.vocabulary)
    }
    let parts = try file.pipelineParts(added, model.vocabulary)
    return WordLevelTokenizer(
      model: model,
      pipeline: try context.pipeline(parts, model.vocabulary, special, lowercasing))
  }

  private static func model(of file: TokenizerFile) throws(PreprocessingError) -> WordLevelModel {
    let part = try file.model().part
    return try reading { () throws(JSONError) in
      try keys.check(part)
      let vocabulary = try file.vocabulary(part.object("vocab"))
      let unknown = try part.string("unk_token")
      guard let id = vocabulary.id(of: unknown) else {
        throw part.error(
          "unk_token '\(unknown.prefix(60))' is not in the vocabulary",
          at: try part.required("unk_token").position)
      }
      return WordLevelModel(vocabulary: vocabulary, unknownID: id)
    }
  }

  func differences(from other: any TextTokenizer) -> [String] {
    guard let other = other as? WordLevelTokenizer else { return ["the kind of tokenizer"] }
    var found = TokenizerDifferences()
    found.compare(model.vocabulary, other.model.vocabulary)
    found.compare(model.unknownID == other.model.unknownID, "the unknown token")
    found.compare(pipeline, other.pipeline)
    return found.parts
  }

  func ids(of text: String, maximumLength: Int) -> [Int32] {
    pipeline.ids(of: text, maximumLength: maximumLength, model)
  }

  func tokens(
    of first: String, and second: String, maximumLength: Int
  ) -> TextTokens? {
    pipeline.tokens(of: first, and: second, maximumLength: maximumLength, model)
  }
}

/// A list of whole words.
struct WordLevelModel: WordModel {
  let vocabulary: Vocabulary
  /// The id of every word that is not listed.
  let unknownID: Int32

  func makeWorkspace() {}

  func append(
    _ word: Range<Int>, of text: [UInt32], to ids: inout [Int32], _ work: inout Void
  ) {
    let hash = text[word].reduce(Vocabulary.emptyHash, Vocabulary.extend)
    ids.append(vocabulary.id(hash: hash, prefix: [], text, word) ?? unknownID)
  }
}
