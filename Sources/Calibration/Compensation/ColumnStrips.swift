import Execution

/// A matrix cut into strips of columns, each of them in one piece: sums over some of the rows read what
/// lies side by side.
struct ColumnStrips: Sendable {
  /// Columns of a strip.
  static let width = VectorSums.stripWidth

  /// [strips · rows, width], one strip after the other; zeros behind the last column.
  private let cut: Matrix
  private let rows: Int

  /// - Parameter jobs: threads.
  init(_ matrix: Matrix, jobs: Int) throws(GPTQError) {
    let ranges = Pieces.ranges(matrix.columns, size: Self.width)
    let cut = Matrix(rows: ranges.count * matrix.rows, columns: Self.width)
    // Some rows at a time, so that each page of the matrix is looked for once.
    let pieces = Pieces.ranges(matrix.rows, size: 64)
    try Pieces.run(pieces.count, jobs: jobs) { index throws(GPTQError) in
      for (strip, columns) in ranges.enumerated() {
        for row in pieces[index] {
          let (target, source) = unsafe (
            cut.row(strip * matrix.rows + row), matrix.row(row) + columns.lowerBound
          )
          for i in 0..<columns.count { unsafe target[i] = source[i] }
        }
      }
    }
    (self.cut, rows) = (cut, matrix.rows)
  }

  /// A strip, [rows, width].
  @inline(__always)
  func strip(_ index: Int) -> UnsafePointer<Float> { unsafe UnsafePointer(cut.row(index * rows)) }
}
