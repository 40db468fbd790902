import StrictJSON

/// sentence-transformers' `modules.json` and the files it names: how texts reach the transformer,
/// and how its token vectors become an output.
struct SentenceModules {
  static let file = "modules.json"

  /// The module that holds the transformer and its tokenizer.
  let transformer: SentenceModuleEntry
  let pooling: SentencePooling
  /// The steps on the pooled vector, in order.
  let steps: [SentenceStep]
  let settings: TransformerSettings
  let prompts: SentencePrompts
  /// Every file that was read.
  private(set) var files = [file]

  /// The lines of `modules.json`, in order; nil in a folder without the file.
  static func entries(_ files: ModelFiles) throws -> [SentenceModuleEntry]? {
    guard let bytes = try files.bytes(of: file) else { return nil }
    let origin = files.name(of: file)
    let list = try JSONParser.parse(bytes, origin: origin)
    guard let nodes = list.array else {
      throw JSONError(
        origin: origin, position: list.position,
        fault: "is \(list.kind), expected a list of modules")
    }
    let entries = try nodes.map { try SentenceModuleEntry($0, in: origin) }
    try requireDistinctNames(entries)
    return entries
  }

  private static func requireDistinctNames(_ entries: [SentenceModuleEntry]) throws(JSONError) {
    var seen: Set<ExactString> = []
    for entry in entries {
      guard let name = entry.name, !seen.insert(ExactString(name)).inserted else { continue }
      throw entry.error(
        "two modules are called \(quoted(name)); sentence-transformers runs the later alone"
      )
    }
  }

  /// Refuses two modules in one folder, and in the model's own any but the transformer: the library
  /// reads that folder's `config.json` for each of them.
  static func requireFolders(_ entries: [SentenceModuleEntry]) throws(JSONError) {
    // Paths that differ only in their Unicode form are one folder for some file systems.
    var seen: Set<String> = []
    for entry in entries {
      guard seen.insert(entry.path).inserted else {
        throw entry.error(
          "'path' is \(quoted(entry.path)), where another module lies, and both would read its "
            + "config.json; give '\(entry.type)' a folder of its own", key: "path")
      }
      guard !entry.path.isEmpty || entry.kind?.holdsTokens == true else {
        throw entry.error(
          "'path' is '', the model's own folder, whose config.json '\(entry.type)' would read; "
            + "give it a folder of its own", key: "path")
      }
    }
  }

  /// Reads the modules that the entries name.
  ///
  /// - Parameter hidden: numbers of a token's vector.
  init(_ entries: [SentenceModuleEntry], _ modelFiles: ModelFiles, hidden: Int) throws {
    let kinds = try entries.map { try $0.known() }
    guard kinds.prefix(2) == [.transformer, .pooling],
      !kinds.dropFirst(2).contains(where: { [.transformer, .pooling].contains($0) })
    else {
      throw ModelError.unsupported(
        place: modelFiles.name(of: Self.file),
        found: "the chain " + kinds.map(\.rawValue).joined(separator: ", "),
        supported: "Transformer, Pooling and then any of Dense, LayerNorm, Dropout, Normalize")
    }
    try Self.requireFolders(entries)
    transformer = entries[0]
    let poolingPath = entries[1].file("config.json")
    guard let poolingConfig = try modelFiles.object(poolingPath) else {
      throw ModelError.missingFile(
        origin: modelFiles.origin, path: poolingPath, mend: "modules.json names it for the pooling")
    }
    files.append(poolingPath)
    pooling = try SentencePooling(poolingConfig, width: hidden)
    var reader = SentenceStepReader(modelFiles, width: hidden * pooling.modes.count)
    for (entry, kind) in zip(entries, kinds).dropFirst(2) { try reader.read(entry, kind) }
    steps = reader.steps
    files += reader.files
    settings = try TransformerSettings(modelFiles, in: transformer.path)
    prompts = try SentencePrompts(modelFiles)
    files += [settings.file].compactMap(\.self)
    if try modelFiles.bytes(of: SentencePrompts.file) != nil { files.append(SentencePrompts.file) }
  }

  /// Length of the resulting vector.
  func width(hidden: Int) -> Int {
    let whole = steps.last { $0.width != nil }?.width ?? hidden * pooling.modes.count
    return min(whole, prompts.keptWidth ?? whole)
  }
}

/// One line of sentence-transformers' `modules.json`.
struct SentenceModuleEntry {
  /// The kinds of module that Ingot knows.
  enum Kind: String, CaseIterable {
    case transformer = "Transformer"
    case pooling = "Pooling"
    case dense = "Dense"
    case layerNorm = "LayerNorm"
    case dropout = "Dropout"
    case normalize = "Normalize"
    case staticEmbedding = "StaticEmbedding"

    /// Whether it turns tokens into numbers, and so may lie in the model's own folder.
    var holdsTokens: Bool { self == .transformer || self == .staticEmbedding }
  }

  /// The class, as the file says.
  let type: String
  /// The module's folder inside the model's: empty, or without a slash at its end.
  let path: String

  private let entry: JSONObject

  private static let rules = KeyRules(
    understood: ["type", "path", "name"],
    harmless: ["idx": "the order is that of the list"],
    neutral: ["kwargs": [.array([])]])

  init(_ node: JSONNode, in file: String) throws {
    guard let entry = node.object else {
      throw JSONError(
        origin: file, position: node.position,
        fault: "is \(node.kind), expected an object with 'type' and 'path'")
    }
    self.entry = entry
    type = try entry.string("type")
    path = try Self.inside(try entry.string("path"), of: file)
  }

  /// The kind of module, if it is one of those that Ingot knows.
  var kind: Kind? { Kind.allCases.first { $0.types.contains(type) } }

  /// The kind of module.
  ///
  /// - Throws: if it is not known, or the entry says more than is understood.
  func known() throws -> Kind {
    try Self.rules.check(entry)
    if entry["name"] != nil { _ = try entry.string("name") }
    guard let kind else {
      throw ModelError.unsupported(
        place: "\(entry.origin): 'type'", found: "'\(type)'",
        supported: "\(Kind.words) of sentence-transformers")
    }
    return kind
  }

  /// The module's name; usually a number.
  var name: String? { entry["name"]?.string }

  /// A fault of the entry, or of one of its keys.
  func error(_ fault: String, key: String? = nil) -> JSONError {
    entry.error(fault, at: key.flatMap { entry[$0]?.position } ?? entry.position)
  }

  /// A path that stays in the model's folder.
  ///
  /// By bytes: a combining mark behind a slash would hide it from a split by characters.
  private static func inside(_ path: String, of file: String) throws(ModelError) -> String {
    // model2vec writes "." for the folder itself.
    if path.isEmpty || path == "." { return "" }
    let segments = path.utf8.split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isInside = segments.allSatisfy { segment in
      !["", ".", ".."].contains { segment.elementsEqual($0.utf8) }
    }
    guard isInside else {
      throw .unsupported(
        place: file, found: "the path '\(path)'", supported: "paths inside the model's folder")
    }
    return path
  }

  /// The path of one of the module's files, seen from the model's folder.
  func file(_ name: String) -> String { path.isEmpty ? name : "\(path)/\(name)" }
}

extension SentenceModuleEntry.Kind {
  /// How the versions of the library call the module: 2 to 5.3, then 5.4 and later, with the paths
  /// that each re-exports.
  var types: [String] {
    let file: String =
      switch self {
      case .layerNorm: "layer_norm"
      case .staticEmbedding: "static_embedding"
      case .transformer, .pooling, .dense, .dropout, .normalize: rawValue.lowercased()
      }
    let homes: [String] =
      switch self {
      case .transformer, .dense: ["base.modules"]
      case .normalize: ["base.modules", "sentence_transformer.modules"]
      case .pooling, .layerNorm, .dropout, .staticEmbedding: ["sentence_transformer.modules"]
      }
    return [
      "sentence_transformers.models.\(rawValue)",
      "sentence_transformers.models.\(rawValue).\(rawValue)",
      "sentence_transformers.sentence_transformer.modules.\(rawValue)",
    ]
      + homes.flatMap { home in
        [
          "sentence_transformers.\(home).\(rawValue)",
          "sentence_transformers.\(home).\(file).\(rawValue)",
        ]
      }
  }

  static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
