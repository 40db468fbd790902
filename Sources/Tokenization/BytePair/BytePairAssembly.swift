import StrictJSON

/// Builds a byte-pair tokenizer, as OpenCLIP or the library `transformers` does.
struct BytePairAssembly {
  /// Its parts besides the model.
  private struct Parts {
    var normalizer: Normalizer
    var splitter: BytePairSplitter
    var template: SpecialTokenTemplate
    var added: AddedTokens

    /// Names of the parts in which another reading of the same files differs.
    func differences(from other: Parts) -> [String] {
      // If special tokens are found in normalised text, the splitter sees none of them.
      let isCut = added.tokens.contains { !$0.entry.isNormalized }
      return [
        normalizer == other.normalizer ? nil : "the normalizer",
        splitter.cutsAsWords == other.splitter.cutsAsWords || !isCut
          ? nil : "the pre_tokenizer",
        template == other.template ? nil : "the special tokens around a text",
        added == other.added ? nil : "the added tokens",
      ].compactMap { $0 }
    }
  }

  /// The special tokens of CLIP's classes.
  private static let defaults: [SpecialTokens.Name: String] = [
    .start: "<|startoftext|>", .end: "<|endoftext|>", .unknown: "<|endoftext|>",
    .padding: "<|endoftext|>",
  ]

  private let context: TokenizerContext
  private let file: TokenizerFile
  private let model: BytePairModel

  init(
    _ context: TokenizerContext, _ file: TokenizerFile, _ cleaning: TextCleaning
  ) throws(PreprocessingError) {
    self.context = context
    self.file = file
    model = try file.bytePairModel(cleaning)
  }

  // MARK: OpenCLIP

  /// Normalises and splits text as OpenCLIP does, and ignores what the file says about either.
  func openCLIP() throws(PreprocessingError) -> BytePairTokenizer {
    let added = try reading { () throws(JSONError) in
      try self.added(file.addedEntries())
    }
    let template = try template(added)
    guard template.before.count == 1, template.after.count == 1 else {
      throw .file(
        file.root.error(
          "'post_processor' puts \(template.before.count) tokens before a text and "
            + "\(template.after.count) behind it, OpenCLIP needs 1 and 1",
          at: file.root["post_processor"]?.position ?? file.root.position))
    }
    // A token that is empty once normalised is an error here too.
    _ = try reading { () throws(JSONError) in try added.matchers(Normalizer(steps: [])) }
    return try tokenizer(
      .openCLIP(specialIDs: template.before + template.after), template, added, paddingID: 0,
      TextSides())
  }

  // MARK: Hugging Face

  func huggingFace(
    _ lowercasing: TextPreparation.Lowercasing
  ) throws(PreprocessingError) -> BytePairTokenizer {
    var parts = try parts()
    if lowercasing == .normalizer { try parts.normalizer.lowercaseFirst(parts.added) }
    let matchers = try reading { () throws(JSONError) in
      try parts.added.matchers(parts.normalizer)
    }
    return try tokenizer(
      .file(
        parts.normalizer, parts.splitter, raw: matchers.raw, normalized: matchers.normalized),
      parts.template, parts.added,
      paddingID: try reading { () throws(JSONError) in try paddingID(parts) }, try context.sides())
  }

  private func paddingID(_ parts: Parts) throws(JSONError) -> Int32 {
    if let padding = special.first(where: { $0.name == .padding }) {
      return idOf(padding.entry.content, parts.added) ?? 0
    }
    return try file.paddingID() ?? parts.template.after.last ?? 0
  }

  /// The parts as transformers 4 reads them; unless that saved the model, 5 must read the same.
  private func parts() throws(PreprocessingError) -> Parts {
    guard context.kind == .clip else { return try asFileSays() }
    let four = try asFileSays()
    guard context.model.library != .four else { return four }
    let differences = four.differences(from: try built())
    guard differences.isEmpty else { throw .file(context.disagreement(differences)) }
    return four
  }

  private func asFileSays() throws(PreprocessingError) -> Parts {
    let normalizer = try Normalizer(file.root.part("normalizer"))
    let splitter = try file.bytePairSplitter()
    let added = try reading { () throws(JSONError) in
      try self.added(file.addedEntries())
    }
    return Parts(
      normalizer: normalizer, splitter: splitter, template: try template(added), added: added)
  }

  /// As CLIP's class does from 5.0 on: it sets everything but the model and the added tokens.
  private func built() throws(PreprocessingError) -> Parts {
    let added = try reading { () throws(JSONError) in try self.added([]) }
    return Parts(
      normalizer: Normalizer(
        steps: [.compose, .collapseSpace, .lowercase], lowercasesAsMember: true),
      splitter: .huggingFaceWithTokens,
      template: SpecialTokenTemplate(
        before: [try id(.start, added)], after: [try id(.end, added)]),
      added: added)
  }

  // MARK: Tokens

  private var special: [(name: SpecialTokens.Name, entry: AddedTokenEntry)] {
    context.special(context.kind == .clip ? BytePairAssembly.defaults : [:])
  }

  private func added(_ begin: [AddedTokenEntry]) throws(JSONError) -> AddedTokens {
    try context.addedTokens(begin, special.map(\.entry), model.vocabulary)
  }

  private func idOf(_ token: String, _ added: AddedTokens) -> Int32? {
    added.id(of: token) ?? model.vocabulary.id(of: token)
  }

  /// The id of a special token that may not be missing.
  private func id(
    _ name: SpecialTokens.Name, _ added: AddedTokens
  ) throws(PreprocessingError) -> Int32 {
    guard let found = special.first(where: { $0.name == name }),
      let id = idOf(found.entry.content, added)
    else {
      throw .file(context.error("'\(name.rawValue)' is null, and CLIP's tokenizer needs it"))
    }
    return id
  }

  private func template(_ added: AddedTokens) throws(PreprocessingError) -> SpecialTokenTemplate {
    try SpecialTokenTemplate(file.root.part("post_processor")) { idOf($0, added) }
  }

  private func tokenizer(
    _ preparation: BytePairTokenizer.Preparation, _ template: SpecialTokenTemplate,
    _ added: AddedTokens, paddingID: Int32, _ sides: TextSides
  ) throws(PreprocessingError) -> BytePairTokenizer {
    BytePairTokenizer(
      model: model, template: template, preparation: preparation, added: added,
      vocabularySize: Int(max(model.vocabulary.highestID, added.highestListedID)) + 1,
      paddingID: paddingID,
      declaredMaximumLength: try reading { () throws(JSONError) in
        try file.declaredMaximumLength()
      },
      configuredMaximumLength: context.configuration.maximumLength, sides: sides)
  }
}

extension BytePairTokenizer: TokenizerOfFile {
  static let modelType = "BPE"

  static func read(
    _ file: TokenizerFile, _ context: TokenizerContext, _ lowercasing: TextPreparation.Lowercasing
  ) throws(PreprocessingError) -> BytePairTokenizer {
    try BytePairAssembly(context, file, .asFileSays).huggingFace(lowercasing)
  }
}
