/// The steps, in order, that normalise text before it is split into words.
struct Normalizer: Sendable {
  /// One change of the text; the names are those of Hugging Face's parts.
  enum Step: Equatable, Sendable {
    /// Removes control characters; every white space becomes a plain space.
    case clean
    /// Chinese ideographs get a space on either side.
    case spaceIdeographs
    case decompose
    /// Canonical composition (form NFC).
    case compose
    /// Every run of white space becomes one plain space.
    case collapseSpace
    /// Removes nonspacing marks (of BertNormalizer).
    case dropNonspacingMarks
    /// Removes combining marks of every kind (of StripAccents).
    case dropCombiningMarks
    case lowercase
    /// Removes white space at the ends.
    case strip(left: Bool, right: Bool)
    /// Puts a text before one that is not empty.
    case prepend([UInt32])
    /// Replaces every occurrence of a string that is not empty.
    case replace([UInt32], with: [UInt32])
    /// Bytes as characters (`ByteAlphabet`).
    case byteLevel
  }

  let steps: [Step]
  /// The settings, if the whole is BERT's normalizer.
  private(set) var bert: BertNormalizer?
  /// Whether lower case is the whole part, or one of a sequence.
  private(set) var lowercasesAsMember = false

  init(steps: [Step], lowercasesAsMember: Bool = false) {
    self.steps = steps
    self.lowercasesAsMember = lowercasesAsMember
  }

  init(bert: BertNormalizer) {
    steps = bert.steps
    self.bert = bert
  }

  /// Changes a text that is not cut into words yet.
  func apply(to text: inout PreTokenizedText) {
    apply(to: &text.scalars)
    text = PreTokenizedText(text.scalars, leading: text.leading)
  }

  /// Changes the text in place.
  func apply(to text: inout [UInt32]) {
    for step in steps { Normalizer.apply(step, to: &text) }
  }

  private static func apply(_ step: Step, to text: inout [UInt32]) {
    switch step {
    case .clean: clean(&text)
    case .spaceIdeographs: spaceIdeographs(&text)
    case .decompose: CanonicalDecomposition.apply(to: &text)
    case .compose: CanonicalComposition.apply(to: &text)
    case .collapseSpace: collapseSpace(&text)
    case .dropNonspacingMarks: drop(.nonspacingMark, from: &text)
    case .dropCombiningMarks: drop(.combiningMark, from: &text)
    case .lowercase: lowercase(&text)
    case .strip(let left, let right): strip(&text, left: left, right: right)
    case .prepend(let content): if !text.isEmpty { text = content + text }
    case .replace(let string, let content): replace(string, with: content, in: &text)
    case .byteLevel:
      var bytes: [UInt32] = []
      ByteAlphabet.append(text[...], to: &bytes)
      text = bytes
    }
  }

  private static func clean(_ text: inout [UInt32]) {
    let classes = CharacterClasses.shared
    var kept = 0
    for scalar in text {
      let found = classes[scalar]
      // U+000B and U+0085 are both white space and control characters: they are removed.
      if found.contains(.control) { continue }
      text[kept] = found.contains(.whitespace) ? 0x20 : scalar
      kept += 1
    }
    text.removeSubrange(kept...)
  }

  private static func spaceIdeographs(_ text: inout [UInt32]) {
    guard let first = text.firstIndex(where: { $0 >= 0x3400 }) else { return }
    let classes = CharacterClasses.shared
    var result = Array(text[..<first])
    for scalar in text[first...] {
      if classes[scalar].contains(.ideograph) {
        result += [0x20, scalar, 0x20]
      } else {
        result.append(scalar)
      }
    }
    text = result
  }

  private static func drop(_ dropped: CharacterClass, from text: inout [UInt32]) {
    // The first mark is U+0300.
    guard let first = text.firstIndex(where: { $0 >= 0x300 }) else { return }
    let classes = CharacterClasses.shared
    var kept = first
    for index in first..<text.count where classes[text[index]].isDisjoint(with: dropped) {
      text[kept] = text[index]
      kept += 1
    }
    text.removeSubrange(kept...)
  }

  private static func lowercase(_ text: inout [UInt32]) {
    var isASCII = true
    for index in text.indices {
      if text[index] &- 0x41 < 26 { text[index] += 0x20 }
      if text[index] >= 0x80 { isASCII = false }
    }
    guard !isASCII else { return }
    let mapping = ScalarMapping.lowercase
    var result: [UInt32] = []
    result.reserveCapacity(text.count)
    for scalar in text {
      if scalar < 0x80 { result.append(scalar) } else { mapping.append(scalar, to: &result) }
    }
    text = result
  }

  private static func collapseSpace(_ text: inout [UInt32]) {
    let classes = CharacterClasses.shared
    var kept = 0
    var isAfterSpace = false
    for scalar in text {
      let isSpace = classes[scalar].contains(.whitespace)
      if isSpace && isAfterSpace { continue }
      text[kept] = isSpace ? 0x20 : scalar
      kept += 1
      isAfterSpace = isSpace
    }
    text.removeSubrange(kept...)
  }

  private static func strip(_ text: inout [UInt32], left: Bool, right: Bool) {
    let classes = CharacterClasses.shared
    let isInk = { (scalar: UInt32) in !classes[scalar].contains(.whitespace) }
    if right { text.removeSubrange((text.lastIndex(where: isInk).map { $0 + 1 } ?? 0)...) }
    if left { text.removeSubrange(..<(text.firstIndex(where: isInk) ?? text.count)) }
  }
}

/// The normalizer of BERT by its settings.
struct BertNormalizer: Sendable {
  static let keys = ["clean_text", "handle_chinese_chars", "strip_accents", "lowercase"]

  var cleans: Bool
  var spacesIdeographs: Bool
  /// Nil follows `lowercases`: lower case also strips accents.
  var stripsAccents: Bool?
  var lowercases: Bool

  var steps: [Normalizer.Step] {
    (cleans ? [.clean] : []) + (spacesIdeographs ? [.spaceIdeographs] : [])
      + (stripsAccents ?? lowercases ? [.decompose, .dropNonspacingMarks] : [])
      + (lowercases ? [.lowercase] : [])
  }
}

extension Normalizer: Equatable {
  static func == (left: Normalizer, right: Normalizer) -> Bool { left.steps == right.steps }
}
