/// Replaces every match of a pattern, from left to right, by a fixed text (normalizer `Replace`).
struct TextReplacement: Equatable, Sendable {
  /// What is replaced.
  enum Pattern: Equatable, Sendable {
    /// A text that is not empty.
    case text([UInt32])
    /// A run of at least `minimum` plain spaces.
    case spaces(minimum: Int)
    /// A run of at least `minimum` white spaces; with `lineBreaks`, also a single tab or line break.
    case whitespace(minimum: Int, lineBreaks: Bool)
    /// One tab or line break.
    case lineBreak
  }

  /// The expressions that files have, by their text.
  static let expressions: [(text: String, pattern: Pattern)] = [
    (" {2,}", .spaces(minimum: 2)),
    ("[\\n\\r\\t]", .lineBreak),
    ("\\n", .text([0x0A])),
    ("\\s+", .whitespace(minimum: 1, lineBreaks: false)),
    ("\\s{2,}|[\\n\\r\\t]", .whitespace(minimum: 2, lineBreaks: true)),
  ]

  let pattern: Pattern
  let content: [UInt32]

  /// Changes a text in place.
  func apply(to text: inout PreTokenizedText) {
    let source = text.scalars
    guard let first = source.indices.first(where: { matchEnd(source, $0) != nil }) else { return }
    var result = Array(source[..<first])
    result.reserveCapacity(source.count)
    var leading = min(text.leading, first)
    var index = first
    while index < source.count {
      let end = matchEnd(source, index)
      if end != nil { result += content } else { result.append(source[index]) }
      index = end ?? index + 1
      // New scalars come from the last one that they replace.
      if index <= text.leading { leading = result.count }
    }
    text = PreTokenizedText(result, leading: leading)
  }

  /// The end of the match that begins at a place.
  private func matchEnd(_ text: [UInt32], _ start: Int) -> Int? {
    switch pattern {
    case .text(let wanted):
      return text[start] == wanted[0] && text[start...].starts(with: wanted)
        ? start + wanted.count : nil
    case .lineBreak: return TextReplacement.isLineBreak(text[start]) ? start + 1 : nil
    case .spaces(let minimum):
      let end = TextReplacement.runEnd(text, start) { $0 == 0x20 }
      return end - start >= minimum ? end : nil
    case .whitespace(let minimum, let lineBreaks):
      let classes = CharacterClasses.shared
      let end = TextReplacement.runEnd(text, start) { classes[$0].contains(.whitespace) }
      if end - start >= minimum { return end }
      return lineBreaks && TextReplacement.isLineBreak(text[start]) ? start + 1 : nil
    }
  }

  private static func runEnd(
    _ text: [UInt32], _ start: Int, _ isMember: (UInt32) -> Bool
  ) -> Int {
    var end = start
    while end < text.count, isMember(text[end]) { end += 1 }
    return end
  }

  private static func isLineBreak(_ scalar: UInt32) -> Bool {
    scalar == 0x09 || scalar == 0x0A || scalar == 0x0D
  }
}
