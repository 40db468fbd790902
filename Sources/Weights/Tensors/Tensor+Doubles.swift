extension Tensor {
  /// All values in row-major order; F64 and whole numbers up to 2^53 exactly, others as `floats()` gives
  /// them.
  ///
  /// - Throws: as `floats()`.
  package func doubles() throws(WeightsError) -> [Double] {
    guard isPlain, elementType == .f64 || elementType == .i32 else {
      return try floats().map(Double.init)
    }
    try requireMemory(forFloats: 2 * elementCount)
    var values: [Double] = []
    values.reserveCapacity(elementCount)
    try forEachPieceOfBytes { bytes in
      if elementType == .f64 {
        for offset in stride(from: 0, to: bytes.byteCount, by: 8) {
          values.append(Double(bitPattern: bytes.littleEndian(at: offset, as: UInt64.self)))
        }
      } else {
        for offset in stride(from: 0, to: bytes.byteCount, by: 4) {
          values.append(Double(bytes.littleEndian(at: offset, as: Int32.self)))
        }
      }
      return true
    }
    return values
  }
}
