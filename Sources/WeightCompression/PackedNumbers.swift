/// How whole numbers lie in a little-endian bit stream; see `BitPacking` for the order of its bits.
///
/// Element i is `least` plus its code. Where numbers are relative, and that is not negative, it is counted
/// from i.
package struct PackedNumbers: Hashable, Sendable {
  /// Bits of a code, 1 to 25: a Float holds whole numbers of as many.
  package let bits: Int
  /// The number of code 0.
  package let least: Int
  package let isRelative: Bool

  /// Numbers of bits that a code can have.
  package static let knownBits = 1...25
  /// Least numbers: those that a Float holds, as all between them.
  package static let knownLeast = -(1 << 24)...1 << 24

  /// Nil where an element could be beyond what a Float holds.
  package init?(bits: Int, least: Int, isRelative: Bool) {
    guard Self.knownBits.contains(bits), Self.knownLeast.contains(least) else { return nil }
    self.bits = bits
    self.least = least
    self.isRelative = isRelative
  }

  /// The way of the fewest bits for numbers; nil where these are not whole, or too large.
  package init?(fewestFor values: [Float]) {
    let plain = PackedNumbers(values, isRelative: false)
    let relative = PackedNumbers(values, isRelative: true)
    guard let best = plain, best.bits <= relative?.bits ?? best.bits else {
      guard let relative else { return nil }
      self = relative
      return
    }
    self = best
  }

  private init?(_ values: [Float], isRelative: Bool) {
    var (least, largest) = (Int.max, Int.min)
    for (place, value) in values.enumerated() {
      guard let number = Int(exactly: value), Self.knownLeast.contains(number) else { return nil }
      let stored = isRelative && number >= 0 ? number - place : number
      // A negative difference would be read as a number.
      guard number < 0 || stored >= 0 else { return nil }
      least = min(least, stored)
      largest = max(largest, stored)
    }
    guard least <= largest else { return nil }
    let bits = max(1, Int.bitWidth - (largest - least).leadingZeroBitCount)
    self.init(bits: bits, least: least, isRelative: isRelative)
  }

  /// The bytes of numbers for which this was made.
  package func bytes(of values: [Float]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(BitPacking.byteCount(values.count, bits: bits))
    var (word, filled): (UInt64, Int) = (0, 0)
    for (place, value) in values.enumerated() {
      let number = Int(value)
      let stored = isRelative && number >= 0 ? number - place : number
      word |= UInt64(stored - least) << UInt64(filled)
      filled += bits
      while filled >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: word))
        word >>= 8
        filled -= 8
      }
    }
    if filled > 0 { bytes.append(UInt8(truncatingIfNeeded: word)) }
    return bytes
  }

  /// The numbers of bytes.
  ///
  /// - Parameter count: how many; there are as many bytes as these take.
  package func values(of bytes: [UInt8], count: Int) -> [Float] {
    precondition(bytes.count == BitPacking.byteCount(count, bits: bits), "as many bytes as needed")
    let mask = UInt64(1) << UInt64(bits) - 1
    var (word, filled, next): (UInt64, Int, Int) = (0, 0, 0)
    return (0..<count).map { place in
      while filled < bits {
        word |= UInt64(bytes[next]) << UInt64(filled)
        next += 1
        filled += 8
      }
      let stored = least + Int(word & mask)
      word >>= UInt64(bits)
      filled -= bits
      return Float(isRelative && stored >= 0 ? stored + place : stored)
    }
  }
}
