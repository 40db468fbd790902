import StrictJSON
import Tokenization

/// The modules around a table of tokens.
struct StaticChain: Sendable {
  /// The table's folder; empty for the model's own.
  let folder: String
  /// The steps on the mean, in order.
  let steps: [SentenceStep]
  let prompts: SentencePrompts
  /// How texts become tokens.
  let framing: TokenFraming
  /// Files that describe the model.
  let files: [String]

  /// The folder of the table in a model of sentence-transformers; nil for a model of another kind.
  static func folder(of files: ModelFiles) throws -> String? {
    guard let first = try SentenceModules.entries(files)?.first, first.kind == .staticEmbedding
    else { return nil }
    return first.path
  }

  /// The chain of model2vec: the mean, and perhaps a normalisation.
  init(_ settings: Model2VecSettings) {
    folder = ""
    steps = settings.normalizes ? [.normalize] : []
    prompts = SentencePrompts()
    framing = .noneOfCutText
    files = settings.files + [StaticTokens.file]
  }

  /// The modules of sentence-transformers.
  ///
  /// - Parameter width: numbers of a token's vector.
  init(_ files: ModelFiles, width: Int) throws {
    let entries = try SentenceModules.entries(files) ?? []
    let kinds = try entries.map { try $0.known() }
    let later: Set<SentenceModuleEntry.Kind> = [.dense, .layerNorm, .dropout, .normalize]
    guard kinds.first == .staticEmbedding, kinds.dropFirst().allSatisfy(later.contains) else {
      throw ModelError.unsupported(
        place: files.name(of: SentenceModules.file),
        found: "the chain " + kinds.map(\.rawValue).joined(separator: ", "),
        supported: "StaticEmbedding and then any of Dense, LayerNorm, Dropout, Normalize")
    }
    try SentenceModules.requireFolders(entries)
    var reader = SentenceStepReader(files, width: width)
    for (entry, kind) in zip(entries, kinds).dropFirst() { try reader.read(entry, kind) }
    folder = entries[0].path
    steps = reader.steps
    prompts = try SentencePrompts(files)
    framing = .none
    let own = [SentenceModules.file, SentencePrompts.file, entries[0].file(StaticTokens.file)]
    self.files = try own.filter { try files.bytes(of: $0) != nil } + reader.files
  }

  /// Numbers of the vector that comes out.
  func width(of table: StaticTable) -> Int {
    let whole = steps.last { $0.width != nil }?.width ?? table.width
    return min(whole, prompts.keptWidth ?? whole)
  }
}

/// What the tokenizer of a static model says about it.
struct StaticTokens {
  static let file = "tokenizer.json"
  /// Tokens of the longest text of a model without a limit.
  private static let longest = 1 << 16

  private let tokenizer: any TextTokenizer
  private let place: String

  /// - Parameter folder: of the table.
  init(_ files: ModelFiles, folder: String) throws {
    let path = folder.isEmpty ? Self.file : "\(folder)/\(Self.file)"
    place = files.name(of: path)
    guard try files.bytes(of: path) != nil else {
      throw ModelError.missingFile(
        origin: files.origin, path: path,
        mend: "a table of tokens is nothing without the tokenizer")
    }
    tokenizer = try TextTokenizers.read(try files.tokenizerFiles(in: folder), framing: .none)
  }

  /// Tokens a text is cut to by sentence-transformers, which applies the file's `truncation`.
  var maximumLength: Int { min(tokenizer.declaredMaximumLength ?? Self.longest, Self.longest) }

  /// The token that model2vec leaves out.
  ///
  /// - Throws: if the file cuts texts on the left, where model2vec cuts them on the right.
  func unknown() throws -> Int32? {
    guard tokenizer.sides.truncation == .right else {
      throw ModelError.unsupported(
        place: "\(place): 'truncation'", found: "'direction' left", supported: "right")
    }
    return tokenizer.unknownID
  }
}
