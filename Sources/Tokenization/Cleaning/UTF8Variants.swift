/// Reads UTF-8, and two of its variants: characters written as both halves of a pair of UTF-16, each
/// in three bytes (CESU-8), and U+0000 as `C0 80` (Java).
enum UTF8Variants {
  /// Decodes bytes to scalars; nil if they are in none of these encodings.
  static func decoded(_ bytes: [UInt8]) -> [UInt32]? {
    let allowsVariants = bytes.contains(0xED) || bytes.contains(0xC0)
    var result: [UInt32] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      guard
        let (scalar, length) = UTF8Bytes.scalar(in: bytes, at: index)
          ?? (allowsVariants ? null(bytes, index) ?? pair(bytes, index) : nil)
      else { return nil }
      result.append(scalar)
      index += length
    }
    return result
  }

  /// A line feed that ends the bytes counts as the second byte, as it does for ftfy.
  private static func null(_ bytes: [UInt8], _ index: Int) -> (UInt32, Int)? {
    guard bytes[index] == 0xC0, index + 1 < bytes.count else { return nil }
    let second = bytes[index + 1]
    let isLast = index + 2 == bytes.count && second == 0x0A
    return second == 0x80 || isLast ? (0, 2) : nil
  }

  /// Here, too, a line feed that ends the bytes counts as the last one.
  private static func pair(_ bytes: [UInt8], _ index: Int) -> (UInt32, Int)? {
    guard bytes.count - index >= 6 else { return nil }
    let six = Array(bytes[index..<index + 6])
    let isLast = index + 6 == bytes.count && six[5] == 0x0A
    guard six[0] == 0xED, 0xA0...0xAF ~= six[1], 0x80...0xBF ~= six[2], six[3] == 0xED,
      0xB0...0xBF ~= six[4], 0x80...0xBF ~= six[5] || isLast
    else { return nil }
    let high = UInt32(six[1] & 0x0F) << 16 | UInt32(six[2] & 0x3F) << 10
    let low = UInt32(six[4] & 0x0F) << 6 | UInt32(six[5] & 0x3F)
    return (high + low + 0x10000, 6)
  }
}
