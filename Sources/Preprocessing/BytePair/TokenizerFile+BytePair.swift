import StrictJSON

/// The parts of a `tokenizer.json` of byte pairs.
extension TokenizerFile {
  /// The expression by which CLIP's tokenizers cut text.
  static let clipPattern = #"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"#

  func bytePairTokenizer(
    _ cleaning: TextCleaning
  ) throws(PreprocessingError) -> BytePairTokenizer {
    let part = try reading { () throws(JSONError) in try root.object("model") }
    try checkSettings(of: part)
    let model = try reading { () throws(JSONError) in
      try BytePairReader(part, isOrdered: cleaning == .openCLIP).model(vocabulary(of: part))
    }
    // OpenCLIP has its own ways to normalise and to cut: what the file says of them is not used.
    let isFiles = cleaning == .asFileSays
    let normalizer = try Normalizer(isFiles ? root.part("normalizer") : nil)
    if isFiles { try checkPreTokenizer() }
    let added = try reading { () throws(JSONError) in
      try addedTokens(model.vocabulary, normalizer)
    }
    let template = try SpecialTokenTemplate(root.part("post_processor")) { token in
      added.idOfToken[ExactString(token)] ?? model.vocabulary.id(of: token)
    }
    let preparation: BytePairTokenizer.Preparation
    let padding: Int32
    switch cleaning {
    case .asFileSays:
      preparation = .file(
        normalizer, raw: AddedTokenMatcher(added.raw),
        normalized: AddedTokenMatcher(added.normalized))
      padding = try reading { () throws(JSONError) in
        try paddingID() ?? template.after.last ?? 0
      }
    case .openCLIP:
      preparation = .openCLIP(specialIDs: try startAndEnd(template))
      padding = 0
    }
    return BytePairTokenizer(
      model: model, template: template, preparation: preparation,
      vocabularySize: Int(max(model.vocabulary.highestID, added.highestID)) + 1,
      paddingID: padding,
      declaredMaximumLength: try reading { () throws(JSONError) in try declaredMaximumLength() })
  }

  private func vocabulary(of part: JSONObject) throws(JSONError) -> Vocabulary {
    try vocabulary(part.object("vocab"))
  }

  /// OpenCLIP puts one token before a text and one behind it.
  private func startAndEnd(_ template: SpecialTokenTemplate) throws(PreprocessingError) -> [Int32] {
    guard template.before.count == 1, template.after.count == 1 else {
      throw .file(
        root.error(
          "'post_processor' puts \(template.before.count) tokens before a text and "
            + "\(template.after.count) behind it, OpenCLIP needs 1 and 1",
          at: root["post_processor"]?.position ?? root.position))
    }
    return template.before + template.after
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

  /// The part `pre_tokenizer` has to be that of CLIP: its expression, then bytes as characters.
  private func checkPreTokenizer() throws(PreprocessingError) {
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
    try checkSplit(members[0])
    let addsSpace = try reading { () throws(JSONError) in try members[1].bool("add_prefix_space") }
    guard !addsSpace else {
      throw members[1].unsupported(
        "add_prefix_space of pre_tokenizer 'ByteLevel'", "true", at: "add_prefix_space",
        known: ["false"])
    }
  }

  private func checkSplit(_ part: JSONObject) throws(PreprocessingError) {
    let (pattern, behavior, isInverted) = try reading { () throws(JSONError) in
      (try part.object("pattern"), try part.string("behavior"), try part.bool("invert"))
    }
    let regex = try reading { () throws(JSONError) in try pattern.string("Regex") }
    guard ExactString(regex) == ExactString(Self.clipPattern) else {
      throw pattern.unsupported(
        "pattern of pre_tokenizer 'Split'", regex, at: "Regex", known: [Self.clipPattern])
    }
    guard behavior == "Removed" else {
      throw part.unsupported(
        "behavior of pre_tokenizer 'Split'", behavior, at: "behavior", known: ["Removed"])
    }
    guard isInverted else {
      throw part.unsupported(
        "invert of pre_tokenizer 'Split'", "false", at: "invert", known: ["true"])
    }
  }
}
