import StrictJSON

/// Reads numbers as Hugging Face's library does, whose parser (`serde_json` without
/// `float_roundtrip`) does not always find the nearest double: a last bit may decide between two
/// ways to cut a word.
enum PieceScore {
  /// The powers of ten that the parser multiplies with.
  private static let largestPower = 308

  /// A number, as it is after the library has read it; nil for other values and numbers too large.
  static func read(_ node: JSONNode) -> Double? {
    guard case .number(let digits) = node.content, let parts = parts(of: digits) else {
      return nil
    }
    let value = scaled(Double(parts.significand), parts.exponent)
    return value.isFinite ? (digits.hasPrefix("-") ? -value : value) : nil
  }

  /// The digits as one integer, those that no longer fit left out, and the power of ten.
  private static func parts(of text: String) -> (significand: UInt64, exponent: Int)? {
    let isExponent = { (byte: UInt8) in byte | 0x20 == UInt8(ascii: "e") }
    let fields = text.utf8.split(maxSplits: 1, whereSeparator: isExponent)
    guard let number = fields.first else { return nil }
    var significand: UInt64 = 0
    var exponent = 0
    var isFraction = false
    var isFull = false
    for byte in number where byte != UInt8(ascii: "-") {
      guard byte != UInt8(ascii: ".") else {
        isFraction = true
        continue
      }
      let (shifted, overflows) = significand.multipliedReportingOverflow(by: 10)
      let (sum, carries) = shifted.addingReportingOverflow(UInt64(byte & 15))
      isFull = isFull || overflows || carries
      if !isFull { significand = sum }
      if isFull && !isFraction { exponent += 1 }
      if !isFull && isFraction { exponent -= 1 }
    }
    guard fields.count == 2 else { return (significand, exponent) }
    guard let stated = Int(String(decoding: fields[1], as: UTF8.self)), stated.magnitude < 100_000
    else { return nil }
    return (significand, exponent + stated)
  }

  private static func scaled(_ value: Double, _ exponent: Int) -> Double {
    var (value, exponent) = (value, exponent)
    while exponent < -largestPower, value != 0 {
      value /= power(largestPower)
      exponent += largestPower
    }
    guard value != 0 else { return 0 }
    guard exponent <= largestPower else { return .infinity }
    return exponent < 0 ? value / power(-exponent) : value * power(exponent)
  }

  /// The double nearest to a power of ten.
  private static func power(_ exponent: Int) -> Double { Double("1e\(exponent)") ?? .infinity }
}
