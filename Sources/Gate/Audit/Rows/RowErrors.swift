import Graph

/// How far each row of a weight moved, in Double.
struct RowErrors {
  /// ‖w − ŵ‖ of each row.
  let errors: [Double]
  /// ‖w‖ of each row, of the baseline's.
  let lengths: [Double]
  /// That of the whole weight: ‖w − ŵ‖ ÷ ‖w‖; infinite where w is all zero and ŵ is not.
  let whole: Double

  /// Bytes that comparing rows takes at its peak, besides the values: sums and roots of both, then
  /// peaks and crests.
  static func byteCount(of layout: RunLayout) -> Int { 48 * layout.groups }

  /// - Parameters:
  ///   - old: the baseline's values.
  ///   - new: as many.
  init(old: [Float], new: [Float], _ layout: RunLayout) {
    precondition(
      old.count == layout.elementCount && new.count == old.count, "values do not fit")
    var errors = [Double](repeating: 0, count: layout.groups)
    var lengths = errors
    // Both hold the layout's elements, which was checked: every row lies inside.
    unsafe old.withUnsafeBufferPointer { old in
      unsafe new.withUnsafeBufferPointer { new in
        layout.forEachRun(in: 0..<layout.elementCount) { row, range in
          let (error, size) = unsafe RowErrors.sums(old, new, range)
          errors[row] += error
          lengths[row] += size
        }
      }
    }
    let error = errors.reduce(0, +)
    whole = error == 0 ? 0 : (error / lengths.reduce(0, +)).squareRoot()
    self.errors = errors.map { $0.squareRoot() }
    self.lengths = lengths.map { $0.squareRoot() }
  }

  /// Σ (old − new)² and Σ old².
  private static func sums(
    _ old: UnsafeBufferPointer<Float>, _ new: UnsafeBufferPointer<Float>, _ range: Range<Int>
  ) -> (error: Double, size: Double) {
    var errors = SIMD4<Double>.zero, sizes = SIMD4<Double>.zero
    var index = range.lowerBound
    while index + 4 <= range.upperBound {
      let before = unsafe SIMD4<Double>(
        SIMD4<Float>(old[index], old[index + 1], old[index + 2], old[index + 3]))
      let after = unsafe SIMD4<Double>(
        SIMD4<Float>(new[index], new[index + 1], new[index + 2], new[index + 3]))
      let difference = before - after
      errors += difference * difference
      sizes += before * before
      index += 4
    }
    var error = errors.sum(), size = sizes.sum()
    while index < range.upperBound {
      let before = unsafe Double(old[index]), difference = unsafe before - Double(new[index])
      error += difference * difference
      size += before * before
      index += 1
    }
    return (error, size)
  }
}

extension RunLayout {
  /// The largest magnitude of each row relative to its length; 0 of a row that is all zero.
  func crests(of values: [Float], _ lengths: [Double]) -> [Double] {
    var peaks = [Float](repeating: 0, count: groups)
    forEachRun(in: 0..<elementCount) { row, range in
      for index in range { peaks[row] = max(peaks[row], values[index].magnitude) }
    }
    return zip(peaks, lengths).map { $1 > 0 ? Double($0) / $1 : 0 }
  }
}
