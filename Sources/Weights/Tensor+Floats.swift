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

  /// The values that are NaN or infinite once converted: how many, and where in row-major order the
  /// first is. Nil when there are none.
  package func nonFiniteValues() throws(WeightsError) -> (count: Int, firstIndex: Int)? {
    guard elementType.isConvertible else { throw notConvertible }
    guard elementType.canBeNonFinite else { return nil }
    // Pieces keep memory small; in Fortran order every piece would cost the whole.
    let pieceCount = layout.isFortranOrder ? elementCount : 1 << 18
    var found: (count: Int, firstIndex: Int)?
    var start = 0
    while start < elementCount {
      let end = min(start + pieceCount, elementCount)
      let values = try floats(in: start..<end)
      let count = FloatConversion.nonFiniteCount(values)
      if count > 0 {
        let first = values.firstIndex { !$0.isFinite } ?? 0
        found = ((found?.count ?? 0) + count, found?.firstIndex ?? start + first)
      }
      start = end
    }
    return found
  }

  private var notConvertible: WeightsError {
    .notConvertible(name: name, place: place, type: elementType)
  }
}
