/// Bytes as hexadecimal digits.
package enum HexText {
  /// The bytes of an even number of digits; nil for anything else.
  package static func bytes(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for place in stride(from: 0, to: digits.count, by: 2) {
      guard let high = value(digits[place]), let low = value(digits[place + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  /// Lower-case digits.
  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    let bytes = Array(bytes)
    return unsafe String(unsafeUninitializedCapacity: 2 * bytes.count) { digits in
      var place = 0
      for byte in bytes {
        unsafe digits[place] = digit(byte >> 4)
        unsafe digits[place + 1] = digit(byte & 15)
        place += 2
      }
      return place
    }
  }

  /// Whether a byte of a text is a digit as `text` writes it.
  package static func isLowerCase(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
