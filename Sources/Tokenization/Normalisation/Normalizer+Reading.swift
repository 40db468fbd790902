import StrictJSON

extension Normalizer {
  /// The known parts, and the keys of each in addition to its type.
  private static let keys: [String: [String]] = [
    "BertNormalizer": BertNormalizer.keys, "ByteLevel": [], "Lowercase": [], "NFC": [], "NFD": [],
    "Prepend": ["prepend"], "Replace": ["pattern", "content"], "Sequence": ["normalizers"],
    "Strip": ["strip_left", "strip_right"], "StripAccents": [],
  ]
  static let known = keys.keys.sorted()

  /// Reads the part `normalizer` of a tokenizer file; nil is one that changes nothing.
  init(_ part: JSONObject?) throws(PreprocessingError) {
    guard let part else {
      self.init(steps: [])
      return
    }
    let type = try reading { () throws(JSONError) in try part.string("type") }
    if type == "BertNormalizer" {
      self.init(bert: try reading { () throws(JSONError) in try BertNormalizer(part) })
    } else {
      self.init(
        steps: try Normalizer.steps(part),
        lowercasesAsMember: type == "Lowercase"
          || type == "Sequence" && Normalizer.hasLowercase(part))
    }
  }

  /// Whether lower case is one of a sequence, and not deeper within.
  private static func hasLowercase(_ part: JSONObject) -> Bool {
    part["normalizers"]?.array?.contains { $0.object?["type"]?.string == "Lowercase" } ?? false
  }

  private static func steps(_ part: JSONObject) throws(PreprocessingError) -> [Step] {
    let type = try reading { () throws(JSONError) in try part.string("type") }
    guard let keys = keys[type] else {
      throw part.unsupported("normalizer", type, at: "type", known: known)
    }
    try reading { () throws(JSONError) in
      try KeyRules(understood: ["type"] + keys, nullable: ["strip_accents"]).check(part)
    }
    switch type {
    case "BertNormalizer":
      return try reading { () throws(JSONError) in try BertNormalizer(part).steps }
    case "Lowercase": return [.lowercase]
    case "NFC": return [.compose]
    case "NFD": return [.decompose]
    case "ByteLevel": return [.byteLevel]
    case "Prepend":
      return try reading { () throws(JSONError) in
        [.prepend(try part.string("prepend").unicodeScalars.map(\.value))]
      }
    case "Replace": return [try replacement(part)]
    case "StripAccents": return [.dropCombiningMarks]
    case "Strip":
      return try reading { () throws(JSONError) in
        [.strip(left: try part.bool("strip_left"), right: try part.bool("strip_right"))]
      }
    default:
      var steps: [Step] = []
      for member in try part.members(of: "normalizers") { steps += try Normalizer.steps(member) }
      return steps
    }
  }

  /// Supported are the replacement of a string, and that of white space by a plain space.
  private static func replacement(_ part: JSONObject) throws(PreprocessingError) -> Step {
    let (pattern, regex, content) = try reading { () throws(JSONError) in
      let pattern = try part.object("pattern")
      let regex = pattern.has("Regex") ? try pattern.string("Regex") : nil
      return (pattern, regex, try part.string("content"))
    }
    try reading { () throws(JSONError) in
      try KeyRules(understood: ["Regex", "String"]).check(pattern)
    }
    guard let regex else {
      let string = try reading { () throws(JSONError) in try pattern.string("String") }
      guard !string.isEmpty else {
        throw .file(pattern.error("'String' is empty", at: pattern.position))
      }
      return .replace(
        string.unicodeScalars.map(\.value), with: content.unicodeScalars.map(\.value))
    }
    guard ExactString(regex) == ExactString("\\s+") else {
      throw pattern.unsupported(
        "pattern of normalizer 'Replace'", regex, at: "Regex", known: ["\\s+"])
    }
    guard ExactString(content) == ExactString(" ") else {
      throw part.unsupported(
        "content of normalizer 'Replace'", content, at: "content", known: ["a space"])
    }
    return .collapseSpace
  }
}

extension BertNormalizer {
  init(_ part: JSONObject) throws(JSONError) {
    try part.allowOnly(["type"] + BertNormalizer.keys)
    lowercases = try part.bool("lowercase")
    stripsAccents = part.has("strip_accents") ? try part.bool("strip_accents") : nil
    cleans = try part.bool("clean_text")
    spacesIdeographs = try part.bool("handle_chinese_chars")
  }
}

extension JSONObject {
  /// The parts of a part that is a sequence.
  func members(of key: String) throws(PreprocessingError) -> [JSONObject] {
    try reading { () throws(JSONError) in
      var members: [JSONObject] = []
      for node in try array(key) {
        guard let object = node.object else {
          throw error("'\(key)' holds \(node.kind), expected objects", at: node.position)
        }
        members.append(object)
      }
      return members
    }
  }
}
