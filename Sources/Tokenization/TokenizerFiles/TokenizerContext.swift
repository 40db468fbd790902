import StrictJSON

/// A model's tokenizer files, read and checked, ready to build a tokenizer from.
struct TokenizerContext: Sendable {
  let kind: TokenizerKind
  let configuration: TokenizerConfiguration
  let model: ModelDescription
  let file: TokenizerFile?
  /// Whether this is a model's folder, which the library `transformers` loads, or one file.
  let isFolder: Bool
  /// The file that messages about the whole name.
  let origin: String
  /// Added tokens from files other than `tokenizer.json`, ascending by id.
  private let listed: [AddedTokenEntry]

  /// A `tokenizer.json` and nothing else.
  init(_ file: TokenizerFile) throws(PreprocessingError) {
    kind = .file
    configuration = try TokenizerConfiguration(nil)
    model = try ModelDescription(nil)
    self.file = file
    isFolder = false
    origin = file.root.origin
    listed = []
  }

  /// All files of a model.
  init(_ files: TokenizerFiles) throws(PreprocessingError) {
    let root = try files[.tokenizer].map { (file) throws(PreprocessingError) in
      try reading { () throws(JSONError) in
        try JSONParser.parseObject(file.bytes, origin: file.origin, limits: .tokenizer)
      }
    }
    let file = try root.map { (root) throws(PreprocessingError) in try TokenizerFile(root) }
    var configuration = try TokenizerConfiguration(files[.configuration])
    model = try ModelDescription(files[.model])
    kind = try TokenizerKind(configuration, model)
    listed = try reading { () throws(JSONError) in
      try TokenizerContext.listed(files, file, &configuration)
    }
    self.configuration = configuration
    self.file = file
    isFolder = true
    origin = (files[.tokenizer] ?? files.pieces)?.origin ?? "tokenizer.json"
  }

  /// The list of `tokenizer_config.json` if it has one. Else the tokens of `tokenizer.json` and
  /// those of `added_tokens.json`, and the special tokens of `special_tokens_map.json` override
  /// those of `tokenizer_config.json`.
  private static func listed(
    _ files: TokenizerFiles, _ file: TokenizerFile?, _ configuration: inout TokenizerConfiguration
  ) throws(JSONError) -> [AddedTokenEntry] {
    if let map = files[.specialTokens] {
      let root = try JSONParser.parseObject(map.bytes, origin: map.origin)
      try SpecialTokens.check(root)
      if configuration.addedTokens == nil { try configuration.special.override(by: root) }
    }
    let old = try files[.addedTokens].map { (file) throws(JSONError) in
      try addedTokens(file, configuration.special)
    }
    if let listed = configuration.addedTokens { return listed }
    var entries = try file?.addedEntries() ?? []
    let byID = Dictionary(entries.map { ($0.declaredID, $0) }) { first, _ in first }
    for entry in old ?? [] {
      guard let known = byID[entry.declaredID] else {
        entries.append(entry)
        continue
      }
      guard ExactString(known.content) == ExactString(entry.content) else {
        throw entry.error(
          "has the id \(entry.declaredID ?? 0) of '\(known.content.prefix(60))' in \(known.origin)")
      }
    }
    return entries.sorted { ($0.declaredID ?? 0) < ($1.declaredID ?? 0) }
  }

  /// The tokens of `added_tokens.json`, an object of texts and ids.
  private static func addedTokens(
    _ file: TokenizerFiles.File, _ special: SpecialTokens
  ) throws(JSONError) -> [AddedTokenEntry] {
    let root = try JSONParser.parseObject(file.bytes, origin: file.origin)
    let names = special.texts
    var entries: [AddedTokenEntry] = []
    for (content, node) in root.members {
      var entry = AddedTokenEntry(content, origin: root.origin, position: node.position)
      entry.declaredID = try root.plainInteger(content, in: 0...Int(Int32.max - 1))
      entry.isSpecial = names.contains(ExactString(content))
      entry.isNormalized = !entry.isSpecial
      entry.hasFlags = true
      entries.append(entry)
    }
    return entries
  }

  // MARK: Tokens

  /// The special tokens that the tokenizer has, in the order in which the library adds them.
  ///
  /// - Parameter defaults: those of the class, which no file overrides.
  func special(
    _ defaults: [SpecialTokens.Name: String]
  ) -> [(name: SpecialTokens.Name, entry: AddedTokenEntry)] {
    SpecialTokens.Name.allCases.compactMap { name in
      if let said = configuration.special.named[name] { return said.map { (name, $0) } }
      return defaults[name].map { content in
        var entry = AddedTokenEntry(
          content, origin: origin, position: JSONPosition(line: 1, column: 1))
        entry.isOfClass = true
        return (name, entry)
      }
    }
  }

  /// Every added token: those the tokenizer begins with, those that files list in addition, and the
  /// special ones still missing.
  ///
  /// - Parameter begin: the tokens of `tokenizer.json` if the library begins with that file; without
  ///   it those that the class itself describes.
  func addedTokens(
    _ begin: [AddedTokenEntry], _ special: [AddedTokenEntry], _ vocabulary: Vocabulary
  ) throws(JSONError) -> AddedTokens {
    var added = AddedTokens()
    for entry in begin { try added.append(entry, vocabulary) }
    for entry in listed { try added.merge(entry, vocabulary) }
    let names = Set(listed.map { ExactString($0.content) })
    try checkMask(file == nil ? names.union(begin.map { ExactString($0.content) }) : names)
    // A special token that is listed is found as the list says.
    for entry in special where !names.contains(ExactString(entry.content)) {
      try added.merge(entry, vocabulary, isListed: false)
    }
    for entry in configuration.special.further {
      try added.merge(entry, vocabulary, isListed: false)
    }
    return added
  }

  /// Refuses a token for masks that no file lists, for classes where some versions add it, or let
  /// it consume the white space before it.
  private func checkMask(_ listed: Set<ExactString>) throws(JSONError) {
    guard let own = kind.maskToken else { return }
    let said = configuration.special.named[.mask]
    guard let mask = said.map({ $0?.content }) ?? own, !listed.contains(ExactString(mask)) else {
      return
    }
    throw error(
      "the token for masks, '\(mask.prefix(60))', is not among the added tokens: versions of the "
        + "library disagree how it is then found")
  }

  /// The cut and padded ends of a text: as `tokenizer_config.json` says, else `tokenizer.json`.
  func sides() throws(PreprocessingError) -> TextSides {
    let truncation = try file?.root.part("truncation")?.side("direction")
    let padding = try file?.root.part("padding")?.side("direction")
    return TextSides(
      truncation: configuration.truncationSide ?? truncation ?? .right,
      padding: configuration.paddingSide ?? padding ?? .right)
  }
}

extension TokenizerContext {
  /// A fault of the files as a whole.
  func error(_ fault: String) -> JSONError {
    JSONError(
      origin: origin, position: file?.root.position ?? JSONPosition(line: 1, column: 1),
      fault: fault)
  }

  /// The fault that generations of the library make different tokenizers of the same files.
  func disagreement(_ differences: [String]) -> JSONError {
    error(
      "transformers 4 and 5 make different tokenizers of these files, in "
        + differences.joined(separator: ", ") + " (4 takes what is said here, 5 builds its own), "
        + "and \(model.origin) does not say in 'transformers_version' that 4 saved the model; save "
        + "it again with the version in use")
  }
}
