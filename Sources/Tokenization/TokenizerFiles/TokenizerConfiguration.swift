import StrictJSON

/// The contents of `tokenizer_config.json`; defaults without that file.
struct TokenizerConfiguration: Sendable {
  /// Whether there is such a file.
  let isWritten: Bool
  /// The class of the library that reads the tokenizer, if the file names one.
  let className: JSONWord?
  /// Options of classes; nil follows the class.
  var lowercases: Bool?
  var stripsAccents: Bool?
  var spacesIdeographs = true
  /// Whether up to transformers 4.57 a part `ByteLevel` puts a space before a text, over what
  /// `tokenizer.json` says; nil leaves that as it is.
  private(set) var byteLevelSpace: Bool? = false
  /// Options of Gemma's tokenizer: special tokens around a text.
  private(set) var addsStart: Bool?
  private(set) var addsEnd: Bool?
  var keepsAccents = false
  var splitsPunctuation = false
  var addsPrefixSpace: Bool?
  /// The number of tokens `<extra_id_0>`… that T5's class adds.
  var extraTokens = 100
  /// Whether T5's class splits text as it did at first.
  var isLegacy: Bool?
  /// The unknown token's id that DeBERTa's class falls back to.
  var unknownID: Int?
  /// The most tokens of a text, special tokens included; nil without a limit.
  let maximumLength: Int?
  let truncationSide: TextSide?
  let paddingSide: TextSide?
  var special = SpecialTokens()
  /// The added tokens by id, where the file has a list of them; then only it counts.
  let addedTokens: [AddedTokenEntry]?

  /// Reads the file.
  ///
  /// - Throws: if something in it is malformed, not understood or not supported.
  init(_ file: TokenizerFiles.File?) throws(PreprocessingError) {
    isWritten = file != nil
    guard let file else {
      (className, maximumLength, addedTokens) = (nil, nil, nil)
      (truncationSide, paddingSide) = (nil, nil)
      return
    }
    let root = try reading { () throws(JSONError) in
      try JSONParser.parseObject(file.bytes, origin: file.origin)
    }
    try reading { () throws(JSONError) in
      try TokenizerConfiguration.rules(root).check(root)
      try TokenizerConfiguration.checkInputs(root)
    }
    truncationSide = try root.side("truncation_side")
    paddingSide = try root.side("padding_side")
    className = try reading { () throws(JSONError) in try JSONWord(root, "tokenizer_class") }
    let read = try reading { () throws(JSONError) in
      (
        try TokenizerConfiguration.maximumLength(root), try SpecialTokens(configuration: root),
        try TokenizerConfiguration.addedTokens(root)
      )
    }
    (maximumLength, special, addedTokens) = read
    try reading { () throws(JSONError) in
      try readNormalizer(root)
      try readOptions(root)
    }
  }

  private mutating func readNormalizer(_ root: JSONObject) throws(JSONError) {
    if root["do_lower_case"] != nil { lowercases = try root.bool("do_lower_case") }
    if root.has("strip_accents") { stripsAccents = try root.bool("strip_accents") }
    if root["tokenize_chinese_chars"] != nil {
      spacesIdeographs = try root.bool("tokenize_chinese_chars")
    }
    if let node = root["add_prefix_space"] {
      byteLevelSpace = node.isNull ? nil : try root.bool("add_prefix_space")
    }
    if let node = root["add_bos_token"] {
      addsStart = node.isNull ? false : try root.bool("add_bos_token")
    }
    if let node = root["add_eos_token"] {
      addsEnd = node.isNull ? false : try root.bool("add_eos_token")
    }
  }

  private mutating func readOptions(_ root: JSONObject) throws(JSONError) {
    if root["keep_accents"] != nil { keepsAccents = try root.bool("keep_accents") }
    if root["split_by_punct"] != nil { splitsPunctuation = try root.bool("split_by_punct") }
    if let node = root["add_prefix_space"] {
      addsPrefixSpace = node.isNull ? false : try root.bool("add_prefix_space")
    }
    if root.has("legacy") { isLegacy = try root.bool("legacy") }
    if root["extra_ids"] != nil { extraTokens = try root.plainInteger("extra_ids", in: 0...1000) }
    if root["unk_id"] != nil {
      unknownID = try root.plainInteger("unk_id", in: 0...Int(Int32.max - 1))
    }
  }

  /// A limit below 3 leaves nothing of a text, or, with some versions, all of it.
  ///
  /// The library writes a limit beyond all texts (`1e30`) for "unlimited"; null means the same. The
  /// old name counts if the new one is absent.
  private static func maximumLength(_ root: JSONObject) throws(JSONError) -> Int? {
    for key in ["model_max_length", "max_len"] {
      guard let node = root[key] else { continue }
      if node.isNull { return nil }
      if try root.double(key) > 1e20 { return nil }
      return try root.plainInteger(key, in: 3...1 << 40)
    }
    return nil
  }

  private static func addedTokens(_ root: JSONObject) throws(JSONError) -> [AddedTokenEntry]? {
    guard root["added_tokens_decoder"] != nil else { return nil }
    let listed = try root.object("added_tokens_decoder")
    var entries: [AddedTokenEntry] = []
    for (key, node) in listed.members {
      guard let id = Int(key), 0..<Int(Int32.max) ~= id, "\(id)" == key else {
        throw listed.error(
          "'added_tokens_decoder' has the key \(quoted(key)), expected an id", at: node.position)
      }
      guard let part = node.object else {
        throw listed.mismatch(key, expected: "an added token", node)
      }
      var entry = try AddedTokenEntry(written: part)
      entry.declaredID = id
      entry.key = "added_tokens_decoder"
      entries.append(entry)
    }
    return entries.sorted { ($0.declaredID ?? 0) < ($1.declaredID ?? 0) }
  }

  // MARK: Checks

  /// Checks the inputs of the model: ids and mask, and with or without types that are all 0.
  private static func checkInputs(_ root: JSONObject) throws(JSONError) {
    guard root.has("model_input_names") else { return }
    let names = try root.array("model_input_names")
    let known = ["input_ids", "token_type_ids", "attention_mask"]
    // SigLIP sees every token, padding too.
    guard names.first?.string == "input_ids",
      isSiglip(root) || names.contains(where: { $0.string == "attention_mask" }),
      names.allSatisfy({ known.contains($0.string ?? "") })
    else {
      throw root.error(
        "'model_input_names' is \(names.map(\.value.compact).joined(separator: ", ")), supported: "
          + "input_ids first, attention_mask, token_type_ids or not",
        at: try root.required("model_input_names").position)
    }
  }
}

extension JSONObject {
  /// An end of a text under a key, written as the library does in Python or in Rust.
  func side(_ key: String) throws(PreprocessingError) -> TextSide? {
    guard self[key] != nil else { return nil }
    let word = try reading { () throws(JSONError) in try string(key) }
    guard let side = TextSide(rawValue: word.lowercased()), word.utf8.count < 6 else {
      throw unsupported(key, word, at: key, known: TextSide.allCases.map(\.rawValue))
    }
    return side
  }
}
