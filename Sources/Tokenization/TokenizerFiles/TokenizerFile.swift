import StrictJSON

/// Reads the parts of a `tokenizer.json` and combines them.
struct TokenizerFile: Sendable {
  let root: JSONObject

  private static let keys = KeyRules(
    understood: [
      "version", "truncation", "padding", "added_tokens", "normalizer", "pre_tokenizer",
      "post_processor", "model", "decoder",
    ],
    nullable: [
      "truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder",
    ])
  private static let truncationKeys = KeyRules(
    understood: ["max_length", "direction"],
    harmless: [
      "strategy": "for pairs of texts",
      "stride": "what is cut off is not used",
    ])
  private static let paddingKeys = KeyRules(
    understood: ["pad_id", "pad_token", "direction"],
    harmless: [
      "strategy": "padding, which no text sees",
      "pad_to_multiple_of": "padding, which no text sees",
      "pad_type_id": "padding, which no text sees",
    ])

  init(_ root: JSONObject) throws(PreprocessingError) {
    self.root = root
    try reading { () throws(JSONError) in
      try TokenizerFile.keys.check(root)
      if root.has("truncation") {
        try TokenizerFile.truncationKeys.check(root.object("truncation"))
      }
      if root.has("padding") { try TokenizerFile.paddingKeys.check(root.object("padding")) }
    }
    try TokenizerDecoder.check(root)
    if root.has("version") {
      let version = try reading { () throws(JSONError) in try root.string("version") }
      guard version == "1.0" else {
        throw root.unsupported("version", version, at: "version", known: ["1.0"])
      }
    }
  }

  // MARK: Lengths

  // The caller of the library decides about truncation and padding; the file only gives defaults
  // for the sides and the token.

  func paddingID() throws(JSONError) -> Int32? {
    guard root.has("padding") else { return nil }
    return Int32(try root.object("padding").integer("pad_id", in: 0...Int(Int32.max - 1)))
  }

  func declaredMaximumLength() throws(JSONError) -> Int? {
    guard root.has("truncation") else { return nil }
    return try root.object("truncation").integer("max_length")
  }

  // MARK: The model

  /// The part `model` and its type.
  ///
  /// Old files do not name the type; only byte pairs have merges.
  func model() throws(PreprocessingError) -> (part: JSONObject, type: String) {
    try reading { () throws(JSONError) in
      let part = try root.object("model")
      let type =
        part.has("type") ? try part.string("type") : part.has("merges") ? "BPE" : "WordPiece"
      return (part, type)
    }
  }

  func vocabulary(_ object: JSONObject) throws(JSONError) -> Vocabulary {
    var vocabulary = Vocabulary(capacity: object.members.count)
    var pieceOfID: [Int: Int] = [:]
    pieceOfID.reserveCapacity(object.members.count)
    for (index, (piece, node)) in object.members.enumerated() {
      guard let id = node.plainInteger, 0..<Int(Int32.max) ~= id else {
        throw object.error(
          "the id of '\(piece.prefix(60))' is \(node.kind), expected an integer in "
            + "0...\(Int32.max - 1)", at: node.position)
      }
      if let other = pieceOfID.updateValue(index, forKey: id) {
        throw object.error(
          "'\(object.members[other].key.prefix(60))' and '\(piece.prefix(60))' have the same "
            + "id \(id)", at: node.position)
      }
      vocabulary.insert(piece, id: Int32(id))
    }
    return vocabulary
  }

  // MARK: Added tokens

  func addedEntries() throws(JSONError) -> [AddedTokenEntry] {
    guard root.has("added_tokens") else { return [] }
    var entries: [AddedTokenEntry] = []
    for node in try root.array("added_tokens") {
      guard let part = node.object else {
        throw root.error("'added_tokens' holds \(node.kind), expected objects", at: node.position)
      }
      entries.append(try AddedTokenEntry(listed: part))
    }
    return entries
  }
}
