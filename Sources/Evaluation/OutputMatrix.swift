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

  /// The same rows, some of them taken from elsewhere, in order.
  func replacing(_ rows: [Int], with others: OutputMatrix) -> OutputMatrix {
    precondition(others.rowCount == rows.count && others.width == width, "rows do not fit")
    var values = values
    for (place, row) in rows.enumerated() {
      values.replaceSubrange(row * width..<(row + 1) * width, with: others[place])
    }
    return OutputMatrix(rowCount: rowCount, width: width, values: values)
  }
}
