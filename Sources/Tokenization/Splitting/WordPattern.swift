/// An expression that cuts a whole text into words, as a scanner: its alternatives are tried in
/// order, each takes as much as it can and gives back as little as it must.
///
/// All such expressions have the same alternatives: contractions (`'s`), letters, numbers, other
/// signs, line ends, white space. They differ in what these take along.
struct WordPattern: Equatable, Sendable {
  /// The contractions `'s|'t|'re|'ve|'m|'ll|'d`.
  enum Contractions: Sendable {
    /// Words of their own; in small letters only.
    case small
    /// Words of their own; in any case, where a long s (U+017F) is an s too.
    case anyCase
    /// The ends of words of letters, in any case.
    case atEnds
  }

  /// A word of letters.
  enum Letters: Sendable {
    /// ` ?\p{L}+`
    case afterSpace
    /// `[^\r\n\p{L}\p{N}]?\p{L}+`
    case afterSign
    /// `[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+`
    case afterSignWithMarks
    /// `[^\r\n\p{L}\p{N}]?` and a word that goes from capitals to small letters once.
    case byCase
  }

  /// A word of numbers.
  enum Numbers: Sendable {
    /// ` ?\p{N}+`
    case afterSpace
    /// `\p{N}`
    case single
    /// `\p{N}{1,3}`
    case upToThree
  }

  let contractions: Contractions
  let letters: Letters
  let numbers: Numbers
  /// Behind other signs: line ends, and scalars that are taken along with them.
  let trailing: [UInt32]
  /// Whether white space up to its last line end is a word: `\s*[\r\n]+`.
  let cutsLines: Bool

  /// The end of the word that begins at `start`; every place of a text begins one.
  ///
  /// - Parameter range: of the text that is cut; nothing outside is looked at.
  func end(in text: [UInt32], _ range: Range<Int>, from start: Int) -> Int {
    let scan = WordScan(text: text, end: range.upperBound, pattern: self)
    if contractions != .atEnds, let end = scan.contraction(start) { return end }
    return scan.letters(start) ?? scan.numbers(start) ?? scan.signs(start) ?? scan.space(start)
  }
}

/// One text that a pattern is tried on, up to its end.
struct WordScan {
  let text: [UInt32]
  let end: Int
  let pattern: WordPattern

  private static let space: UInt32 = 0x20
  /// The letters of the contractions behind the apostrophe.
  private static let contractions = ["s", "t", "re", "ve", "m", "ll", "d"].map {
    $0.unicodeScalars.map(\.value)
  }

  func classes(_ index: Int) -> CharacterClass { CharacterClasses.bytePair[text[index]] }

  func has(_ wanted: CharacterClass, at index: Int) -> Bool {
    index < end && !classes(index).isDisjoint(with: wanted)
  }

  /// The end of a run of scalars of some class.
  func run(of wanted: CharacterClass, from start: Int, most: Int = .max) -> Int {
    var index = start
    while index - start < most, has(wanted, at: index) { index += 1 }
    return index
  }

  func isLineEnd(_ index: Int) -> Bool {
    index < end && (text[index] == 0x0A || text[index] == 0x0D)
  }

  // MARK: Alternatives

  /// The end of a contraction at `start`.
  func contraction(_ start: Int) -> Int? {
    guard start < end, text[start] == 0x27 else { return nil }
    for word in Self.contractions where end - start > word.count {
      if word.indices.allSatisfy({ folded(text[start + 1 + $0]) == word[$0] }) {
        return start + 1 + word.count
      }
    }
    return nil
  }

  private func folded(_ scalar: UInt32) -> UInt32 {
    guard pattern.contractions != .small else { return scalar }
    if scalar == 0x17F { return 0x73 }
    return scalar &- 0x41 < 26 ? scalar + 0x20 : scalar
  }

  func numbers(_ start: Int) -> Int? {
    switch pattern.numbers {
    case .single: return has(.number, at: start) ? start + 1 : nil
    case .upToThree:
      let end = run(of: .number, from: start, most: 3)
      return end > start ? end : nil
    case .afterSpace:
      let first = text[start] == Self.space ? start + 1 : start
      let end = run(of: .number, from: first)
      return end > first ? end : nil
    }
  }

  /// ` ?[^\s\p{L}\p{N}]+` and what goes along behind it.
  func signs(_ start: Int) -> Int? {
    let first = text[start] == Self.space ? start + 1 : start
    var index = first
    while index < end, isSign(index) { index += 1 }
    guard index > first else { return nil }
    while index < end, pattern.trailing.contains(text[index]) { index += 1 }
    return index
  }

  private func isSign(_ index: Int) -> Bool {
    let marks: CharacterClass = pattern.letters == .afterSignWithMarks ? .combiningMark : []
    return classes(index).isDisjoint(with: [.whitespace, .letter, .number, marks])
  }

  /// White space: up to its last line end; else all but the last of it, if a word follows.
  func space(_ start: Int) -> Int {
    let behind = run(of: .whitespace, from: start)
    if pattern.cutsLines, let last = (start..<behind).last(where: isLineEnd) { return last + 1 }
    return behind == end || behind == start + 1 ? behind : behind - 1
  }
}
