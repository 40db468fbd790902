import StrictJSON

/// How the generations of `transformers` read the files of byte-pair tokenizers, class by class.
extension BytePairAssembly {
  // MARK: Up to 4.57

  /// `tokenizer.json`, and a few settings laid over it.
  func fourth() throws(PreprocessingError) -> BytePairParts {
    var parts = try asFileSays()
    // A part `ByteLevel` within a sequence keeps what it says.
    if case .byteLevel(let step)? = parts.pipeline.preTokenizer.only,
      let addsSpace = context.configuration.byteLevelSpace
    {
      parts.pipeline.preTokenizer = PreTokenizer(
        steps: [.byteLevel(ByteLevelStep(addsSpace: addsSpace, cuts: step.cuts))])
    }
    if context.kind == .gemma {
      let added = parts.pipeline.added
      parts.pipeline.template = SpecialTokenTemplate(
        before: context.configuration.addsStart ?? true ? [try id(.start, added)] : [],
        after: context.configuration.addsEnd ?? false ? [try id(.end, added)] : [])
    }
    return parts
  }

  // MARK: From 5.0 on

  /// What the class builds itself from vocabulary and merges; else the file.
  func fifth() throws(PreprocessingError) -> BytePairParts {
    var parts = try asFileSays()
    guard context.kind != .file else { return parts }
    let added = try reading { () throws(JSONError) in try self.added([]) }
    parts.pipeline.added = added
    parts.settings = BytePairModel.Settings()
    parts.pipeline.normalizer = Normalizer(steps: [])
    let addsSpace = context.configuration.byteLevelSpace ?? false
    parts.pipeline.preTokenizer = PreTokenizer(
      steps: [.byteLevel(ByteLevelStep(addsSpace: addsSpace, cuts: true))])
    switch context.kind {
    case .roberta, .deberta:
      let (start, end) = (try id(.classifier, added), try id(.separator, added))
      parts.pipeline.template = SpecialTokenTemplate(
        before: [start], after: [end], pair: context.kind == .roberta ? .roberta(start, end) : nil)
    case .qwen:
      parts.pipeline.normalizer = Normalizer(steps: [.compose])
      parts.pipeline.preTokenizer = PreTokenizer(
        steps: [
          .split(SplitStep(pattern: .qwen, behavior: .isolated, inverts: false)),
          .byteLevel(ByteLevelStep(addsSpace: addsSpace, cuts: false)),
        ])
    case .gemma: try buildGemma(&parts, added)
    case .clip: try buildCLIP(&parts, added)
    default: break
    }
    return parts
  }

  private func buildGemma(
    _ parts: inout BytePairParts, _ added: AddedTokens
  ) throws(PreprocessingError) {
    parts.settings = BytePairModel.Settings(
      unknownID: try id(.unknown, added), fusesUnknown: true, byteIDs: model.vocabulary.byteIDs)
    parts.pipeline.normalizer = .gemma
    parts.pipeline.preTokenizer = .gemma
  }

  private func buildCLIP(
    _ parts: inout BytePairParts, _ added: AddedTokens
  ) throws(PreprocessingError) {
    parts.settings = model.settings
    parts.pipeline.normalizer = Normalizer(
      steps: [.compose, .collapseSpace, .lowercase], lowercasesAsMember: true)
    parts.pipeline.preTokenizer = PreTokenizer(
      steps: [
        .split(SplitStep(pattern: .clip(withTokens: true), behavior: .removed, inverts: true)),
        .byteLevel(ByteLevelStep(addsSpace: false, cuts: true)),
      ])
    parts.pipeline.template = SpecialTokenTemplate(
      before: [try id(.start, added)], after: [try id(.end, added)])
  }
}

extension TokenizerKind {
  /// The token for masks of a class that some versions read in a way of their own.
  var maskToken: String? {
    switch self {
    case .roberta, .mpnet, .gemma: "<mask>"
    case .deberta: "[MASK]"
    default: nil
    }
  }

  /// The special tokens of the class, for byte pairs.
  var bytePairTokens: [SpecialTokens.Name: String] {
    switch self {
    case .clip:
      [
        .start: "<|startoftext|>", .end: "<|endoftext|>", .unknown: "<|endoftext|>",
        .padding: "<|endoftext|>",
      ]
    case .roberta:
      [
        .start: "<s>", .end: "</s>", .unknown: "<unk>", .separator: "</s>", .padding: "<pad>",
        .classifier: "<s>", .mask: "<mask>",
      ]
    case .gpt2: [.start: "<|endoftext|>", .end: "<|endoftext|>", .unknown: "<|endoftext|>"]
    case .qwen: [.end: "<|endoftext|>", .unknown: "<|endoftext|>", .padding: "<|endoftext|>"]
    case .gemma:
      [.start: "<bos>", .end: "<eos>", .unknown: "<unk>", .padding: "<pad>"]
    case .deberta:
      [
        .start: "[CLS]", .end: "[SEP]", .unknown: "[UNK]", .separator: "[SEP]",
        .padding: "[PAD]", .classifier: "[CLS]", .mask: "[MASK]",
      ]
    default: [:]
    }
  }
}

extension Normalizer {
  /// That of Gemma's class.
  static let gemma = Normalizer(steps: [
    .replace(TextReplacement(pattern: .text([0x20]), content: [0x2581]))
  ])
}

extension PreTokenizer {
  /// That of Gemma's class.
  static let gemma = PreTokenizer(steps: [
    .split(SplitStep(pattern: .string([0x20]), behavior: .mergedWithPrevious, inverts: false))
  ])

  /// The step, if there is one and no more.
  var only: Step? { steps.count == 1 ? steps[0] : nil }
}
