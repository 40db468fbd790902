extension Tensor {
  /// All values in row-major order, for any order and byte order of storage; F64 and whole numbers up to
  /// 2^53 exactly, larger ones rounded to the nearest Double, and others, which are exact there, as
  /// `floats()` gives them.
  ///
  /// - Throws: as `floats()`.
  package func doubles() throws(WeightsError) -> [Double] {
    guard elementType.isConvertible else { throw notConvertible }
    try requireMemory(forFloats: 2 * elementCount)
    var values: [Double] = []
    values.reserveCapacity(elementCount)
    try forEachPieceOfBytes { bytes in
      appendDoubles(of: bytes, to: &values)
      return true
    }
    return layout.isFortranOrder ? FloatConversion.rowMajor(values, shape: shape) : values
  }

  /// Adds stored values in the order of their bytes.
  private func appendDoubles(of bytes: RawSpan, to values: inout [Double]) {
    switch elementType {
    case .f64: append(bytes, to: &values) { (bits: UInt64) in Double(bitPattern: bits) }
    case .i32: append(bytes, to: &values) { (value: Int32) in Double(value) }
    case .u32: append(bytes, to: &values) { (value: UInt32) in Double(value) }
    case .i64: append(bytes, to: &values) { (value: Int64) in Double(value) }
    case .u64: append(bytes, to: &values) { (value: UInt64) in Double(value) }
    default:
      // Whatever else is convertible fits into a Float.
      let floats = FloatConversion.floats(
        of: bytes, elementType, isBigEndian: layout.isBigEndian)
      for value in floats { values.append(Double(value)) }
    }
  }

  private func append<Bits: FixedWidthInteger & BitwiseCopyable>(
    _ bytes: RawSpan, to values: inout [Double], _ double: (Bits) -> Double
  ) {
    for offset in stride(from: 0, to: bytes.byteCount, by: MemoryLayout<Bits>.size) {
      let bits = bytes.littleEndian(at: offset, as: Bits.self)
      values.append(double(layout.isBigEndian ? bits.byteSwapped : bits))
    }
  }
}
