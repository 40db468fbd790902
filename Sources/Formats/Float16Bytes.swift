import Weights

/// IEEE 754 float16 values (FP16), stored little-endian.
package enum Float16Bytes {
  /// The nearest float16 values, ties to even.
  ///
  /// - Returns: two bytes per value, and how many of the float16 values are infinite or NaN: values from
  ///   65520 on have no half near them.
  package static func bytes(of values: [Float]) -> (bytes: [UInt8], nonFiniteCount: Int) {
    var nonFiniteCount = 0
    // Raw buffers of both keep the loop free of checks: it runs over every value that ships as a
    // half. Two bytes per value are room for as many float16 values, all of them written.
    let bytes = unsafe [UInt8](
      unsafeUninitializedCapacity: values.count * 2
    ) { output, initialized in
      unsafe values.withUnsafeBufferPointer { input in
        let float16s = unsafe UnsafeMutableRawBufferPointer(output).bindMemory(to: UInt16.self)
        // A count per piece in 32 bits lets the loop run in vectors of one width.
        for start in stride(from: 0, to: input.count, by: 1 << 16) {
          var count: UInt32 = 0
          for index in start..<min(start + 1 << 16, input.count) {
            let half = unsafe bits(of: input[index])
            count &+= half & 0x7C00 == 0x7C00 ? 1 : 0
            unsafe float16s[index] = UInt16(truncatingIfNeeded: half).littleEndian
          }
          nonFiniteCount += Int(count)
        }
      }
      initialized = values.count * 2
    }
    return (bytes, nonFiniteCount)
  }

  /// Magnitudes that float16 holds with all their digits.
  static let normalRange: ClosedRange<Float> = 0x1p-14...65504

  /// The nearest float16 values, two bytes each.
  static func data(of values: [Float]) -> [UInt8] { bytes(of: values).bytes }

  /// The values of float16 bytes; a last odd byte is left out.
  package static func floats(of bytes: [UInt8]) -> [Float] {
    unsafe FloatConversion.floats(of: bytes.span.bytes, .f16, isBigEndian: false)
  }

  /// The nearest half in the low 16 bits.
  ///
  /// In the range of normal float16 values, moving the exponent and adding just under half a step (a whole
  /// half when the result would be odd) before the cut rounds to nearest even. Below it, adding 0.5
  /// as a Float leaves the half's own bits, rounded by the processor, at the end of the sum.
  @inline(__always)
  private static func bits(of value: Float) -> UInt32 {
    let magnitude = value.bitPattern & 0x7FFF_FFFF
    let sign = (value.bitPattern & 0x8000_0000) >> 16
    let isOdd = magnitude >> 13 & 1
    let normal = (magnitude &- 0x3800_0000 &+ 0x0FFF &+ isOdd) >> 13
    let subnormal = (Float(bitPattern: magnitude) + 0.5).bitPattern &- (0.5 as Float).bitPattern
    // A NaN stays one, quiet, with the upper bits of its payload.
    let special: UInt32 = magnitude > 0x7F80_0000 ? 0x7E00 | magnitude >> 13 & 0x01FF : 0x7C00
    let finite = magnitude < 0x3880_0000 ? subnormal : normal
    return sign | (magnitude >= 0x4780_0000 ? special : finite)
  }
}
