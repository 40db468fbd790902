/// The float type a format stores: of scales, palettes and uncompressed weights.
///
/// All arithmetic is in Float; a half is a Float that a half can hold.
package enum FloatType: Hashable, Sendable {
  /// IEEE 754 single precision.
  case float32
  /// IEEE 754 half precision: 11 significant bits, 2⁻²⁴ … 65504.
  case float16

  /// Bytes per float.
  package var byteCount: Int {
    switch self {
    case .float32: 4
    case .float16: 2
    }
  }

  /// The largest finite magnitude.
  package var greatest: Float {
    switch self {
    case .float32: .greatestFiniteMagnitude
    case .float16: 65504
    }
  }

  /// The least magnitude that rounds to infinity.
  var overflow: Float {
    switch self {
    case .float32: .infinity
    case .float16: 65520
    }
  }

  /// The nearest float of this width, ties to even; infinite past the largest.
  package func rounded(_ value: Float) -> Float {
    switch self {
    case .float32: value
    case .float16: Half.rounded(value)
    }
  }

  /// The next float of this width above a finite one that is not negative and has this width.
  func next(above value: Float) -> Float {
    switch self {
    case .float32: value.nextUp
    case .float16: Half.next(above: value)
    }
  }

  /// The next float of this width below a positive one of this width.
  func next(below value: Float) -> Float {
    switch self {
    case .float32: value.nextDown
    case .float16: Half.next(below: value)
    }
  }

  /// Rounds each value in place.
  package func round(_ values: UnsafeMutableBufferPointer<Float>) {
    guard self == .float16 else { return }
    for i in values.indices { unsafe values[i] = Half.rounded(values[i]) }
  }

  /// The values, each rounded.
  package func rounded(_ values: [Float]) -> [Float] {
    guard self == .float16 else { return values }
    var rounded = values
    unsafe rounded.withUnsafeMutableBufferPointer { unsafe round($0) }
    return rounded
  }
}

/// float16 values held in Floats, in arithmetic that the compiler vectorises on any processor.
private enum Half {
  /// From here on down float16 values are subnormal: multiples of 2⁻²⁴.
  static let minNormal: Float = 0x1p-14
  static let step: Float = 0x1p-24
  /// Bits of a Float's significand that a half does not have.
  static let lostBits: UInt32 = 13

  @inline(__always)
  static func rounded(_ value: Float) -> Float {
    let sign = value.bitPattern & 0x8000_0000
    let bits = value.bitPattern & 0x7fff_ffff
    // Just below half the last bit that stays, and one more when that bit is odd.
    let half = (1 << (lostBits - 1)) - 1 + (bits >> lostBits & 1)
    let normal = (bits &+ half) & ~((1 << lostBits) - 1)
    // Floats from 0.5 to 1 lie 2⁻²⁴ apart, so the sum is rounded to a subnormal half.
    let subnormal = ((Float(bitPattern: bits) + 0.75) - 0.75).bitPattern
    let magnitude = bits < minNormal.bitPattern ? subnormal : normal
    // Past 65504 is infinity; NaN stays as it is.
    let infinity = Float.infinity.bitPattern
    let limited = bits > infinity ? bits : magnitude > greatest.bitPattern ? infinity : magnitude
    return Float(bitPattern: limited | sign)
  }

  private static let greatest: Float = 65504

  static func next(above value: Float) -> Float {
    value < minNormal ? value + step : Float(bitPattern: value.bitPattern + 1 << lostBits)
  }

  static func next(below value: Float) -> Float {
    value <= minNormal ? value - step : Float(bitPattern: value.bitPattern - 1 << lostBits)
  }
}
