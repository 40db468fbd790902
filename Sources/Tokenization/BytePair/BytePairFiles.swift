import StrictJSON

/// Makes of `vocab.json` and `merges.txt` the `tokenizer.json` that the library `transformers` makes
/// of them, for classes that read a folder without one.
///
/// Source: the conversions of transformers 4.57 and the classes of 5.23, compared with both.
struct BytePairFiles {
  private let files: TokenizerFiles
  private let kind: TokenizerKind
  private let library: TransformersLibrary?
  private let special: SpecialTokens
  /// The texts of the tokens that `tokenizer_config.json` lists; it says how each is found.
  private let listed: Set<ExactString>
  private let vocabulary: JSONObject

  /// Nil for folders and classes without such files.
  ///
  /// - Throws: if a file is malformed.
  init?(_ files: TokenizerFiles) throws(PreprocessingError) {
    guard files[.tokenizer] == nil, let file = files[.bytePairs] else { return nil }
    var configuration = try TokenizerConfiguration(files[.configuration])
    let model = try ModelDescription(files[.model])
    kind = try TokenizerKind(configuration, model)
    guard kind == .roberta || kind == .gpt2 || kind == .qwen else { return nil }
    try BytePairFiles.refuseOtherMerges(files[.configuration])
    self.files = files
    library = model.library
    vocabulary = try reading { () throws(JSONError) in
      try JSONParser.parseObject(file.bytes, origin: file.origin)
    }
    try reading { () throws(JSONError) in
      guard configuration.addedTokens == nil, let map = files[.specialTokens] else { return }
      try configuration.special.override(
        by: try JSONParser.parseObject(map.bytes, origin: map.origin))
    }
    special = configuration.special
    listed = Set((configuration.addedTokens ?? []).map { ExactString($0.content) })
    guard library != nil || kind == .qwen else {
      throw .file(
        vocabulary.error(
          "transformers 4 and 5 make different tokenizers of this file, and \(model.origin) does "
            + "not say in 'transformers_version' which one saved the model; save it again with the "
            + "version in use", at: vocabulary.position))
    }
  }

  /// The files with the one that they make.
  func completed() throws(PreprocessingError) -> TokenizerFiles {
    guard let vocabulary = files[.bytePairs], let merges = files[.merges] else {
      throw .file(
        self.vocabulary.error("needs merges.txt beside it", at: self.vocabulary.position))
    }
    let parts = try reading { () throws(JSONError) in try self.parts() }
    let pairs = try reading { () throws(JSONError) in try BytePairFiles.merges(merges) }
    let text =
      parts.compact.dropLast() + ",\"model\":{\"type\":\"BPE\",\"merges\":"
      + JSONValue.array(pairs).compact + ",\"vocab\":"
    let joined = TokenizerFiles.File(
      origin: vocabulary.origin, bytes: Array(text.utf8) + vocabulary.bytes + Array("}}".utf8))
    return files.replacing([.tokenizer: joined])
  }

  /// Refuses merges of another file: transformers 4 reads that one, 5 does not.
  private static func refuseOtherMerges(
    _ file: TokenizerFiles.File?
  ) throws(PreprocessingError) {
    guard let file else { return }
    try reading { () throws(JSONError) in
      let object = try JSONParser.parseObject(file.bytes, origin: file.origin)
      guard object.has("merges_file"), let other = object["merges_file"] else { return }
      throw object.error(
        "'merges_file' names other merges than merges.txt, which versions of transformers read in "
          + "different ways; remove the key", at: other.position)
    }
  }

  // MARK: Parts

  private func parts() throws(JSONError) -> JSONValue {
    var parts: [String: JSONValue] = [
      "added_tokens": .array(try addedTokens()),
      "pre_tokenizer": BytePairFiles.byteLevel(cuts: true),
    ]
    switch kind {
    case .roberta:
      parts["post_processor"] = [
        "type": "RobertaProcessing", "cls": try end(.classifier), "sep": try end(.separator),
      ]
    case .qwen:
      parts["normalizer"] = ["type": "NFC"]
      parts["pre_tokenizer"] = [
        "type": "Sequence",
        "pretokenizers": [
          [
            "type": "Split", "behavior": "Isolated", "invert": false,
            "pattern": ["Regex": .string(BytePairFiles.qwenPattern)],
          ],
          BytePairFiles.byteLevel(cuts: false),
        ],
      ]
    default: break
    }
    return .object(parts)
  }

  private static func byteLevel(cuts: Bool) -> JSONValue {
    ["type": "ByteLevel", "add_prefix_space": false, "use_regex": .bool(cuts)]
  }

  /// The expression of the class for Qwen 2 and 3.
  private static let qwenPattern =
    #"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"#
    + #"|\s*[\r\n]+|\s+(?!\S)|\s+"#

  private func end(_ name: SpecialTokens.Name) throws(JSONError) -> JSONValue {
    guard let entry = entry(name) else {
      throw vocabulary.error(
        "'\(name.rawValue)' is null, and the tokenizer's class needs it", at: vocabulary.position)
    }
    return [.string(entry.content), .integer(try vocabulary.plainInteger(entry.content))]
  }

  // MARK: Special tokens

  /// The special tokens that are in the vocabulary and that no list describes.
  private func addedTokens() throws(JSONError) -> [JSONValue] {
    var tokens: [JSONValue] = []
    var texts = listed
    for name in SpecialTokens.Name.allCases {
      guard let entry = entry(name), vocabulary.has(entry.content),
        texts.insert(ExactString(entry.content)).inserted
      else { continue }
      tokens.append([
        "id": .integer(try vocabulary.plainInteger(entry.content)),
        "content": .string(entry.content), "single_word": .bool(entry.isSingleWord),
        "lstrip": .bool(entry.stripsLeft), "rstrip": .bool(entry.stripsRight),
        "normalized": .bool(entry.isNormalized), "special": true,
      ])
    }
    return tokens
  }

  /// A special token as a file describes it, else as the class does.
  private func entry(_ name: SpecialTokens.Name) -> AddedTokenEntry? {
    var entry: AddedTokenEntry
    if let said = special.named[name] {
      guard let said else { return nil }
      entry = said
    } else {
      guard let text = kind.bytePairTokens[name] else { return nil }
      entry = AddedTokenEntry(text, origin: vocabulary.origin, position: vocabulary.position)
    }
    guard !entry.hasFlags, library == .four else { return entry }
    switch (kind, name) {
    case (.roberta, .mask): entry.stripsLeft = true
    case (.roberta, _), (.gpt2, .start), (.gpt2, .end), (.gpt2, .unknown):
      entry.isNormalized = true
    default: break
    }
    return entry
  }

  // MARK: Merges

  /// The lines but the first, which names the version.
  ///
  /// - Throws: if versions of the library would read other lines.
  private static func merges(_ file: TokenizerFiles.File) throws(JSONError) -> [JSONValue] {
    let fault = { (fault: String) in
      JSONError(origin: file.origin, position: JSONPosition(line: 1, column: 1), fault: fault)
    }
    guard let text = String(utf8: file.bytes) else {
      throw fault("is not text in UTF-8")
    }
    var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.removeFirst().starts(with: "#version".unicodeScalars) else {
      throw fault(
        "does not begin with a line '#version…', which only some versions of the library leave out")
    }
    guard lines.popLast()?.isEmpty == true else {
      throw fault("does not end with a line break: some versions of the library lose the last line")
    }
    return lines.map { .string(String($0)) }
  }
}
