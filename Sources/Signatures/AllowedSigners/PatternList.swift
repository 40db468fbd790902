/// Patterns of OpenSSH (`PATTERNS` in ssh_config(5)): `*` for any text, `?` for any byte, commas
/// between patterns, `!` before one that excludes. Letter case counts.
struct PatternList: Equatable, Sendable {
  /// OpenSSH gives up on a list with a longer pattern.
  private static let lengthLimit = 1022

  private let patterns: [(isNegated: Bool, bytes: [UInt8])]
  private let isTooLong: Bool

  init(_ text: some Collection<UInt8>) {
    patterns = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
      let isNegated = $0.first == UInt8(ascii: "!")
      return (isNegated, Array($0.dropFirst(isNegated ? 1 : 0)))
    }
    isTooLong = patterns.contains { $0.bytes.count > PatternList.lengthLimit }
  }

  /// Whether a pattern matches and none that excludes does.
  func matches(_ text: some Collection<UInt8>) -> Bool {
    if isTooLong { return false }
    let text = Array(text)
    let found = patterns.filter { PatternList.matches(text, $0.bytes) }
    return !found.isEmpty && !found.contains { $0.isNegated }
  }

  /// The first pattern that, taken for a name, is matched: an identity the list speaks of.
  var firstIdentity: [UInt8]? { patterns.first { !$0.isNegated && matches($0.bytes) }?.bytes }

  /// Goes back to the last `*` whenever the rest does not fit: no pattern takes more than the product
  /// of both lengths.
  private static func matches(_ text: [UInt8], _ pattern: [UInt8]) -> Bool {
    var (at, place) = (0, 0)
    var star: (at: Int, place: Int)?
    while at < text.count {
      if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
        star = (at, place)
        place += 1
      } else if place < pattern.count,
        pattern[place] == UInt8(ascii: "?") || pattern[place] == text[at]
      {
        at += 1
        place += 1
      } else if let last = star {
        star = (last.at + 1, last.place)
        at = last.at + 1
        place = last.place + 1
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
  }

  static func == (left: PatternList, right: PatternList) -> Bool {
    left.patterns.elementsEqual(right.patterns) { $0 == $1 }
  }
}
