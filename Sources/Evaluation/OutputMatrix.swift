/// Outputs of a model: one row per input, in the order of the inputs.
package struct OutputMatrix: Equatable, Sendable {
  package let rows: Int
  /// Numbers per row.
  package let width: Int
  /// [rows, width], row-major.
  package let values: [Float]

  /// - Parameter values: `rows × width` numbers, row-major.
  package init(rows: Int, width: Int, values: [Float]) {
    precondition(rows >= 0 && width >= 0 && values.count == rows * width, "values do not fit")
    self.rows = rows
    self.width = width
    self.values = values
  }

  /// One row.
  package subscript(row: Int) -> ArraySlice<Float> { values[row * width..<(row + 1) * width] }

  /// The rows of the given numbers, in that order.
  package func picking(_ rows: [Int]) -> OutputMatrix {
    OutputMatrix(rows: rows.count, width: width, values: rows.flatMap { self[$0] })
  }
}
