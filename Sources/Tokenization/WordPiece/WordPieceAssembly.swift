import StrictJSON

/// Builds a WordPiece tokenizer from a model's files as the library `transformers` does.
struct WordPieceAssembly {
  let context: TokenizerContext
  let vocabulary: Vocabulary
  private let lowercasing: TextPreparation.Lowercasing

  init(
    _ context: TokenizerContext, _ vocabulary: Vocabulary,
    lowercasing: TextPreparation.Lowercasing = .none
  ) {
    self.context = context
    self.vocabulary = vocabulary
    self.lowercasing = lowercasing
  }

  func tokenizer() throws(PreprocessingError) -> WordPieceTokenizer {
    let parts = try parts()
    guard let unknownID = vocabulary.id(of: parts.unknown.string) else {
      throw .file(
        context.error("unk_token '\(parts.unknown.string.prefix(60))' is not in the vocabulary"))
    }
    return WordPieceTokenizer(
      model: WordPieceModel(
        vocabulary: vocabulary, unknownID: unknownID, prefix: parts.prefix.string,
        maximumWordLength: parts.maximumWordLength),
      pipeline: try context.pipeline(parts.pipeline, vocabulary, special, lowercasing))
  }

  // MARK: Readings

  /// The parts as transformers 4 reads them; unless that saved the model, 5 must read the same.
  private func parts() throws(PreprocessingError) -> WordPieceParts {
    if context.kind == .mpnet { return try mpnet() }
    guard context.kind.isBert else { return try asFileSays() }
    guard let file = context.file else { return try built() }
    guard try file.root.part("normalizer") != nil else {
      throw .file(
        context.error(
          "has no normalizer: transformers up to 4.57 does not load that as BERT's tokenizer, from "
            + "5.0 on it takes one of its own; save the model again with the version in use"))
    }
    let four = try overridden()
    guard context.model.library != .four else {
      try checkEnds(four.pipeline)
      return four
    }
    let five = try fifth()
    let differences = four.differences(from: five)
    guard differences.isEmpty else { throw .file(context.disagreement(differences)) }
    return four.sharing(five)
  }

  /// Up to 4.57 `tokenizer.json` defines the tokens around a text, from 5.0 on these two keys do: a
  /// file in which they differ is refused, whichever version saved the model.
  private func checkEnds(_ parts: PipelineParts) throws(PreprocessingError) {
    let ends = [
      (SpecialTokens.Name.classifier, parts.template.before),
      (.separator, parts.template.after),
    ]
    for (name, ids) in ends where !ids.isEmpty {
      guard case .some(.some(let entry)) = context.configuration.special.named[name],
        let id = parts.added.id(of: entry.content) ?? vocabulary.id(of: entry.content),
        !ids.contains(id)
      else { continue }
      throw .file(
        JSONError(
          origin: entry.origin, position: entry.position,
          fault: "'\(name.rawValue)' is '\(entry.content.prefix(60))', and tokenizer.json puts "
            + "another token there; transformers up to 4.57 takes the latter, from 5.0 on the former"
        ))
    }
  }

  var special: [(name: SpecialTokens.Name, entry: AddedTokenEntry)] {
    context.special(context.kind.wordPieceTokens)
  }

  private func added(_ begin: [AddedTokenEntry]) throws(JSONError) -> AddedTokens {
    try context.addedTokens(begin, special.map(\.entry), vocabulary)
  }

  /// The parts as `tokenizer.json` has them, plus tokens that other files add.
  func asFileSays() throws(PreprocessingError) -> WordPieceParts {
    guard let file = context.file else {
      throw .file(context.error("cannot be read without tokenizer.json"))
    }
    let added = try reading { () throws(JSONError) in
      try self.added(file.addedEntries())
    }
    let parts = try file.wordPieceParts(added, vocabulary)
    if context.isFolder, case .byteLevel? = parts.pipeline.preTokenizer.only {
      throw .file(
        context.error(
          "has the pre_tokenizer 'ByteLevel', which is supported for model 'BPE' only"))
    }
    return parts
  }

  /// As BERT's class does up to 4.57: its settings override those of a BertNormalizer.
  private func overridden() throws(PreprocessingError) -> WordPieceParts {
    var parts = try asFileSays()
    if var settings = parts.pipeline.normalizer.bert {
      settings.stripsAccents = context.configuration.stripsAccents
      settings.lowercases = context.configuration.lowercases ?? true
      settings.spacesIdeographs = context.configuration.spacesIdeographs
      let before = parts.pipeline.normalizer
      parts.pipeline.normalizer = Normalizer(bert: settings)
      try parts.pipeline.added.checkSame(
        before, parts.pipeline.normalizer, because: "tokenizer_config.json")
    }
    return parts
  }

  /// As BERT's class does from 5.0 on, and every version from `vocab.txt`: it sets everything
  /// but the vocabulary and the added tokens.
  func built() throws(PreprocessingError) -> WordPieceParts {
    let added = try reading { () throws(JSONError) in try self.added(classMask) }
    let classifier = try token(.classifier), separator = try token(.separator)
    let idOf = { (token: String) in added.id(of: token) ?? vocabulary.id(of: token) ?? 0 }
    let (start, end) = (idOf(classifier), idOf(separator))
    return WordPieceParts(
      unknown: ExactString(try token(.unknown)), prefix: ExactString("##"),
      maximumWordLength: 100,
      pipeline: PipelineParts(
        normalizer: Normalizer(
          bert: BertNormalizer(
            cleans: true, spacesIdeographs: context.configuration.spacesIdeographs,
            stripsAccents: context.configuration.stripsAccents,
            lowercases: context.configuration.lowercases ?? true)),
        preTokenizer: PreTokenizer(steps: [.bert]),
        template: SpecialTokenTemplate(
          before: [start], after: [end],
          pair: context.kind == .mpnet ? .roberta(start, end) : .bert(start, end)),
        added: added))
  }

  /// As the class of the model does from 5.0 on.
  private func fifth() throws(PreprocessingError) -> WordPieceParts {
    let built = try built()
    guard context.kind == .bertsOnce else { return built }
    var parts = try asFileSays()
    parts.pipeline.template = built.pipeline.template
    return parts
  }

  /// A special token that may not be missing.
  private func token(_ name: SpecialTokens.Name) throws(PreprocessingError) -> String {
    guard let found = special.first(where: { $0.name == name }) else {
      throw .file(
        context.error(
          "'\(name.rawValue)' is null, and \(context.kind == .mpnet ? "MPNet" : "BERT")'s tokenizer "
            + "needs it"
        ))
    }
    return found.entry.content
  }
}

/// The parts of a WordPiece tokenizer besides its vocabulary.
struct WordPieceParts: Equatable, Sendable {
  /// The token of a word that cannot be split into pieces.
  var unknown: ExactString
  /// The prefix of pieces that continue a word.
  var prefix: ExactString
  /// Words of more scalars than this are unknown as a whole.
  var maximumWordLength: Int
  var pipeline: PipelineParts

  /// The same, with what goes around two texts only where another reading has it too.
  func sharing(_ other: WordPieceParts) -> WordPieceParts {
    var shared = self
    shared.pipeline = pipeline.sharing(other.pipeline)
    return shared
  }

  /// Names of the parts in which another reading of the same files differs.
  func differences(from other: WordPieceParts) -> [String] {
    [
      unknown == other.unknown ? nil : "the unknown token",
      prefix == other.prefix && maximumWordLength == other.maximumWordLength
        ? nil : "how words are cut into pieces",
    ].compactMap { $0 } + pipeline.differences(from: other.pipeline)
  }
}

extension WordPieceTokenizer: TokenizerOfFile {
  static let modelType = "WordPiece"

  static func read(
    _ file: TokenizerFile, _ context: TokenizerContext, _ lowercasing: TextPreparation.Lowercasing
  ) throws(PreprocessingError) -> WordPieceTokenizer {
    try WordPieceAssembly(context, file.wordPieceVocabulary(), lowercasing: lowercasing).tokenizer()
  }
}
