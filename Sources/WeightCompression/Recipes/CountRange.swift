/// A range of counts, as a rule's condition on lengths and on numbers of elements.
package struct CountRange: Hashable, Sendable, CustomStringConvertible {
  package let least: Int
  /// Nil if unlimited.
  package let most: Int?

  /// Every number.
  package static let any = CountRange(least: 0)

  /// - Precondition: 0 ≤ least ≤ most.
  package init(least: Int = 0, most: Int? = nil) {
    precondition(least >= 0 && (most ?? least) >= least, "an empty range")
    self.least = least
    self.most = most
  }

  /// One number.
  package init(_ count: Int) { self.init(least: count, most: count) }

  package func contains(_ count: Int) -> Bool { count >= least && count <= most ?? count }

  /// Reads `*`, a number, or one comparison or two: `>= 2048`, `< 65536`, `>= 2048 < 65536`.
  ///
  /// - Returns: nil for any other text, and for an empty range.
  package init?(_ text: String) {
    var words = Words(text)
    if text == "*" {
      self = .any
      return
    }
    if let count = words.number() {
      guard words.isAtEnd else { return nil }
      self.init(count)
      return
    }
    var least: Int?
    var most: Int?
    while !words.isAtEnd {
      guard let comparison = words.comparison(), let number = words.number() else { return nil }
      switch comparison {
      case ">=", ">":
        guard least == nil else { return nil }
        least = comparison == ">" ? number + 1 : number
      default:
        guard most == nil else { return nil }
        most = comparison == "<" ? number - 1 : number
      }
    }
    guard least != nil || most != nil, (most ?? .max) >= (least ?? 0) else { return nil }
    self.init(least: least ?? 0, most: most)
  }

  /// The shortest text that reads as the same.
  package var description: String {
    switch (least, most) {
    case (0, nil): "*"
    case (let least, nil): ">= \(least)"
    case (let least, let most?) where least == most: "\(least)"
    case (0, let most?): "<= \(most)"
    case (let least, let most?): ">= \(least) <= \(most)"
    }
  }
}

/// The words of a condition, spaces between them or not.
private struct Words {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  var isAtEnd: Bool {
    mutating get {
      rest = rest.drop { $0 == UInt8(ascii: " ") }
      return rest.isEmpty
    }
  }

  mutating func comparison() -> String? {
    guard !isAtEnd else { return nil }
    for word in [">=", "<=", ">", "<"] where rest.starts(with: word.utf8) {
      rest = rest.dropFirst(word.utf8.count)
      return word
    }
    return nil
  }

  mutating func number() -> Int? {
    guard !isAtEnd else { return nil }
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 }
    guard (1...18).contains(digits.count), let number = Int(Substring(digits)) else { return nil }
    rest = rest.dropFirst(digits.count)
    return number
  }
}
