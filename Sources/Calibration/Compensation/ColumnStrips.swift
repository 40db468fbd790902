/// A matrix cut into strips of columns, each of them in one piece: sums over some of the rows read what
/// lies side by side.
struct ColumnStrips: Sendable {
  /// Columns of a strip.
  static let width = 32

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

  /// Σ coefficientⱼ · rowⱼ of a strip.
  ///
  /// - Parameters:
  ///   - order: the rows j.
  ///   - coefficients: one for each.
  ///   - sum: gets `width` numbers.
  @inline(__always)
  func sum(
    strip: Int, _ order: UnsafeBufferPointer<Int32>, _ coefficients: UnsafeBufferPointer<Float>,
    into sum: UnsafeMutablePointer<Float>
  ) {
    let base = unsafe UnsafeRawPointer(cut.row(strip * rows))
    let stride = Self.width * MemoryLayout<Float>.stride
    var (low, high) = (SIMD16<Float>(), SIMD16<Float>())
    for place in order.indices {
      let source = unsafe base + Int(order[place]) * stride
      let coefficient = unsafe coefficients[place]
      let (left, right) = unsafe (
        source.loadUnaligned(as: SIMD16<Float>.self),
        source.loadUnaligned(fromByteOffset: stride / 2, as: SIMD16<Float>.self)
      )
      low += coefficient * left
      high += coefficient * right
    }
    let target = UnsafeMutableRawPointer(sum)
    unsafe target.storeBytes(of: low, as: SIMD16<Float>.self)
    unsafe target.storeBytes(of: high, toByteOffset: stride / 2, as: SIMD16<Float>.self)
  }
}
