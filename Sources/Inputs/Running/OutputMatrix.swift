/// Outputs of a model: one row per input, in the order of the inputs.
package struct OutputMatrix: Equatable, Sendable {
  package let rowCount: Int
  /// Numbers per row.
  package let width: Int
  /// [rowCount, width], row-major.
  package let values: [Float]

  /// - Parameter values: `rowCount × width` numbers, row-major.
  package init(rowCount: Int, width: Int, values: [Float]) {
    precondition(
      rowCount >= 0 && width >= 0 && values.count == rowCount * width, "values do not fit")
    self.rowCount = rowCount
    self.width = width
    self.values = values
  }

  /// One row.
  package subscript(row: Int) -> ArraySlice<Float> { values[row * width..<(row + 1) * width] }

  /// The rows of the given numbers, in that order.
  package func picking(_ rows: [Int]) -> OutputMatrix {
    OutputMatrix(rowCount: rows.count, width: width, values: rows.flatMap { self[$0] })
  }

  /// Rows that are nearly a row of another matrix of the same width, each with the nearest of them,
  /// and their cosine.
  ///
  /// - Parameter cosine: that theirs must be larger than.
  package func near(
    _ others: OutputMatrix, above cosine: Double
  ) -> [(row: Int, other: Int, cosine: Double)] {
    let (own, theirs) = (Vectors(self), Vectors(others))
    return (0..<rowCount).compactMap { row in
      var best: (row: Int, other: Int, cosine: Double)?
      for other in 0..<others.rowCount {
        let found = own.cosine(row, of: theirs, other)
        if found > best?.cosine ?? cosine { best = (row, other, found) }
      }
      return best
    }
  }

  /// The same rows, some of them taken from elsewhere, in order.
  package func replacing(_ rows: [Int], with others: OutputMatrix) -> OutputMatrix {
    precondition(others.rowCount == rows.count && others.width == width, "rows do not fit")
    var values = values
    for (place, row) in rows.enumerated() {
      values.replaceSubrange(row * width..<(row + 1) * width, with: others[place])
    }
    return OutputMatrix(rowCount: rowCount, width: width, values: values)
  }
}
