import StrictJSON

extension WordPieceAssembly {
  /// The parts as the generation of transformers reads them that saved the model; without its
  /// version both must read the same.
  func mpnet() throws(PreprocessingError) -> WordPieceParts {
    // Of `vocab.txt` every version makes the same.
    guard context.file != nil else { return try built() }
    let four = try fourthMPNet()
    switch context.model.library {
    case .four: return four
    case .five: return try built()
    case nil:
      let five = try built()
      let differences = four.differences(from: five)
      guard differences.isEmpty else { throw .file(context.disagreement(differences)) }
      return four.sharing(five)
    }
  }

  /// As MPNet's class does up to 4.57: two of its settings override those of a BertNormalizer.
  private func fourthMPNet() throws(PreprocessingError) -> WordPieceParts {
    var parts = try asFileSays()
    guard try context.file?.root.part("normalizer") != nil else {
      throw .file(
        context.error(
          "has no normalizer: transformers up to 4.57 does not load that as MPNet's tokenizer"))
    }
    if var settings = parts.pipeline.normalizer.bert {
      settings.stripsAccents = context.configuration.stripsAccents
      settings.lowercases = context.configuration.lowercases ?? true
      let before = parts.pipeline.normalizer
      parts.pipeline.normalizer = Normalizer(bert: settings)
      try parts.pipeline.added.checkSame(
        before, parts.pipeline.normalizer, because: "tokenizer_config.json")
    }
    return parts
  }
}

extension WordPieceAssembly {
  /// The token for masks as MPNet's class adds it where no file describes it.
  var classMask: [AddedTokenEntry] {
    guard context.kind == .mpnet, context.file == nil,
      let mask = special.first(where: { $0.name == .mask }), !mask.entry.hasFlags
    else { return [] }
    var entry = mask.entry
    entry.stripsLeft = true
    return [entry]
  }
}

extension TokenizerKind {
  /// The special tokens of the class, for WordPiece.
  var wordPieceTokens: [SpecialTokens.Name: String] {
    switch self {
    case .bert, .bertsOnce:
      [
        .unknown: "[UNK]", .separator: "[SEP]", .padding: "[PAD]", .classifier: "[CLS]",
        .mask: "[MASK]",
      ]
    case .mpnet:
      [
        .start: "<s>", .end: "</s>", .unknown: "[UNK]", .separator: "</s>", .padding: "<pad>",
        .classifier: "<s>", .mask: "<mask>",
      ]
    default: [:]
    }
  }
}
