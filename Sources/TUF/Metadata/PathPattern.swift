/// Patterns of paths as a shell has them: `*` any characters, `?` one, `[…]` one of some, within one part
/// of a path.
enum PathPattern {
  static func matches(_ pattern: String, _ path: String) -> Bool {
    let patterns = pattern.split(separator: "/", omittingEmptySubsequences: false)
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return patterns.count == parts.count
      && zip(patterns, parts).allSatisfy {
        part(Array($0.unicodeScalars), Array($1.unicodeScalars))
      }
  }

  /// Goes back to the last `*` where nothing else fits, so that it takes no more than the product of both
  /// lengths.
  private static func part(_ pattern: [Unicode.Scalar], _ text: [Unicode.Scalar]) -> Bool {
    var (place, at) = (0, 0)
    var star: (place: Int, at: Int)?
    while at < text.count {
      if place < pattern.count, pattern[place] == "*" {
        star = (place, at)
        place += 1
      } else if let next = one(pattern, place, text[at]) {
        (place, at) = (next, at + 1)
      } else if let last = star {
        star = (last.place, last.at + 1)
        (place, at) = (last.place + 1, last.at + 1)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == "*" }
  }

  /// - Returns: the place behind what takes one character; nil if it does not take this one.
  private static func one(
    _ pattern: [Unicode.Scalar], _ place: Int, _ character: Unicode.Scalar
  ) -> Int? {
    guard place < pattern.count else { return nil }
    switch pattern[place] {
    case "?": return place + 1
    case "[":
      guard let set = set(pattern, place) else { return character == "[" ? place + 1 : nil }
      return set.contains(character) ? set.end : nil
    default: return pattern[place] == character ? place + 1 : nil
    }
  }

  /// `[…]` at a place; nil if it is not closed, which makes it a character like others.
  private static func set(_ pattern: [Unicode.Scalar], _ place: Int) -> CharacterSet? {
    var at = place + 1
    let isNegated = at < pattern.count && pattern[at] == "!"
    if isNegated { at += 1 }
    let first = at
    // A bracket at the beginning is one of the set.
    guard let end = pattern.indices.first(where: { $0 > first && pattern[$0] == "]" }) else {
      return nil
    }
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    while at < end {
      if at + 2 < end, pattern[at + 1] == "-" {
        if pattern[at] <= pattern[at + 2] { ranges.append(pattern[at]...pattern[at + 2]) }
        at += 3
      } else {
        ranges.append(pattern[at]...pattern[at])
        at += 1
      }
    }
    return CharacterSet(ranges: ranges, isNegated: isNegated, end: end + 1)
  }

  private struct CharacterSet {
    let ranges: [ClosedRange<Unicode.Scalar>]
    let isNegated: Bool
    /// The place behind it.
    let end: Int

    func contains(_ character: Unicode.Scalar) -> Bool {
      ranges.contains { $0.contains(character) } != isNegated
    }
  }
}
