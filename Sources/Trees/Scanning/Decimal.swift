/// A decimal number as a text has it: `digits` × 10^`exponent`.
struct Decimal {
  /// The digits without the point; only some of them where `isExact` is false.
  private(set) var digits: UInt64 = 0
  private(set) var exponent = 0
  private(set) var isNegative = false
  /// Whether there is neither a point nor an exponent.
  private(set) var isWhole = true
  /// Whether `digits` and `exponent` hold all of it.
  private(set) var isExact = true

  /// Reads a number in the form of JSON (RFC 8259, section 6).
  ///
  /// - Parameters:
  ///   - bytes: a byte that is part of no number ends them.
  ///   - place: of its first byte, then of the byte behind it, or of the fault.
  /// - Returns: nil if it is not of the form.
  @inline(__always)
  init?(_ bytes: Span<UInt8>, _ place: inout Int) {
    if bytes[place] == UInt8(ascii: "-") {
      isNegative = true
      place += 1
    }
    let start = place
    take(bytes, &place)
    var count = place - start
    guard count == 1 || (count > 1 && bytes[start] != UInt8(ascii: "0")) else {
      if count > 1 { place = start }
      return nil
    }
    if bytes[place] == UInt8(ascii: ".") {
      isWhole = false
      place += 1
      let point = place
      take(bytes, &place)
      guard place > point else { return nil }
      count += place - point
      exponent = point - place
    }
    // 10^19 fits 64 bits.
    isExact = count <= 19
    if bytes[place] | 0x20 == UInt8(ascii: "e") {
      isWhole = false
      guard takeExponent(bytes, &place) else { return nil }
    }
  }

  @inline(__always)
  private mutating func take(_ bytes: Span<UInt8>, _ place: inout Int) {
    while true {
      let digit = bytes[place] &- UInt8(ascii: "0")
      guard digit < 10 else { return }
      digits = digits &* 10 &+ UInt64(digit)
      place += 1
    }
  }

  @inline(__always)
  private mutating func takeExponent(_ bytes: Span<UInt8>, _ place: inout Int) -> Bool {
    place += 1
    let isBelow = bytes[place] == UInt8(ascii: "-")
    if isBelow || bytes[place] == UInt8(ascii: "+") { place += 1 }
    let start = place
    var power = 0
    while true {
      let digit = bytes[place] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      power = min(power * 10 + Int(digit), 100_000)
      place += 1
    }
    exponent += isBelow ? -power : power
    return place > start
  }

  /// Powers of 10 that are exact in 64 bits.
  private static let powers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// The nearest number of 64 bits; nil where one operation does not give it.
  @inline(__always)
  var double: Double? {
    // Both are exact, and one operation rounds once (Clinger 1990).
    guard isExact, digits <= 1 << 53, exponent >= -22, exponent <= 22 else { return nil }
    let digits = Double(digits)
    let size =
      exponent < 0 ? digits / Self.powers[-exponent] : digits * Self.powers[exponent]
    return isNegative ? -size : size
  }

  /// The nearest number of 32 bits; nil where one operation in 64 bits does not give it.
  @inline(__always)
  var float: Float? {
    guard let double else { return nil }
    // Rounded twice it may differ only if the first time led to the middle of two numbers of 32 bits. Below
    // the normal ones the middle lies elsewhere.
    guard double.bitPattern & 0x1FFF_FFFF != 0x1000_0000,
      double.magnitude >= Double(Float.leastNormalMagnitude) || digits == 0
    else { return nil }
    return Float(double)
  }

  /// The whole number; nil if it is none, or does not fit.
  @inline(__always)
  var integer: Int? {
    guard isWhole, isExact else { return nil }
    if isNegative {
      return digits <= UInt64(Int.max) + 1 ? Int(truncatingIfNeeded: 0 &- digits) : nil
    }
    return Int(exactly: digits)
  }
}
