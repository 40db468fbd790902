import StrictJSON

/// An added token as a file describes it.
struct AddedTokenEntry: Sendable {
  let content: String
  /// Not found right next to a word character.
  var isSingleWord = false
  /// Consumes the white space before (after) it.
  var stripsLeft = false
  var stripsRight = false
  /// Looked for in normalised text, not in the text as it was given.
  var isNormalized = false
  var isSpecial = true
  /// The id that the file gives it, if it does.
  var declaredID: Int?
  /// Whether the file says how it is looked for; else it gives only the text.
  var hasFlags = false
  /// The key that holds it, if not the usual one; for messages.
  var key: String?
  /// Whether only the library's class defines it, and no file.
  var isOfClass = false
  /// The file that describes it, for messages.
  let origin: String
  let position: JSONPosition

  /// A special token given only by its text.
  init(_ content: String, origin: String, position: JSONPosition) {
    self.content = content
    self.origin = origin
    self.position = position
  }

  /// Whether another entry is looked for in the same way; `special` matters for the way back only.
  func isFound(as other: AddedTokenEntry) -> Bool { differing(from: other) == nil }

  /// The first flag in which another entry differs, and both values.
  func differing(from other: AddedTokenEntry) -> (key: String, here: Bool, there: Bool)? {
    let flags = [
      ("single_word", isSingleWord, other.isSingleWord), ("lstrip", stripsLeft, other.stripsLeft),
      ("rstrip", stripsRight, other.stripsRight),
      ("normalized", isNormalized, other.isNormalized),
    ]
    return flags.first { $0.1 != $0.2 }
  }

  func error(_ fault: String) -> JSONError {
    JSONError(
      origin: origin, position: position,
      fault: "added token '\(content.prefix(60))' \(key.map { "of '\($0)' " } ?? "")\(fault)")
  }
}

extension AddedTokenEntry {
  private static let keys = KeyRules(
    understood: ["id", "content", "single_word", "lstrip", "rstrip", "normalized", "special"])

  /// One of `added_tokens` of `tokenizer.json`, which gives every flag.
  init(listed part: JSONObject) throws(JSONError) {
    try AddedTokenEntry.keys.check(part)
    self.init(try part.string("content"), origin: part.origin, position: part.position)
    declaredID = try part.plainInteger("id", in: 0...Int(Int32.max - 1))
    hasFlags = true
    isSingleWord = try part.bool("single_word")
    stripsLeft = try part.bool("lstrip")
    stripsRight = try part.bool("rstrip")
    isNormalized = try part.bool("normalized")
    isSpecial = try part.bool("special")
  }

  /// A token as the library `transformers` writes it elsewhere; a missing flag is false, except
  /// `normalized`, which is then the opposite of `special`.
  ///
  /// - Parameter further: keys beside the usual ones.
  init(
    written part: JSONObject, isSpecial: Bool? = nil, further: [String] = []
  ) throws(JSONError) {
    try KeyRules(
      understood: ["content", "single_word", "lstrip", "rstrip", "normalized", "special"] + further
    ).check(part)
    self.init(try part.string("content"), origin: part.origin, position: part.position)
    hasFlags = true
    let flag = { (key: String) throws(JSONError) in part[key] == nil ? false : try part.bool(key) }
    isSingleWord = try flag("single_word")
    stripsLeft = try flag("lstrip")
    stripsRight = try flag("rstrip")
    let declared = try flag("special")
    self.isSpecial = isSpecial ?? declared
    isNormalized = part["normalized"] == nil ? !self.isSpecial : try flag("normalized")
  }
}
