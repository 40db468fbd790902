import Files

extension Tensor {
  /// All values in row-major order, for any order and byte order of storage.
  ///
  /// F64 and integers are rounded to the nearest Float; an F64 beyond Float's range becomes
  /// infinite, as IEEE 754 prescribes. A bool is 1 or 0.
  ///
  /// - Throws: `WeightsError.notConvertible`; `FileError.noMemory` before allocating more memory
  ///   than there is.
  package func floats() throws(WeightsError) -> [Float] {
    guard elementType.isConvertible else { throw notConvertible }
    try requireMemory(forFloats: elementCount)
    let values = try storedFloats(first: elementCount)
    return layout.isFortranOrder ? FloatConversion.rowMajor(values, shape: shape) : values
  }

  /// The first values in the order they are stored in.
  private func storedFloats(first count: Int) throws(WeightsError) -> [Float] {
    var values: [Float] = []
    values.reserveCapacity(count)
    try forEachPieceOfBytes { bytes in
      let part = min(bytes.byteCount, (count - values.count) * valueByteCount)
      values += FloatConversion.floats(
        of: bytes.extracting(0..<part), elementType, isBigEndian: layout.isBigEndian)
      // The check behind the last value is not left out.
      return values.count < count || count == elementCount
    }
    return values
  }

  /// The values of a range of the row-major order, which must lie inside `0..<elementCount`.
  ///
  /// Costs as much as all values for a tensor in Fortran order, and as much as all before the end of
  /// the range for one in a deflated archive.
  package func floats(in range: Range<Int>) throws(WeightsError) -> [Float] {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= elementCount, "range outside the tensor")
    guard elementType.isConvertible else { throw notConvertible }
    if layout.isFortranOrder { return Array(try floats()[range]) }
    guard case .mapped(let file, let place) = storage else {
      try requireMemory(forFloats: range.upperBound)
      return Array(try storedFloats(first: range.upperBound)[range])
    }
    try requireMemory(forFloats: range.count)
    let start = place.lowerBound + range.lowerBound * valueByteCount
    return file.withBytes(in: start..<start + range.count * valueByteCount) {
      FloatConversion.floats(of: $0, elementType, isBigEndian: layout.isBigEndian)
    }
  }

  var notConvertible: WeightsError {
    .notConvertible(name: name, place: place, type: elementType)
  }
}
