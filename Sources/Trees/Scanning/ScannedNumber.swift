/// A number that a text of JSON is read as.
protocol ScannedNumber {
  /// Words for it, for messages.
  static var kind: String { get }
  /// What `NaN`, `Infinity` and `-Infinity` are read as; nil where they are refused.
  static func value(of word: JSONScanner.Word) -> Self?
  /// The number that a decimal gives at once.
  static func quick(_ decimal: Decimal) -> Self?
  /// The number of a text of the form of JSON; nil if it is of another kind.
  static func slow(_ text: String) -> Self?
}

extension Float: ScannedNumber {
  static let kind = "a number"

  @inline(__always)
  static func quick(_ decimal: Decimal) -> Float? { decimal.float }
  static func slow(_ text: String) -> Float? { Float(text) }

  static func value(of word: JSONScanner.Word) -> Float? {
    switch word {
    case .nan: .nan
    case .infinity: .infinity
    case .negativeInfinity: -.infinity
    }
  }
}

extension Double: ScannedNumber {
  static let kind = "a number"

  @inline(__always)
  static func quick(_ decimal: Decimal) -> Double? { decimal.double }
  static func slow(_ text: String) -> Double? { Double(text) }

  static func value(of word: JSONScanner.Word) -> Double? {
    Float.value(of: word).map(Double.init)
  }
}

extension Int32: ScannedNumber {
  static let kind = "a whole number of 32 bits"

  @inline(__always)
  static func quick(_ decimal: Decimal) -> Int32? { decimal.integer.flatMap { Int32(exactly: $0) } }
  static func slow(_ text: String) -> Int32? { nil }
  static func value(of word: JSONScanner.Word) -> Int32? { nil }
}

/// A number whose value no one asks for.
struct SkippedNumber: ScannedNumber {
  static let kind = "a number"

  @inline(__always)
  static func quick(_ decimal: Decimal) -> SkippedNumber? { SkippedNumber() }
  static func slow(_ text: String) -> SkippedNumber? { SkippedNumber() }
  static func value(of word: JSONScanner.Word) -> SkippedNumber? { SkippedNumber() }
}
