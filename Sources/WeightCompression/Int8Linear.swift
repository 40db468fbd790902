/// Linear symmetric quantisation to eight bits: value ≈ scale · code, codes −127 … 127.
///
/// All arithmetic is in Float: scale = max|w| / 127, rounded to the float type it is stored in, and
/// code = w / scale rounded to the nearest, ties to even. A group of zeros has scale 1 and codes 0.
enum Int8Linear {
  /// Codes in flat order and one scale per group.
  static func quantize(
    _ values: [Float], _ layout: RunLayout, floats: FloatWidth = .float32
  ) -> (codes: [Int8], scales: [Float]) {
    var scales = [Float](repeating: 0, count: layout.groups)
    values.withUnsafeBufferPointer { values in
      layout.forEachRun(in: 0..<values.count) { group, range in
        scales[group] = max(scales[group], largestMagnitude(values, range))
      }
    }
    for group in scales.indices { scales[group] = scale(largest: scales[group], floats) }
    let codes = [Int8](unsafeUninitializedCapacity: values.count) { codes, initialized in
      values.withUnsafeBufferPointer { values in
        layout.forEachRun(in: 0..<values.count) { group, range in
          encode(values, range, scale: scales[group], into: codes)
        }
      }
      initialized = values.count
    }
    return (codes, scales)
  }

  /// The scale of a group whose largest magnitude is `largest`; 127 steps of it are finite.
  static func scale(largest: Float, _ floats: FloatWidth = .float32) -> Float {
    guard largest > 0 else { return 1 }
    let scale = floats.rounded(largest / 127)
    // Among subnormal numbers the quotient can be rounded down so far that 127 steps do not reach
    // the largest value; near the top of the range it can be rounded up so that they overflow.
    if scale * 127.5 < largest { return floats.next(above: scale) }
    return floats.rounded(scale * 127).isFinite ? scale : floats.next(below: scale)
  }

  /// The largest magnitude in a range, 0 when it is empty.
  private static func largestMagnitude(
    _ values: UnsafeBufferPointer<Float>, _ range: Range<Int>
  ) -> Float {
    let bytes = UnsafeRawBufferPointer(values)
    var lanes = SIMD16<UInt32>(repeating: 0)
    var index = range.lowerBound
    while index + 16 <= range.upperBound {
      // Without the sign bit, the bits of finite floats are in the order of their magnitudes.
      let bits = bytes.loadUnaligned(fromByteOffset: 4 * index, as: SIMD16<UInt32>.self)
      lanes = pointwiseMax(lanes, bits & 0x7fff_ffff)
      index += 16
    }
    var largest = Float(bitPattern: lanes.max())
    for i in index..<range.upperBound { largest = max(largest, values[i].magnitude) }
    return largest
  }

  private static func encode(
    _ values: UnsafeBufferPointer<Float>, _ range: Range<Int>, scale: Float,
    into codes: UnsafeMutableBufferPointer<Int8>
  ) {
    // Adding and subtracting 1.5 · 2^23 rounds to an integer, ties to even, for magnitudes below
    // 2^22; the processor rounds that way and nothing here changes its mode.
    let magic: Float = 0x1.8p23
    for i in range {
      let rounded = (values[i] / scale + magic) - magic
      codes[i] = Int8(truncatingIfNeeded: Int32(max(-127, min(127, rounded))))
    }
  }
}
