/// Repairs text line by line: wrongly decoded characters, characters of HTML, quotes, ligatures,
/// widths, line breaks, control characters; and composes it.
///
/// Source: Speer, "ftfy", 2019, version 6.3 with its defaults (`fix_text`).
enum TextRepair {
  /// Longer lines are cut at this many scalars.
  static let longestLine = 1_000_000

  static func repaired(_ text: [UInt32]) -> [UInt32] {
    var result: [UInt32] = []
    result.reserveCapacity(text.count)
    var position = 0
    var unescapes = true
    while position < text.count {
      let newline = text[position...].firstIndex(of: 0x0A) ?? text.count - 1
      let end = min(newline + 1, position + longestLine)
      let line = Array(text[position..<end])
      // From the first line with a tag on, the text counts as HTML and keeps its references.
      if line.contains(0x3C) { unescapes = false }
      result += repaired(line: line, unescapes: unescapes)
      position = end
    }
    return result
  }

  private static func repaired(line: [UInt32], unescapes: Bool) -> [UInt32] {
    var text = line
    for _ in 0..<maxRounds(line.count) {
      if text.allSatisfy(isPlain) { return text }
      let before = text
      if unescapes { text = HTMLCharacters.unescapedStrictly(text) }
      text = MojibakeRepair.repaired(text)
      text = MojibakeRepair.withoutC1(text)
      replaceCharacters(&text)
      fixLineBreaks(&text)
      removeTerminalEscapes(&text)
      let classes = CharacterClasses.cleaning
      text.removeAll { classes[$0].contains(.control) }
      CanonicalComposition.apply(to: &text, .python)
      if text == before { break }
    }
    return text
  }

  /// The most rounds over a line. Each round changes something, and a hostile text can have one
  /// layer of `&amp;` for every four characters; ftfy itself has no limit.
  static func maxRounds(_ count: Int) -> Int { max(100, 100_000_000 / max(count, 1)) }

  /// Characters that no step changes, in any text.
  private static func isPlain(_ scalar: UInt32) -> Bool {
    0x20...0x7E ~= scalar && scalar != 0x26 || scalar == 0x09 || scalar == 0x0A
  }

  private static let ligatures = ScalarMapping(CleaningMappings.ligature)
  private static let widths = ScalarMapping(CleaningMappings.width)

  /// Ligatures of Latin letters, forms of other widths, curly quotes.
  private static func replaceCharacters(_ text: inout [UInt32]) {
    guard text.contains(where: { $0 >= 0x132 }) else { return }
    var result: [UInt32] = []
    result.reserveCapacity(text.count)
    for scalar in text {
      switch scalar {
      case 0..<0x132: result.append(scalar)
      case 0x132...0x1F3, 0xFB00...0xFB06: appendLigature(scalar, to: &result)
      case 0x2BC, 0x2018...0x201B: result.append(0x27)
      case 0x201C...0x201F: result.append(0x22)
      case 0x3000, 0xFF01...0xFFEF: widths.append(scalar, to: &result)
      default: result.append(scalar)
      }
    }
    text = result
  }

  private static func appendLigature(_ scalar: UInt32, to result: inout [UInt32]) {
    let start = result.count
    ligatures.append(scalar, to: &result)
    // One of them holds a curly quote.
    for index in start..<result.count where result[index] == 0x2BC { result[index] = 0x27 }
  }

  /// Line breaks of every kind become line feeds; a carriage return and a line feed are one.
  private static func fixLineBreaks(_ text: inout [UInt32]) {
    var kept = 0
    var isAfterReturn = false
    for scalar in text {
      let isSecondHalf = isAfterReturn && scalar == 0x0A
      isAfterReturn = scalar == 0x0D
      if isSecondHalf { continue }
      text[kept] = [0x0D, 0x85, 0x2028, 0x2029].contains(scalar) ? 0x0A : scalar
      kept += 1
    }
    text.removeSubrange(kept...)
  }

  /// Removes colour codes of terminals: escape, `[`, digits and `;`, a letter.
  private static func removeTerminalEscapes(_ text: inout [UInt32]) {
    guard text.contains(0x1B) else { return }
    var result: [UInt32] = []
    var index = 0
    while index < text.count {
      if let end = terminalEscapeEnd(text, index) {
        index = end
      } else {
        result.append(text[index])
        index += 1
      }
    }
    text = result
  }

  private static func terminalEscapeEnd(_ text: [UInt32], _ start: Int) -> Int? {
    guard text[start] == 0x1B, start + 1 < text.count, text[start + 1] == 0x5B else { return nil }
    let classes = CharacterClasses.cleaning
    let end = text[(start + 2)...].firstIndex { $0 != 0x3B && !classes[$0].contains(.digit) }
    guard let end, 0x41...0x5A ~= text[end] || 0x61...0x7A ~= text[end] else { return nil }
    return end + 1
  }
}
