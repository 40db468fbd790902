/// A range of counts, as a rule's condition on lengths and on numbers of elements.
package struct CountRange: Hashable, Sendable, CustomStringConvertible {
  package let minimum: Int
  /// Nil if unlimited.
  package let maximum: Int?

  /// Every number.
  package static let any = CountRange(minimum: 0)

  /// - Precondition: 0 ≤ least ≤ most.
  package init(minimum: Int = 0, maximum: Int? = nil) {
    precondition(minimum >= 0 && (maximum ?? minimum) >= minimum, "an empty range")
    self.minimum = minimum
    self.maximum = maximum
  }

  /// One number.
  package init(_ count: Int) { self.init(minimum: count, maximum: count) }

  package func contains(_ count: Int) -> Bool { count >= minimum && count <= maximum ?? count }

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
    var minimum: Int?
    var maximum: Int?
    while !words.isAtEnd {
      guard let comparison = words.comparison(), let number = words.number() else { return nil }
      switch comparison {
      case ">=", ">":
        guard minimum == nil else { return nil }
        minimum = comparison == ">" ? number + 1 : number
      default:
        guard maximum == nil else { return nil }
        maximum = comparison == "<" ? number - 1 : number
      }
    }
    guard minimum != nil || maximum != nil, (maximum ?? .max) >= (minimum ?? 0) else { return nil }
    self.init(minimum: minimum ?? 0, maximum: maximum)
  }

  /// The shortest text that reads as the same.
  package var description: String {
    switch (minimum, maximum) {
    case (0, nil): "*"
    case (let minimum, nil): ">= \(minimum)"
    case (let minimum, let maximum?) where minimum == maximum: "\(minimum)"
    case (0, let maximum?): "<= \(maximum)"
    case (let minimum, let maximum?): ">= \(minimum) <= \(maximum)"
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
