import StrictJSON

/// Builds a Unigram tokenizer from a model's files as the library `transformers` does.
struct UnigramAssembly {
  private let context: TokenizerContext
  private let file: TokenizerFile
  private let model: UnigramModel

  init(_ context: TokenizerContext, _ file: TokenizerFile, _ model: UnigramModel) {
    self.context = context
    self.file = file
    self.model = model
  }

  func tokenizer(
    _ lowercasing: TextPreparation.Lowercasing
  ) throws(PreprocessingError) -> UnigramTokenizer {
    UnigramTokenizer(
      model: model,
      pipeline: try context.pipeline(try parts(), model.vocabulary, special, lowercasing))
  }

  private var unigramClass: UnigramClass? {
    if case .unigram(let found) = context.kind { found } else { nil }
  }

  private var special: [(name: SpecialTokens.Name, entry: AddedTokenEntry)] {
    context.special(unigramClass?.specialTokens ?? [:])
  }

  // MARK: Readings

  /// The parts as transformers 4 reads them; unless that saved the model, 5 must read the same.
  private func parts() throws(PreprocessingError) -> PipelineParts {
    let four = try asFileSays()
    guard let unigramClass, context.model.library != .four else { return four }
    let five = try built(unigramClass)
    var differences = four.differences(from: five)
    if model.byteIDs != nil { differences.append("how unknown characters are spelt") }
    if model.unknownID != unknownID(of: unigramClass) { differences.append("the unknown token") }
    guard differences.isEmpty else { throw .file(context.disagreement(differences)) }
    return four.sharing(five)
  }

  /// The parts as `tokenizer.json` has them, plus tokens that other files add.
  private func asFileSays() throws(PreprocessingError) -> PipelineParts {
    let added = try reading { () throws(JSONError) in
      try context.addedTokens(file.addedEntries(), classTokens(), model.vocabulary)
    }
    return try file.pipelineParts(added, model.vocabulary)
  }

  /// As the class does from 5.0 on: it sets everything but the pieces, the map of characters and the
  /// added tokens.
  private func built(_ unigramClass: UnigramClass) throws(PreprocessingError) -> PipelineParts {
    let added = try reading { () throws(JSONError) in
      try context.addedTokens([], classTokens(), model.vocabulary)
    }
    let settings = context.configuration
    let maps = try Normalizer(file.root.part("normalizer")).steps.filter {
      if case .map = $0 { true } else { false }
    }
    let (before, after) = unigramClass.ends
    let ids = { (names: [SpecialTokens.Name]) in
      names.compactMap { name in
        special.first { $0.name == name }.flatMap { idOf($0.entry.content, added) }
      }
    }
    let asSaid = try SpecialTokenTemplate(file.root.part("post_processor")) { idOf($0, added) }
    return PipelineParts(
      normalizer: Normalizer(steps: unigramClass.normalizer(Array(maps.prefix(1)), settings)),
      preTokenizer: PreTokenizer(steps: unigramClass.preTokenizer(settings)),
      template: unigramClass == .albert
        ? asSaid : unigramClass.template(before: ids(before), after: ids(after)),
      added: added)
  }

  // MARK: Tokens

  /// The special tokens of the class and the files, and those that T5's class adds.
  private func classTokens() -> [AddedTokenEntry] {
    guard unigramClass == .t5 else { return special.map(\.entry) }
    return special.map(\.entry)
      + (0..<context.configuration.extraTokens).map { number in
        var entry = AddedTokenEntry(
          "<extra_id_\(number)>", origin: context.origin, position: file.root.position)
        entry.isOfClass = true
        return entry
      }
  }

  private func idOf(_ token: String, _ added: AddedTokens) -> Int32? {
    added.id(of: token) ?? model.vocabulary.id(of: token)
  }

  /// The unknown token's id from 5.0 on, which is fixed but for two classes.
  private func unknownID(of unigramClass: UnigramClass) -> Int32 {
    let named = special.first { $0.name == .unknown }.flatMap {
      model.vocabulary.id(of: $0.entry.content)
    }
    switch unigramClass {
    case .xlmRoberta: return 3
    case .albert: return 1
    case .t5: return 2
    case .camembert: return named ?? 0
    case .debertaV2:
      let isFree = named.map { model.scores[Int($0)] == 0 } ?? false
      return isFree ? named ?? 1 : Int32(clamping: context.configuration.unknownID ?? 1)
    }
  }
}
