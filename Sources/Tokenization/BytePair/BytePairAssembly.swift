import StrictJSON

/// Builds a byte-pair tokenizer, as OpenCLIP or the library `transformers` does.
struct BytePairAssembly {
  let context: TokenizerContext
  let file: TokenizerFile
  /// The model as the file says it.
  let model: BytePairModel

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
    let template = try SpecialTokenTemplate(file.root.part("post_processor")) { idOf($0, added) }
    guard template.before.count == 1, template.after.count == 1 else {
      throw .file(
        file.root.error(
          "'post_processor' puts \(template.before.count) tokens before a text and "
            + "\(template.after.count) behind it, OpenCLIP needs 1 and 1",
          at: file.root["post_processor"]?.position ?? file.root.position))
    }
    let parts = PipelineParts(
      normalizer: Normalizer(steps: []), preTokenizer: PreTokenizer(steps: []),
      template: template, added: added)
    let length = try reading { () throws(JSONError) in try file.declaredMaximumLength() }
    let pipeline = try TokenizerPipeline(
      parts, highestID: model.vocabulary.highestID, paddingID: 0,
      lengths: TextLengths(declared: length, configured: nil), sides: TextSides())
    return BytePairTokenizer(
      model: model, pipeline: pipeline, openCLIP: template.before + template.after)
  }

  // MARK: Hugging Face

  func huggingFace(
    _ lowercasing: TextPreparation.Lowercasing
  ) throws(PreprocessingError) -> BytePairTokenizer {
    let parts = try parts()
    let model = BytePairModel(
      vocabulary: model.vocabulary, merges: model.merges, settings: parts.settings)
    return BytePairTokenizer(
      model: model,
      pipeline: try context.pipeline(
        parts.pipeline, model.vocabulary, special, lowercasing,
        padding: parts.pipeline.template.after.last),
      openCLIP: nil)
  }

  /// The parts as the generation of transformers reads them that saved the model; without its
  /// version both must read the same. CLIP's from 5.0 on must be read the same by both, too.
  private func parts() throws(PreprocessingError) -> BytePairParts {
    guard context.isFolder else { return try asFileSays() }
    let four = try fourth(), library = context.model.library
    guard library != .four else { return four }
    guard context.kind == .file || !context.model.takesFile else {
      throw .file(context.disagreement(["the class that reads them"]))
    }
    let five = try fifth()
    if library == .five, context.kind != .clip { return five }
    let differences = four.differences(from: five)
    guard differences.isEmpty else { throw .file(context.disagreement(differences)) }
    var shared = four
    shared.pipeline = four.pipeline.sharing(five.pipeline)
    return shared
  }

  /// The parts as `tokenizer.json` has them, plus tokens that other files add.
  func asFileSays() throws(PreprocessingError) -> BytePairParts {
    let added = try reading { () throws(JSONError) in
      try self.added(file.addedEntries())
    }
    return BytePairParts(
      settings: model.settings, spellsEveryByte: model.spellsEveryByte,
      pipeline: try file.pipelineParts(added, model.vocabulary))
  }

  // MARK: Tokens

  var special: [(name: SpecialTokens.Name, entry: AddedTokenEntry)] {
    context.special(context.kind.bytePairTokens)
  }

  func added(_ begin: [AddedTokenEntry]) throws(JSONError) -> AddedTokens {
    try context.addedTokens(begin, special.map(\.entry), model.vocabulary)
  }

  func idOf(_ token: String, _ added: AddedTokens) -> Int32? {
    added.id(of: token) ?? model.vocabulary.id(of: token)
  }

  /// The id of a special token that may not be missing.
  func id(_ name: SpecialTokens.Name, _ added: AddedTokens) throws(PreprocessingError) -> Int32 {
    guard let found = special.first(where: { $0.name == name }),
      let id = idOf(found.entry.content, added)
    else {
      throw .file(
        context.error("'\(name.rawValue)' is null, and the tokenizer's class needs it"))
    }
    return id
  }
}

/// The parts of a byte-pair tokenizer besides its vocabulary and merges.
struct BytePairParts {
  var settings: BytePairModel.Settings
  /// Whether no text has a character without a token.
  let spellsEveryByte: Bool
  var pipeline: PipelineParts

  /// Names of the parts in which another reading of the same files differs.
  func differences(from other: BytePairParts) -> [String] {
    var found = TokenizerDifferences()
    found.compare(comparable == other.comparable, "how words are cut into pieces")
    var (ours, theirs) = (pipeline, other.pipeline)
    // If special tokens are found in normalised text, CLIP's expression sees none of them.
    if !ours.added.tokens.contains(where: { !$0.entry.isNormalized }) {
      ours.preTokenizer = ours.preTokenizer.withoutTokens
      theirs.preTokenizer = theirs.preTokenizer.withoutTokens
    }
    return found.parts + ours.differences(from: theirs)
  }

  /// The settings without those that nothing depends on if every text can be spelt.
  private var comparable: BytePairModel.Settings {
    var settings = settings
    guard spellsEveryByte, settings.byteIDs == nil else { return settings }
    settings.unknownID = nil
    settings.fusesUnknown = false
    return settings
  }
}

extension PreTokenizer {
  /// The same with CLIP's expression without special tokens in it.
  fileprivate var withoutTokens: PreTokenizer {
    PreTokenizer(
      steps: steps.map { step in
        guard case .split(let split) = step, split.pattern == .clip(withTokens: true) else {
          return step
        }
        return .split(
          SplitStep(
            pattern: .clip(withTokens: false), behavior: split.behavior, inverts: split.inverts))
      })
  }
}
