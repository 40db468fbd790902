/// Turns stored values into Float, in loops the compiler vectorises.
package enum FloatConversion {
  /// The values in the order stored. The type must be convertible; the bytes need not be aligned.
  package static func floats(of bytes: RawSpan, _ type: ElementType, isBigEndian: Bool) -> [Float] {
    let count = bytes.byteCount / (type.bitWidth / 8)
    return unsafe [Float](unsafeUninitializedCapacity: count) { output, initialized in
      unsafe write(bytes, type, isBigEndian: isBigEndian, to: output)
      initialized = count
    }
  }

  /// The same, to the start of some memory, which must be long enough.
  static func write(
    _ bytes: RawSpan, _ type: ElementType, isBigEndian: Bool,
    to output: UnsafeMutableBufferPointer<Float>
  ) {
    unsafe bytes.withUnsafeBytes { input in
      unsafe write(input, type, isBigEndian, output)
    }
  }

  private static func write(
    _ bytes: UnsafeRawBufferPointer, _ type: ElementType, _ isBigEndian: Bool,
    _ output: UnsafeMutableBufferPointer<Float>
  ) {
    switch type {
    case .f32 where !isBigEndian:
      let whole = unsafe UnsafeRawBufferPointer(rebasing: bytes[0..<bytes.count / 4 * 4])
      unsafe UnsafeMutableRawBufferPointer(output).copyMemory(from: whole)
    case .f32:
      unsafe convert(bytes, isBigEndian, output) { (bits: UInt32) in Float(bitPattern: bits) }
    case .f64:
      unsafe convert(bytes, isBigEndian, output) { (bits: UInt64) in
        Float(Double(bitPattern: bits))
      }
    case .f16: unsafe convert(bytes, isBigEndian, output, float(half:))
    case .bf16:
      unsafe convert(bytes, isBigEndian, output) { (bits: UInt16) in
        Float(bitPattern: UInt32(bits) << 16)
      }
    case .bool: unsafe convert(bytes, false, output) { (byte: UInt8) in byte == 0 ? 0 : 1 }
    case .u8: unsafe convert(bytes, false, output) { (value: UInt8) in Float(value) }
    case .i8: unsafe convert(bytes, false, output) { (value: Int8) in Float(value) }
    case .u16: unsafe convert(bytes, isBigEndian, output) { (value: UInt16) in Float(value) }
    case .i16: unsafe convert(bytes, isBigEndian, output) { (value: Int16) in Float(value) }
    case .u32: unsafe convert(bytes, isBigEndian, output) { (value: UInt32) in Float(value) }
    case .i32: unsafe convert(bytes, isBigEndian, output) { (value: Int32) in Float(value) }
    case .u64: unsafe convert(bytes, isBigEndian, output) { (value: UInt64) in Float(value) }
    case .i64: unsafe convert(bytes, isBigEndian, output) { (value: Int64) in Float(value) }
    case .f4, .f6E2M3, .f6E3M2, .f8E5M2, .f8E4M3, .f8E8M0, .f8E4M3FNUZ, .f8E5M2FNUZ, .c64:
      preconditionFailure("\(type.rawValue) is not convertible")
    }
  }

  /// The value of an IEEE 754 half.
  ///
  /// Shifting the bits into a Float's place leaves the exponent 112 too small, which the product
  /// corrects exactly, subnormal float16 numbers included; NaN and infinity then get their exponent
  /// back.
  @inline(__always)
  static func float(half bits: UInt16) -> Float {
    let shifted = Float(bitPattern: UInt32(bits & 0x7FFF) << 13) * 0x1p112
    let special: UInt32 = bits & 0x7C00 == 0x7C00 ? 0x7F80_0000 : 0
    return Float(bitPattern: shifted.bitPattern | special | UInt32(bits & 0x8000) << 16)
  }

  @inline(__always)
  private static func convert<Bits: FixedWidthInteger & BitwiseCopyable>(
    _ input: UnsafeRawBufferPointer, _ isBigEndian: Bool,
    _ output: UnsafeMutableBufferPointer<Float>, _ convert: (Bits) -> Float
  ) {
    let size = MemoryLayout<Bits>.size
    let count = input.count / size
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
  }

  /// Values stored with the first index varying fastest, brought into row-major order.
  static func rowMajor<Value>(_ values: [Value], shape: [Int]) -> [Value] {
    guard shape.count > 1, !values.isEmpty else { return values }
    let last = shape.count - 1
    var strides = [1]  // in elements of `values`
    for dimension in shape.dropLast() { strides.append(strides[strides.count - 1] * dimension) }
    var result: [Value] = []
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

extension [Float] {
  /// The values as stored: four little-endian bytes each.
  package var littleEndianBytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * 4)
    for value in self { bytes.append(littleEndian: value.bitPattern) }
    return bytes
  }
}

extension [UInt8] {
  /// Adds the bytes of an integer, the lowest first.
  package mutating func append(littleEndian value: some FixedWidthInteger & BitwiseCopyable) {
    unsafe Swift.withUnsafeBytes(of: value.littleEndian) { unsafe append(contentsOf: $0) }
  }
}
