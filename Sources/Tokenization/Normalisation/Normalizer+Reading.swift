import StrictJSON

extension Normalizer {
  /// The known parts, and the keys of each in addition to its type.
  private static let keys: [String: [String]] = [
    "BertNormalizer": BertNormalizer.keys, "ByteLevel": [], "Lowercase": [], "NFC": [], "NFD": [],
    "NFKC": [], "NFKD": [], "Nmt": [], "Precompiled": ["precompiled_charsmap"],
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
    case "NFKC": return [.composeCompatible]
    case "NFKD": return [.decomposeCompatible]
    case "Nmt": return [.nmt]
    case "Precompiled":
      return try reading { () throws(JSONError) in [.map(try map(part))] }
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

  /// A text is replaced as it is, an expression only if it is one of those known.
  private static func replacement(_ part: JSONObject) throws(PreprocessingError) -> Step {
    let (pattern, content) = try reading { () throws(JSONError) in
      let pattern = try part.object("pattern")
      try KeyRules(understood: ["Regex", "String"]).check(pattern)
      return (pattern, try part.string("content").unicodeScalars.map(\.value))
    }
    if pattern.has("String"), !pattern.has("Regex") {
      let text = try reading { () throws(JSONError) in try pattern.string("String") }
      guard !text.isEmpty else {
        throw pattern.unsupported(
          "pattern of normalizer 'Replace'", "", at: "String", known: ["a text"])
      }
      return .replace(
        TextReplacement(pattern: .text(text.unicodeScalars.map(\.value)), content: content))
    }
    let regex = try reading { () throws(JSONError) in try pattern.string("Regex") }
    let known = TextReplacement.expressions
    guard let found = known.first(where: { ExactString($0.text) == ExactString(regex) }) else {
      throw pattern.unsupported(
        "pattern of normalizer 'Replace'", regex, at: "Regex", known: known.map(\.text))
    }
    return .replace(TextReplacement(pattern: found.pattern, content: content))
  }

  /// The map of a SentencePiece model.
  private static func map(_ part: JSONObject) throws(JSONError) -> CharacterMap {
    let key = "precompiled_charsmap"
    let place = try part.required(key).position
    guard let bytes = Base64.decode(try part.string(key)) else {
      throw part.error("'\(key)' is not base64", at: place)
    }
    do {
      return try CharacterMap(bytes)
    } catch {
      throw part.error("'\(key)' \(error.words)", at: place)
    }
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
