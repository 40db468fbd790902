import StrictJSON

/// Builds a Unigram tokenizer from a SentencePiece model as the library `transformers` does in a
/// folder without `tokenizer.json`.
///
/// Source: the conversions of transformers 4.57 and 5.23, compared with both.
struct SentencePieceAssembly {
  private let context: TokenizerContext
  private let file: SentencePieceFile
  private let unigramClass: UnigramClass
  private let library: TransformersLibrary

  /// - Throws: what the file has wrong, and settings that are not supported without
  ///   `tokenizer.json`.
  init(
    _ context: TokenizerContext, _ file: TokenizerFiles.File, _ unigramClass: UnigramClass
  ) throws(PreprocessingError) {
    self.context = context
    self.unigramClass = unigramClass
    library = try context.savingLibrary()
    self.file = try reading { () throws(JSONError) in try SentencePieceFile(file) }
    try checkSettings()
  }

  func tokenizer(
    _ lowercasing: TextPreparation.Lowercasing
  ) throws(PreprocessingError) -> UnigramTokenizer {
    let pieces = unigramClass.pieces(
      file, extraTokens: context.configuration.extraTokens, library)
    let vocabulary = try vocabulary(pieces)
    let model = UnigramModel(
      pieces.map(\.text), pieces.map(\.score), vocabulary,
      unknownID: Int32(unigramClass.unknownID(file, library)), byteIDs: nil)
    return UnigramTokenizer(
      model: model,
      pipeline: try context.pipeline(
        try parts(pieces, vocabulary), vocabulary, special, lowercasing))
  }

  // MARK: Checks

  private func checkSettings() throws(PreprocessingError) {
    let settings = context.configuration
    guard settings.addsPrefixSpace ?? true else {
      throw .file(context.error("'add_prefix_space' false is supported with tokenizer.json only"))
    }
    guard settings.isLegacy ?? true else {
      throw .file(context.error("'legacy' false is supported with tokenizer.json only"))
    }
    try context.requireTokens(of: unigramClass.specialTokens)
  }

  private func vocabulary(
    _ pieces: [SentencePieceFile.Piece]
  ) throws(PreprocessingError) -> Vocabulary {
    let vocabulary = try reading { () throws(JSONError) in try file.vocabulary(pieces) }
    let unknown = unigramClass.unknownID(file, library)
    guard unknown < pieces.count else {
      throw .file(
        file.error("has \(pieces.count) pieces, and its class has the unknown one at \(unknown)"))
    }
    return vocabulary
  }

  // MARK: Parts

  private var special: [(name: SpecialTokens.Name, entry: AddedTokenEntry)] {
    context.special(unigramClass.specialTokens)
  }

  private func parts(
    _ pieces: [SentencePieceFile.Piece], _ vocabulary: Vocabulary
  ) throws(PreprocessingError) -> PipelineParts {
    let added = try reading { () throws(JSONError) in
      try context.addedTokens(listed(pieces), special.map(\.entry), vocabulary)
    }
    let settings = context.configuration
    let map = file.map.map { [Normalizer.Step.map($0)] } ?? []
    let isFour = library == .four
    let (before, after) = unigramClass.ends
    let ids = { (names: [SpecialTokens.Name]) in
      names.compactMap { unigramClass.specialTokens[$0].flatMap { added.id(of: $0) } }
    }
    return PipelineParts(
      normalizer: Normalizer(
        steps: isFour
          ? unigramClass.fourthNormalizer(map, settings) : unigramClass.normalizer(map, settings)),
      preTokenizer: PreTokenizer(
        steps: isFour
          ? unigramClass.fourthPreTokenizer(settings) : unigramClass.preTokenizer(settings)),
      template: unigramClass.template(before: ids(before), after: ids(after)), added: added)
  }

  /// The added tokens: the special ones of the class, the file's control and user-defined pieces, and
  /// those that T5's class adds.
  private func listed(_ pieces: [SentencePieceFile.Piece]) -> [AddedTokenEntry] {
    var entries = classTokens()
    var texts = Set(entries.map { ExactString($0.content) })
    for piece in pieces where isAdded(piece) && texts.insert(ExactString(piece.text)).inserted {
      var entry = file.addedEntry(piece.text)
      entry.isSpecial = piece.kind != .userDefined
      entries.append(entry)
    }
    return entries
  }

  /// The special tokens of the class, those that share a text once.
  private func classTokens() -> [AddedTokenEntry] {
    var entries: [AddedTokenEntry] = []
    for name in SpecialTokens.Name.allCases {
      guard let text = unigramClass.specialTokens[name] else { continue }
      var entry = file.addedEntry(text)
      entry.isOfClass = true
      if library == .four { unigramClass.fourthFlags(name, &entry) }
      guard !entries.contains(where: { ExactString($0.content) == ExactString(text) }) else {
        continue
      }
      entries.append(entry)
    }
    return entries
  }

  private func isAdded(_ piece: SentencePieceFile.Piece) -> Bool {
    let isOfClass =
      unigramClass == .t5 && piece.text.hasPrefix("<extra_id_")
      || unigramClass == .camembert && library == .four && piece.text.hasSuffix("NOTUSED")
    return piece.kind != .normal || isOfClass
  }
}

extension TokenizerContext {
  /// The generation of the library that saved the model, for files that each reads in its own way.
  ///
  /// - Throws: if no file says which.
  func savingLibrary() throws(PreprocessingError) -> TransformersLibrary {
    guard let library = model.library else {
      throw .file(
        error(
          "transformers 4 and 5 make different tokenizers of this file, and \(model.origin) does not "
            + "say in 'transformers_version' which one saved the model; save it again with the "
            + "version in use"))
    }
    return library
  }

  /// Refuses special tokens other than the class's own, which the class would look for at fixed
  /// places of the file.
  func requireTokens(of defaults: [SpecialTokens.Name: String]) throws(PreprocessingError) {
    for (name, own) in defaults {
      guard let said = configuration.special.named[name] else { continue }
      guard let said, ExactString(said.content) == ExactString(own) else {
        throw .file(
          error(
            "'\(name.rawValue)' is \(quoted(said?.content ?? "null")), supported without "
              + "tokenizer.json: \(quoted(own))"))
      }
    }
  }
}
