extension Tensor {
  /// All values in row-major order, whatever the order and byte order of storage.
  ///
  /// F64 and integers are rounded to the nearest Float; an F64 beyond Float's range becomes
  /// infinite, as IEEE 754 prescribes. A bool is 1 or 0.
  package func floats() throws(WeightsError) -> [Float] {
    guard elementType.isConvertible else { throw notConvertible }
    let values = try withBytes {
      FloatConversion.floats(of: $0, elementType, isBigEndian: layout.isBigEndian)
    }
    letGo()
    return layout.isFortranOrder ? FloatConversion.rowMajor(values, shape: shape) : values
  }

  /// The values of a range of the row-major order, which must lie inside `0..<elementCount`.
  ///
  /// Costs as much as all values for a tensor in Fortran order.
  package func floats(in range: Range<Int>) throws(WeightsError) -> [Float] {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= elementCount, "range outside the tensor")
    guard elementType.isConvertible else { throw notConvertible }
    if layout.isFortranOrder { return Array(try floats()[range]) }
    let size = elementType.bitWidth / 8
    return try withBytes { bytes in
      FloatConversion.floats(
        of: bytes.extracting(range.lowerBound * size..<range.upperBound * size), elementType,
        isBigEndian: layout.isBigEndian)
    }
  }

  private var notConvertible: WeightsError {
    .notConvertible(name: name, place: place, type: elementType)
  }
}
