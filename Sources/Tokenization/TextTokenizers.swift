package import StrictJSON

/// Reads tokenizer files of every kind that is supported.
package enum TextTokenizers {
  /// Builds the tokenizer that a model's files describe.
  ///
  /// Throws if a file is malformed, contradicts another, or asks for something not supported here.
  ///
  /// - Parameters:
  ///   - files: must hold a tokenizer (`hasTokenizer`).
  ///   - cleaning: `.openCLIP` for a model that OpenCLIP's own tokenizer prepares texts for; only
  ///     `tokenizer.json` of its files counts.
  ///   - lowercasing: of `TextPreparation`; only `.normalizer` is done here.
  package static func read(
    _ files: TokenizerFiles, cleaning: TextCleaning = .asFileSays,
    lowercasing: TextPreparation.Lowercasing = .none
  ) throws(PreprocessingError) -> any TextTokenizer {
    if cleaning == .openCLIP, let file = files[.tokenizer] {
      return try read(json: file.bytes, origin: file.origin, cleaning: cleaning)
    }
    return try tokenizer(try TokenizerContext(files), files[.vocabulary], cleaning, lowercasing)
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
      try JSONParser.parseObject(json, origin: origin)
    }
    return try tokenizer(try TokenizerContext(TokenizerFile(root)), nil, cleaning, .none)
  }

  private static func tokenizer(
    _ context: TokenizerContext, _ pieces: TokenizerFiles.File?, _ cleaning: TextCleaning,
    _ lowercasing: TextPreparation.Lowercasing
  ) throws(PreprocessingError) -> any TextTokenizer {
    guard let file = context.file else {
      return try wordPiece(context, pieces, lowercasing)
    }
    let (part, type) = try file.model()
    guard cleaning == .asFileSays else {
      guard type == "BPE" else {
        throw part.unsupported("model for OpenCLIP", type, at: "type", known: ["BPE"])
      }
      return try BytePairAssembly(context, file, cleaning).openCLIP()
    }
    guard context.kind.models.contains(type) else {
      throw part.unsupported("model", type, at: "type", known: context.kind.models)
    }
    if type == "BPE" {
      return try BytePairAssembly(context, file, cleaning).huggingFace(lowercasing)
    }
    return try WordPieceAssembly(context, file.wordPieceVocabulary(), lowercasing: lowercasing)
      .tokenizer()
  }

  /// Without `tokenizer.json` only the pieces of BERT's class are known.
  private static func wordPiece(
    _ context: TokenizerContext, _ pieces: TokenizerFiles.File?,
    _ lowercasing: TextPreparation.Lowercasing
  ) throws(PreprocessingError) -> any TextTokenizer {
    guard let pieces, context.kind.isBert else {
      throw .file(
        context.error("only BERT's tokenizer can be made of it, and there is no tokenizer.json"))
    }
    let vocabulary = try reading { () throws(JSONError) in
      try VocabularyFile.vocabulary(pieces)
    }
    return try WordPieceAssembly(context, vocabulary, lowercasing: lowercasing).tokenizer()
  }
}

extension TokenizerKind {
  /// The kinds of model in `tokenizer.json` that the class reads.
  fileprivate var models: [String] {
    switch self {
    case .bert, .bertsOnce: ["WordPiece"]
    case .clip: ["BPE"]
    case .file: ["BPE", "WordPiece"]
    }
  }
}
