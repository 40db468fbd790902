/// UTF-8 of scalars held as numbers.
enum UTF8Bytes {
  /// Calls with each byte of a scalar.
  static func forEach(of scalar: UInt32, _ body: (UInt8) -> Void) {
    let low = { (shift: UInt32) in UInt8(0x80 | (scalar >> shift & 0x3F)) }
    switch scalar {
    case 0..<0x80: body(UInt8(scalar))
    case 0x80..<0x800:
      body(UInt8(0xC0 | scalar >> 6))
      body(low(0))
    case 0x800..<0x10000:
      body(UInt8(0xE0 | scalar >> 12))
      body(low(6))
      body(low(0))
    default:
      body(UInt8(0xF0 | scalar >> 18 & 7))
      body(low(12))
      body(low(6))
      body(low(0))
    }
  }

  /// The number of bytes of a scalar.
  static func count(of scalar: UInt32) -> Int {
    scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4
  }

  /// The scalar at `index` and its length in bytes; nil for malformed UTF-8: overlong, a surrogate
  /// or cut off.
  static func scalar(in bytes: [UInt8], at index: Int) -> (scalar: UInt32, length: Int)? {
    let first = bytes[index]
    let (length, minimum): (Int, UInt32) =
      switch first {
      case 0..<0x80: (1, 0)
      case 0xC2..<0xE0: (2, 0x80)
      case 0xE0..<0xF0: (3, 0x800)
      case 0xF0..<0xF5: (4, 0x10000)
      default: (0, 0)
      }
    guard length > 0, bytes.count - index >= length else { return nil }
    if length == 1 { return (UInt32(first), 1) }
    var scalar = UInt32(first) & (0x7F >> UInt32(length))
    for byte in bytes[index + 1..<index + length] {
      guard byte & 0xC0 == 0x80 else { return nil }
      scalar = scalar << 6 | UInt32(byte & 0x3F)
    }
    let isScalar = scalar >= minimum && scalar <= 0x10FFFF && !(0xD800..<0xE000 ~= scalar)
    return isScalar ? (scalar, length) : nil
  }
}
