import Files

/// Base64 (RFC 4648) with padding: one text for some bytes.
enum Base64 {
  /// Deviations from the standard form that a text may have.
  struct Tolerance: OptionSet {
    let rawValue: Int
    /// White space anywhere, as SSH programs allow it.
    static let whiteSpace = Tolerance(rawValue: 1)
    /// `-` and `_` for `+` and `/`.
    static let urlAlphabet = Tolerance(rawValue: 2)
  }

  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The text of some bytes, in the standard alphabet.
  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      let word = (0..<3).reduce(0) { $0 << 8 | ($1 < part.count ? Int(part[start + $1]) : 0) }
      for place in 0..<4 {
        text.append(
          place <= part.count ? digits[word >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of a text; nil when it is not the one text for them but for what is tolerated.
  static func decode(_ text: [UInt8], _ tolerance: Tolerance = []) -> [UInt8]? {
    decode(unsafe text.span.bytes, 0..<text.count, tolerance)?.withBytes { bytes in
      bytes.array(0..<bytes.byteCount)
    }
  }

  /// The same for text that is secret.
  static func decode(
    _ text: RawSpan, _ range: Range<Int>, _ tolerance: Tolerance
  ) -> SecretBytes? {
    var isSound = true
    var (digitCount, padCount) = (0, 0)
    for index in range {
      let byte = text.byte(index)
      if tolerance.contains(.whiteSpace) && isSpace(byte) { continue }
      if byte == UInt8(ascii: "=") {
        padCount += 1
      } else {
        isSound = isSound && padCount == 0 && value(of: byte, tolerance) != nil
        digitCount += 1
      }
    }
    guard isSound, padCount <= 2, (digitCount + padCount) % 4 == 0, digitCount % 4 != 1,
      digitCount > 0 || padCount == 0
    else { return nil }
    return bytes(of: text, range, count: digitCount * 3 / 4, tolerance)
  }

  /// - Parameter count: the bytes that the digits make up.
  private static func bytes(
    of text: RawSpan, _ range: Range<Int>, count: Int, _ tolerance: Tolerance
  ) -> SecretBytes? {
    var bytes = SecretBytes(count: count)
    var (word, bits, offset) = (0, 0, 0)
    for index in range {
      guard let digit = value(of: text.byte(index), tolerance) else { continue }
      word = (word << 6 | digit) & 0xFFFF
      bits += 6
      guard bits >= 8 else { continue }
      bits -= 8
      bytes.set(UInt8(truncatingIfNeeded: word >> bits), at: offset)
      offset += 1
    }
    // Bits that no byte takes are zero: otherwise several texts would encode the same bytes.
    guard word & (1 << bits - 1) == 0 else { return nil }
    return bytes
  }

  private static func value(of byte: UInt8, _ tolerance: Tolerance) -> Int? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    case UInt8(ascii: "-") where tolerance.contains(.urlAlphabet): 62
    case UInt8(ascii: "_") where tolerance.contains(.urlAlphabet): 63
    default: nil
    }
  }

  /// Space, tab, newline, vertical tab, form feed, carriage return.
  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D) ~= byte }
}
