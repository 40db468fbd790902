package import StrictJSON

/// Reads tokenizer files of every kind that is supported.
package enum TextTokenizers {
  /// Every kind of model that a `tokenizer.json` may have.
  static let kinds: [any TokenizerOfFile.Type] = [
    BytePairTokenizer.self, UnigramTokenizer.self, WordLevelTokenizer.self, WordPieceTokenizer.self,
  ]

  /// Builds the tokenizer that a model's files describe.
  ///
  /// Throws if a file is malformed, contradicts another, or asks for something not supported here.
  ///
  /// - Parameters:
  ///   - files: must hold a tokenizer (`hasTokenizer`).
  ///   - cleaning: `.openCLIP` for a model that OpenCLIP's own tokenizer prepares texts for; only
  ///     `tokenizer.json` of its files counts.
  ///   - lowercasing: of `TextPreparation`; only `.normalizer` is done here.
  ///   - framing: of `TextPreparation`.
  package static func read(
    _ files: TokenizerFiles, cleaning: TextCleaning = .asFileSays,
    lowercasing: TextPreparation.Lowercasing = .none, framing: TokenFraming = .specialTokens
  ) throws(PreprocessingError) -> any TextTokenizer {
    if framing == .zeroedSeparators {
      let base = try read(files, cleaning: cleaning, lowercasing: lowercasing)
      return try ZeroedSeparators(base, TokenizerContext(files))
    }
    if framing == .twoTexts {
      let base = try read(files, cleaning: cleaning, lowercasing: lowercasing)
      guard base.tokens(of: "", and: "", maximumLength: 0) != nil else {
        throw .file(
          try TokenizerContext(files).error(
            "says no one way to put special tokens around two texts, which the model reads "
              + "together; supported are TemplateProcessing with a 'pair' of A and B, "
              + "BertProcessing and RobertaProcessing"))
      }
      return base
    }
    if framing != .specialTokens, let file = files[.tokenizer] { return try bare(file, framing) }
    if cleaning == .openCLIP, let file = files[.tokenizer] {
      return try read(json: file.bytes, origin: file.origin, cleaning: cleaning)
    }
    let files = try BytePairFiles(files)?.completed() ?? files
    return try tokenizer(try TokenizerContext(files), files, cleaning, lowercasing)
  }

  /// Reads a `tokenizer.json` without other files; its `model` decides the kind of tokenizer.
  ///
  /// Throws if the text is malformed, contradicts itself, or uses an unsupported part.
  ///
  /// - Parameters:
  ///   - origin: the file the text came from, for messages.
  ///   - cleaning: `.openCLIP` for a model that OpenCLIP's own tokenizer prepares texts for; its
  ///     file must use byte pairs.
  package static func read(
    json: [UInt8], origin: String, cleaning: TextCleaning
  ) throws(PreprocessingError) -> any TextTokenizer {
    let root = try reading { () throws(JSONError) in
      try JSONParser.parseObject(json, origin: origin, limits: .tokenizer)
    }
    return try tokenizer(
      try TokenizerContext(TokenizerFile(root)), TokenizerFiles([:]), cleaning, .none)
  }

  /// `tokenizer.json` alone, without special tokens around a text.
  private static func bare(
    _ file: TokenizerFiles.File, _ framing: TokenFraming
  ) throws(PreprocessingError) -> any TextTokenizer {
    let base = try read(json: file.bytes, origin: file.origin, cleaning: .asFileSays)
    guard framing == .noneOfCutText else { return BareTokenizer(base, charactersPerToken: nil) }
    let root = try reading { () throws(JSONError) in
      try JSONParser.parseObject(file.bytes, origin: file.origin, limits: .tokenizer)
    }
    let parts = try TokenizerFile(root)
    let median = try reading { () throws(JSONError) in try parts.medianTokenLength() }
    return BareTokenizer(base, charactersPerToken: median)
  }

  /// The fault of a model that the class of the tokenizer does not read; it names the class where a
  /// file does.
  private static func misfit(
    of part: JSONObject, _ type: String, for context: TokenizerContext
  ) -> PreprocessingError {
    let known = context.kind.models.map { $0.modelType }
    guard context.kind != .file,
      let word = context.configuration.className ?? context.model.className
    else { return part.unsupported("model", type, at: "type", known: known) }
    return .file(
      word.object.error(
        "\(word.key) '\(word.text)' reads models of the type \(known.joined(separator: ", ")), "
          + "tokenizer.json has '\(type.prefix(60))'",
        at: word.object[word.key]?.position ?? word.object.position))
  }

  private static func tokenizer(
    _ context: TokenizerContext, _ files: TokenizerFiles, _ cleaning: TextCleaning,
    _ lowercasing: TextPreparation.Lowercasing
  ) throws(PreprocessingError) -> any TextTokenizer {
    guard let file = context.file else {
      return try withoutFile(context, files, lowercasing)
    }
    let (part, type) = try file.model()
    guard cleaning == .asFileSays else {
      let bytePairs = BytePairTokenizer.modelType
      guard type == bytePairs else {
        throw part.unsupported("model for OpenCLIP", type, at: "type", known: [bytePairs])
      }
      return try BytePairAssembly(context, file, cleaning).openCLIP()
    }
    guard let kind = context.kind.models.first(where: { $0.modelType == type }) else {
      throw misfit(of: part, type, for: context)
    }
    return try kind.read(file, context, lowercasing)
  }

  /// The tokenizer that a class makes of files of pieces, without `tokenizer.json`.
  private static func withoutFile(
    _ context: TokenizerContext, _ files: TokenizerFiles,
    _ lowercasing: TextPreparation.Lowercasing
  ) throws(PreprocessingError) -> any TextTokenizer {
    switch context.kind {
    case .bert, .bertsOnce, .mpnet:
      if let file = files[.vocabulary] {
        let vocabulary = try reading { () throws(JSONError) in
          try VocabularyFile.vocabulary(file)
        }
        return try WordPieceAssembly(context, vocabulary, lowercasing: lowercasing).tokenizer()
      }
    case .unigram(let unigramClass):
      if let file = files[unigramClass.sentencePieceFile] {
        return try SentencePieceAssembly(context, file, unigramClass).tokenizer(lowercasing)
      }
    case .gemma:
      if let file = files[.sentencePieceOfGemma] {
        return try SentencePieceBytePairs(context, file).tokenizer(lowercasing)
      }
    case .siglip:
      return try SiglipTokenizer(context, files[.sentencePiece], lowercasing)
    case .clip, .roberta, .gpt2, .qwen, .deberta, .file: break
    }
    throw .file(
      context.error(
        "the tokenizer's class does not make a tokenizer of it, and tokenizer.json is missing"))
  }
}

/// A tokenizer that the part `model` of a `tokenizer.json` describes: one file, and its type in
/// `TextTokenizers.kinds`.
protocol TokenizerOfFile: TextTokenizer {
  /// The `type` of the part.
  static var modelType: String { get }

  /// Reads the file.
  ///
  /// - Parameters:
  ///   - context: what other files of the model say, too.
  ///   - lowercasing: of `TextPreparation`; only `.normalizer` is done here.
  /// - Throws: what is malformed, contradicts itself or is not supported.
  static func read(
    _ file: TokenizerFile, _ context: TokenizerContext, _ lowercasing: TextPreparation.Lowercasing
  ) throws(PreprocessingError) -> Self
}

extension TokenizerKind {
  /// The kinds of model in `tokenizer.json` that the class reads.
  fileprivate var models: [any TokenizerOfFile.Type] {
    switch self {
    case .bert, .bertsOnce, .mpnet: [WordPieceTokenizer.self]
    case .clip, .roberta, .gpt2, .qwen, .deberta, .gemma: [BytePairTokenizer.self]
    case .unigram: [UnigramTokenizer.self]
    case .siglip: []
    case .file: TextTokenizers.kinds
    }
  }
}
