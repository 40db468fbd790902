/// Numbers as tables write them.
enum TableNumber {
  private static let bytes = Set("+-.0123456789eE".utf8)

  /// A decimal number, finite as a 64-bit float, spaces around it left out; nil for anything else.
  static func value(of text: String) -> Double? {
    let trimmed = text.utf8.drop { $0 == 0x20 }
    let digits = String(decoding: trimmed.reversed().drop { $0 == 0x20 }.reversed(), as: UTF8.self)
    // Swift also reads hexadecimal numbers and names; a table may hold decimals only.
    guard digits.utf8.allSatisfy(bytes.contains), let value = Double(digits), value.isFinite else {
      return nil
    }
    return value
  }

  /// The same as a 32-bit float.
  static func float(of text: String) -> Float? {
    guard let value = value(of: text).map({ Float($0) }), value.isFinite else { return nil }
    return value
  }
}
