import StrictJSON

/// Splits normalised text into words: steps, each splitting the pieces of the one before. A step may
/// also change the text.
struct PreTokenizer: Equatable, Sendable {
  /// One way to split; the names are those of Hugging Face's parts.
  enum Step: Equatable, Sendable {
    /// At white space, which is dropped, and around every punctuation mark.
    case bert
    /// Around every punctuation mark.
    case punctuation
    /// Into runs of word characters and runs of others; white space is dropped.
    case whitespace
    /// At white space, which is dropped.
    case whitespaceSplit
    /// At the matches of a pattern; numbers (of Digits) are one.
    case split(SplitStep)
    /// As GPT-2, with bytes as characters.
    case byteLevel(ByteLevelStep)
  }

  let steps: [Step]

  init(steps: [Step]) { self.steps = steps }

  /// Whether no word has white space.
  var dropsSpace: Bool { steps.contains(where: \.dropsSpace) }

  /// Cuts the text into words, and changes it where a step does.
  func apply(to text: inout PreTokenizedText) {
    for step in steps { PreTokenizer.apply(step, to: &text) }
  }

  private static func apply(_ step: Step, to text: inout PreTokenizedText) {
    switch step {
    case .bert, .punctuation, .whitespace, .whitespaceSplit:
      var cut: [Range<Int>] = []
      cut.reserveCapacity(text.scalars.count / 4 + text.words.count)
      for word in text.words { PreTokenizer.cut(text.scalars, word, step, into: &cut) }
      text.words = cut
    case .split(let step): step.apply(to: &text)
    case .byteLevel(let step): step.apply(to: &text)
    }
  }

  /// A scalar's treatment in one step.
  private enum Fate {
    case dropped
    case alone
    /// Stays together with neighbours of the same kind.
    case word
    case other
  }

  private static func cut(
    _ text: [UInt32], _ range: Range<Int>, _ step: Step, into words: inout [Range<Int>]
  ) {
    let classes = CharacterClasses.shared
    var start = range.lowerBound
    var kind = Fate.dropped
    for index in range {
      let fate = fate(classes[text[index]], step)
      if fate == kind && fate != .alone { continue }
      if kind != .dropped { words.append(start..<index) }
      start = index
      kind = fate
    }
    if kind != .dropped { words.append(start..<range.upperBound) }
  }

  private static func fate(_ found: CharacterClass, _ step: Step) -> Fate {
    switch step {
    case .bert:
      found.contains(.whitespace)
        ? .dropped : found.contains(.punctuation) ? .alone : .word
    case .punctuation: found.contains(.punctuation) ? .alone : .word
    case .whitespace:
      found.contains(.whitespace) ? .dropped : found.contains(.word) ? .word : .other
    case .whitespaceSplit: found.contains(.whitespace) ? .dropped : .word
    case .split, .byteLevel: .word
    }
  }
}

extension PreTokenizer {
  /// The known parts, and the keys of each in addition to its type.
  private static let keys: [String: [String]] = [
    "BertPreTokenizer": [], "ByteLevel": ["add_prefix_space", "use_regex"],
    "Digits": ["individual_digits"], "Punctuation": ["behavior"], "Sequence": ["pretokenizers"],
    "Split": ["pattern", "behavior", "invert"], "Whitespace": [], "WhitespaceSplit": [],
  ]
  static let known = keys.keys.sorted()

  /// Reads the part `pre_tokenizer` of a tokenizer file; nil is one that does not cut.
  init(_ part: JSONObject?) throws(PreprocessingError) {
    self.init(
      steps: try part.map { (part) throws(PreprocessingError) in
        try PreTokenizer.steps(part)
      } ?? [])
  }

  private static func steps(_ part: JSONObject) throws(PreprocessingError) -> [Step] {
    let type = try reading { () throws(JSONError) in try part.string("type") }
    guard let keys = keys[type] else {
      throw part.unsupported("pre_tokenizer", type, at: "type", known: known)
    }
    try reading { () throws(JSONError) in
      try KeyRules(
        understood: ["type"] + keys,
        harmless: type == "ByteLevel" ? ["trim_offsets": "for offsets, which nobody asks for"] : [:]
      ).check(part)
    }
    switch type {
    case "BertPreTokenizer": return [.bert]
    case "Whitespace": return [.whitespace]
    case "WhitespaceSplit": return [.whitespaceSplit]
    case "Split": return [.split(try SplitStep(part))]
    case "Digits": return [.split(try SplitStep(digits: part))]
    case "ByteLevel": return [.byteLevel(try ByteLevelStep(part))]
    case "Punctuation":
      let behavior = try reading { () throws(JSONError) in
        part.has("behavior") ? try part.string("behavior") : "Isolated"
      }
      guard behavior == "Isolated" else {
        throw part.unsupported(
          "behavior of pre_tokenizer 'Punctuation'", behavior, at: "behavior", known: ["Isolated"])
      }
      return [.punctuation]
    default:
      var steps: [Step] = []
      for member in try part.members(of: "pretokenizers") {
        steps += try PreTokenizer.steps(member)
      }
      return steps
    }
  }
}
