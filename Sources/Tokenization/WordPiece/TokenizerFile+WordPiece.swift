import StrictJSON

/// The parts of a `tokenizer.json` of WordPiece.
extension TokenizerFile {
  private static let modelKeys = KeyRules(understood: [
    "type", "vocab", "unk_token", "continuing_subword_prefix", "max_input_chars_per_word",
  ])

  /// The pieces in `model`, which must be a WordPiece model.
  func wordPieceVocabulary() throws(PreprocessingError) -> Vocabulary {
    let (part, type) = try model()
    guard type == WordPieceTokenizer.modelType else {
      throw part.unsupported("model", type, at: "type", known: [WordPieceTokenizer.modelType])
    }
    return try reading { () throws(JSONError) in
      try TokenizerFile.modelKeys.check(part)
      let vocabulary = try vocabulary(part.object("vocab"))
      let unknown = try part.string("unk_token")
      guard vocabulary.id(of: unknown) != nil else {
        throw part.error(
          "unk_token '\(unknown.prefix(60))' is not in the vocabulary",
          at: try part.required("unk_token").position)
      }
      return vocabulary
    }
  }

  /// Everything else that the file says.
  func wordPieceParts(
    _ added: AddedTokens, _ vocabulary: Vocabulary
  ) throws(PreprocessingError) -> WordPieceParts {
    let part = try model().part
    let (unknown, prefix, length) = try reading { () throws(JSONError) in
      (
        ExactString(try part.string("unk_token")),
        ExactString(try part.string("continuing_subword_prefix")),
        try part.plainInteger("max_input_chars_per_word")
      )
    }
    return WordPieceParts(
      unknown: unknown, prefix: prefix, maximumWordLength: length,
      pipeline: try pipelineParts(added, vocabulary))
  }
}
