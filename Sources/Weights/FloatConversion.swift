/// Turns stored values into Float, in loops the compiler vectorises.
package enum FloatConversion {
  /// The values in the order stored. The type must be convertible; the bytes need not be aligned.
  package static func floats(of bytes: RawSpan, _ type: ElementType, isBigEndian: Bool) -> [Float] {
    switch type {
    case .f32 where !isBigEndian: copied(bytes)
    case .f32: converted(bytes, isBigEndian) { (bits: UInt32) in Float(bitPattern: bits) }
    case .f64:
      converted(bytes, isBigEndian) { (bits: UInt64) in Float(Double(bitPattern: bits)) }
    case .f16: converted(bytes, isBigEndian, float(half:))
    case .bf16:
      converted(bytes, isBigEndian) { (bits: UInt16) in Float(bitPattern: UInt32(bits) << 16) }
    case .bool: converted(bytes, false) { (byte: UInt8) in byte == 0 ? 0 : 1 }
    case .u8: converted(bytes, false) { (value: UInt8) in Float(value) }
    case .i8: converted(bytes, false) { (value: Int8) in Float(value) }
    case .u16: converted(bytes, isBigEndian) { (value: UInt16) in Float(value) }
    case .i16: converted(bytes, isBigEndian) { (value: Int16) in Float(value) }
    case .u32: converted(bytes, isBigEndian) { (value: UInt32) in Float(value) }
    case .i32: converted(bytes, isBigEndian) { (value: Int32) in Float(value) }
    case .u64: converted(bytes, isBigEndian) { (value: UInt64) in Float(value) }
    case .i64: converted(bytes, isBigEndian) { (value: Int64) in Float(value) }
    case .f4, .f6E2M3, .f6E3M2, .f8E5M2, .f8E4M3, .f8E8M0, .f8E4M3FNUZ, .f8E5M2FNUZ, .c64:
      preconditionFailure("\(type.rawValue) is not convertible")
    }
  }

  /// The value of an IEEE 754 half.
  ///
  /// Shifting the bits into a Float's place leaves the exponent 112 too small, which the product
  /// mends exactly, subnormal halves included; NaN and infinity then get their exponent back.
  @inline(__always)
  static func float(half bits: UInt16) -> Float {
    let shifted = Float(bitPattern: UInt32(bits & 0x7FFF) << 13) * 0x1p112
    let special: UInt32 = bits & 0x7C00 == 0x7C00 ? 0x7F80_0000 : 0
    return Float(bitPattern: shifted.bitPattern | special | UInt32(bits & 0x8000) << 16)
  }

  private static func copied(_ bytes: RawSpan) -> [Float] {
    let count = bytes.byteCount / 4
    return unsafe bytes.withUnsafeBytes { input in
      unsafe [Float](unsafeUninitializedCapacity: count) { output, initialized in
        unsafe UnsafeMutableRawBufferPointer(output).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: input[0..<count * 4]))
        initialized = count
      }
    }
  }

  @inline(__always)
  private static func converted<Bits: FixedWidthInteger & BitwiseCopyable>(
    _ bytes: RawSpan, _ isBigEndian: Bool, _ convert: (Bits) -> Float
  ) -> [Float] {
    let size = MemoryLayout<Bits>.size
    let count = bytes.byteCount / size
    return unsafe bytes.withUnsafeBytes { input in
      unsafe [Float](unsafeUninitializedCapacity: count) { output, initialized in
        if isBigEndian {
          for index in 0..<count {
            let bits = unsafe input.loadUnaligned(fromByteOffset: index * size, as: Bits.self)
            unsafe output.initializeElement(at: index, to: convert(Bits(bigEndian: bits)))
          }
        } else {
          for index in 0..<count {
            let bits = unsafe input.loadUnaligned(fromByteOffset: index * size, as: Bits.self)
            unsafe output.initializeElement(at: index, to: convert(Bits(littleEndian: bits)))
          }
        }
        initialized = count
      }
    }
  }

  /// Values stored with the first index varying fastest, brought into row-major order.
  static func rowMajor(_ values: [Float], shape: [Int]) -> [Float] {
    guard shape.count > 1, !values.isEmpty else { return values }
    let last = shape.count - 1
    var strides = [1]  // in elements of `values`
    for dimension in shape.dropLast() { strides.append(strides[strides.count - 1] * dimension) }
    var result: [Float] = []
    result.reserveCapacity(values.count)
    var index = [Int](repeating: 0, count: last)
    var start = 0
    while result.count < values.count {
      for column in 0..<shape[last] { result.append(values[start + column * strides[last]]) }
      // One step of the odometer of all dimensions but the last.
      var dimension = last - 1
      while dimension >= 0 {
        index[dimension] += 1
        start += strides[dimension]
        if index[dimension] < shape[dimension] { break }
        start -= index[dimension] * strides[dimension]
        index[dimension] = 0
        dimension -= 1
      }
    }
    return result
  }
}
