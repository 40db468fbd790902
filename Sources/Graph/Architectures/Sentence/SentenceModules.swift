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
  private static func requireFolders(_ entries: [SentenceModuleEntry]) throws(JSONError) {
    // Paths that differ only in their Unicode form are one folder for some file systems.
    var seen: Set<String> = []
    for entry in entries {
      guard seen.insert(entry.path).inserted else {
        throw entry.error(
          "'path' is \(quoted(entry.path)), where another module lies, and both would read its "
            + "config.json; give '\(entry.type)' a folder of its own", key: "path")
      }
      guard !entry.path.isEmpty || entry.kind == .transformer else {
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
