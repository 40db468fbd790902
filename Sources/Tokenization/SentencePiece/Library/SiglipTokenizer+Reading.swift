import StrictJSON

extension SiglipTokenizer {
  private static let defaults: [SpecialTokens.Name: String] = [
    .end: "</s>", .unknown: "<unk>", .padding: "</s>",
  ]

  /// Reads a model's files.
  ///
  /// - Parameter file: the SentencePiece model.
  /// - Throws: what the files have wrong; a missing model; what is not supported for this class.
  init(
    _ context: TokenizerContext, _ file: TokenizerFiles.File?,
    _ lowercasing: TextPreparation.Lowercasing
  ) throws(PreprocessingError) {
    guard let file else {
      throw .file(
        context.error(
          "SigLIP's tokenizer is made of \(TokenizerFiles.Name.sentencePiece.rawValue), which is missing"
        ))
    }
    try SiglipTokenizer.check(context, lowercasing)
    let library = try context.savingLibrary()
    var processor = try reading { () throws(JSONError) in try SentencePieceProcessor(file) }
    if library == .four || context.configuration.isLegacy == false {
      processor.normalizer.addsSpace = false
    }
    let named = context.special(SiglipTokenizer.defaults)
    let added = try reading { () throws(JSONError) in
      let added = try context.addedTokens([], named.map(\.entry), processor.vocabulary)
      try SiglipTokenizer.check(added, context)
      return added
    }
    let id = { (name: SpecialTokens.Name) throws(PreprocessingError) in
      try SiglipTokenizer.token(name, named, context)
    }
    let (end, unknown, padding) = (try id(.end), try id(.unknown), try id(.padding))
    self.init(
      processor, added,
      SiglipCleaning(
        lowercasing: !(context.configuration.lowercases ?? true)
          ? .never : library == .four ? .letters : .parts),
      unknown: unknown, ids: (added.id(of: end) ?? 0, added.id(of: padding) ?? 0),
      try context.sides(), maximumLength: context.configuration.maximumLength)
  }

  /// The text of a token that the class needs.
  private static func token(
    _ name: SpecialTokens.Name, _ named: [(name: SpecialTokens.Name, entry: AddedTokenEntry)],
    _ context: TokenizerContext
  ) throws(PreprocessingError) -> String {
    guard let found = named.first(where: { $0.name == name }) else {
      throw .file(context.error("'\(name.rawValue)' is null, and SigLIP's tokenizer needs one"))
    }
    return found.entry.content
  }

  // MARK: Checks

  private static func check(
    _ context: TokenizerContext, _ lowercasing: TextPreparation.Lowercasing
  ) throws(PreprocessingError) {
    guard lowercasing != .normalizer else {
      throw .file(
        context.error(
          "'do_lower_case' of sentence_bert_config.json changes a tokenizer.json, which SigLIP's "
            + "tokenizer has not"))
    }
    guard !context.configuration.isWritten || context.configuration.className != nil else {
      throw .file(
        context.error(
          "tokenizer_config.json names no class; supported for SigLIP: 'SiglipTokenizer'"))
    }
  }

  /// Refuses tokens that generations of the library look for in different ways: those that are not
  /// special, stop at letters, or overlap.
  private static func check(
    _ added: AddedTokens, _ context: TokenizerContext
  ) throws(JSONError) {
    let special = context.configuration.special.texts
      .union(defaults.values.map { ExactString($0) })
    for (entry, _) in added.tokens {
      guard special.contains(ExactString(entry.content)), !entry.isSingleWord else {
        throw entry.error(
          "is not a special token without 'single_word': SigLIP's tokenizer is supported with those"
        )
      }
      for (other, _) in added.tokens
      where other.content.count > entry.content.count && other.content.contains(entry.content) {
        throw entry.error("is a part of '\(other.content.prefix(60))'")
      }
    }
  }
}
