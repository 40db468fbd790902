import StrictJSON

extension SplitStep {
  /// Reads a part `Split`.
  ///
  /// - Throws: if a key is missing or malformed, or the expression is not one that is known.
  init(_ part: JSONObject) throws(PreprocessingError) {
    let (pattern, word, inverts) = try reading { () throws(JSONError) in
      (try part.object("pattern"), try part.string("behavior"), try part.bool("invert"))
    }
    guard let behavior = SplitBehavior(rawValue: word) else {
      throw part.unsupported(
        "behavior of pre_tokenizer 'Split'", word, at: "behavior",
        known: SplitBehavior.allCases.map(\.rawValue))
    }
    self.init(pattern: try SplitPattern(pattern), behavior: behavior, inverts: inverts)
  }

  /// Reads a part `Digits`.
  init(digits part: JSONObject) throws(PreprocessingError) {
    let areAlone = try reading { () throws(JSONError) in try part.bool("individual_digits") }
    self.init(
      pattern: .digit, behavior: areAlone ? .isolated : .contiguous, inverts: false)
  }

  /// Whether no piece has white space.
  var dropsSpace: Bool {
    switch pattern {
    case .clip: behavior == .removed && inverts
    case .space: behavior == .removed && !inverts
    default: false
    }
  }
}

extension SplitPattern {
  /// Reads the key `pattern` of a part.
  fileprivate init(_ part: JSONObject) throws(PreprocessingError) {
    let (regex, string) = try reading { () throws(JSONError) in
      try KeyRules(understood: ["Regex", "String"]).check(part)
      guard part.members.count == 1 else {
        throw part.error("holds \(part.members.count) patterns, expected 1", at: part.position)
      }
      return (
        part["Regex"] == nil ? nil : try part.string("Regex"),
        part["String"] == nil ? "" : try part.string("String")
      )
    }
    if let regex {
      let known = SplitPattern.known.first { ExactString($0.text) == ExactString(regex) }
      guard let known else {
        throw part.unsupported(
          "pattern of pre_tokenizer 'Split'", regex, at: "Regex",
          known: SplitPattern.known.map(\.text))
      }
      self = known.pattern
    } else {
      guard !string.isEmpty else {
        throw .file(part.error("'String' is empty", at: part.position))
      }
      self = .string(string.unicodeScalars.map(\.value))
    }
  }
}

extension ByteLevelStep {
  /// Reads a part `ByteLevel`.
  init(_ part: JSONObject) throws(PreprocessingError) {
    (addsSpace, cuts) = try reading { () throws(JSONError) in
      (
        try part.bool("add_prefix_space"),
        part["use_regex"] == nil ? true : try part.bool("use_regex")
      )
    }
  }
}

extension PreTokenizer.Step {
  /// Whether no word has white space.
  var dropsSpace: Bool {
    switch self {
    case .bert, .whitespace, .whitespaceSplit: true
    case .split(let step): step.dropsSpace
    case .punctuation, .byteLevel: false
    }
  }
}
