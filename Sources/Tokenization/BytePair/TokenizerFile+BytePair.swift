import StrictJSON

/// The parts of a byte-pair tokenizer's `tokenizer.json`.
extension TokenizerFile {
  private static let modelKeys = KeyRules(
    understood: [
      "type", "vocab", "merges", "unk_token", "dropout", "continuing_subword_prefix",
      "end_of_word_suffix", "byte_fallback", "ignore_merges",
    ],
    harmless: ["fuse_unk": "no word is unknown, as every byte has a token"],
    nullable: .any)

  /// Reads `model`, which must be byte pairs in CLIP's form.
  func bytePairModel(_ cleaning: TextCleaning) throws(PreprocessingError) -> BytePairModel {
    let (part, type) = try model()
    guard type == BytePairTokenizer.modelType else {
      throw part.unsupported("model", type, at: "type", known: [BytePairTokenizer.modelType])
    }
    try checkSettings(of: part)
    return try reading { () throws(JSONError) in
      try TokenizerFile.modelKeys.check(part)
      return try BytePairReader(part, isOrdered: cleaning == .openCLIP)
        .model(vocabulary(part.object("vocab")))
    }
  }

  // MARK: Settings

  private func checkSettings(of part: JSONObject) throws(PreprocessingError) {
    for key in ["dropout", "byte_fallback", "ignore_merges"] {
      // Without effect are null, false, and a dropout of 0.
      guard let node = part[key], !node.isNull, node.bool != false, node.double != 0 else {
        continue
      }
      throw part.unsupported(
        "\(key) of model 'BPE'", node.kind, at: key,
        known: [key == "dropout" ? "null" : "false"])
    }
    let (prefix, suffix) = try reading { () throws(JSONError) in
      (
        part.has("continuing_subword_prefix") ? try part.string("continuing_subword_prefix") : "",
        part.has("end_of_word_suffix") ? try part.string("end_of_word_suffix") : ""
      )
    }
    guard prefix.isEmpty else {
      throw part.unsupported(
        "continuing_subword_prefix of model 'BPE'", prefix, at: "continuing_subword_prefix",
        known: ["none"])
    }
    guard ExactString(suffix) == ExactString(BytePairModel.wordEnd) else {
      throw part.unsupported(
        "end_of_word_suffix of model 'BPE'", suffix, at: "end_of_word_suffix",
        known: [BytePairModel.wordEnd])
    }
  }

  // MARK: Cutting

  /// Reads `pre_tokenizer`, which must be CLIP's: its expression, then bytes as characters.
  func bytePairSplitter() throws(PreprocessingError) -> BytePairSplitter {
    let part = try reading { () throws(JSONError) in try root.object("pre_tokenizer") }
    let type = try reading { () throws(JSONError) in try part.string("type") }
    guard type == "Sequence" else {
      throw part.unsupported(
        "pre_tokenizer of model 'BPE'", type, at: "type", known: ["Sequence"])
    }
    let members = try part.members(of: "pretokenizers")
    let types = try reading { () throws(JSONError) in
      var types: [String] = []
      for member in members { types.append(try member.string("type")) }
      return types
    }
    guard types == ["Split", "ByteLevel"] else {
      throw part.unsupported(
        "pre_tokenizer of model 'BPE'", types.joined(separator: " + "), at: "pretokenizers",
        known: ["Split + ByteLevel"])
    }
    try reading { () throws(JSONError) in
      try KeyRules(understood: ["type", "pretokenizers"]).check(part)
      try KeyRules(understood: ["type", "pattern", "behavior", "invert"]).check(members[0])
      try TokenizerFile.byteLevelKeys.check(members[1])
    }
    let splitter = try splitter(members[0])
    let addsSpace = try reading { () throws(JSONError) in try members[1].bool("add_prefix_space") }
    guard !addsSpace else {
      throw members[1].unsupported(
        "add_prefix_space of pre_tokenizer 'ByteLevel'", "true", at: "add_prefix_space",
        known: ["false"])
    }
    return splitter
  }

  private static let byteLevelKeys = KeyRules(
    understood: ["type", "add_prefix_space"],
    harmless: [
      "trim_offsets": "for offsets, which nobody asks for",
      "use_regex": "cuts the pieces of CLIP's expression nowhere",
    ])

  private func splitter(_ part: JSONObject) throws(PreprocessingError) -> BytePairSplitter {
    let (pattern, behavior, isInverted) = try reading { () throws(JSONError) in
      (try part.object("pattern"), try part.string("behavior"), try part.bool("invert"))
    }
    let regex = try reading { () throws(JSONError) in try pattern.string("Regex") }
    let hasTokens = ExactString(regex) == ExactString(BytePairSplitter.patternWithTokens)
    guard hasTokens || ExactString(regex) == ExactString(BytePairSplitter.pattern) else {
      throw pattern.unsupported(
        "pattern of pre_tokenizer 'Split'", regex, at: "Regex",
        known: [BytePairSplitter.pattern])
    }
    guard behavior == "Removed" else {
      throw part.unsupported(
        "behavior of pre_tokenizer 'Split'", behavior, at: "behavior", known: ["Removed"])
    }
    guard isInverted else {
      throw part.unsupported(
        "invert of pre_tokenizer 'Split'", "false", at: "invert", known: ["true"])
    }
    return hasTokens ? .huggingFaceWithTokens : .huggingFace
  }
}
