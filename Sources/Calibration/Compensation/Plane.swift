/// A row-major matrix of floats whose parts several threads may write.
///
/// Whoever shares one sees to it that no two threads touch the same numbers, one of them writing.
final class Plane: @unchecked Sendable {
  let rows: Int
  let columns: Int
  let base: UnsafeMutablePointer<Float>

  var count: Int { rows * columns }

  /// A matrix of zeros.
  init(rows: Int, columns: Int) {
    self.rows = rows
    self.columns = columns
    base = .allocate(capacity: max(1, rows * columns))
    base.initialize(repeating: 0, count: rows * columns)
  }

  convenience init(copying other: Plane) {
    self.init(rows: other.rows, columns: other.columns)
    base.update(from: other.base, count: count)
  }

  convenience init(rows: Int, columns: Int, _ values: [Float]) {
    precondition(values.count == rows * columns, "as many values as the shape has")
    self.init(rows: rows, columns: columns)
    values.withUnsafeBufferPointer { values in
      if let source = values.baseAddress { base.update(from: source, count: values.count) }
    }
  }

  deinit { base.deallocate() }

  @inline(__always)
  func row(_ index: Int) -> UnsafeMutablePointer<Float> { base + index * columns }

  @inline(__always)
  subscript(row: Int, column: Int) -> Float {
    get { base[row * columns + column] }
    set { base[row * columns + column] = newValue }
  }

  /// All numbers, row-major.
  var values: [Float] { Array(UnsafeBufferPointer(start: base, count: count)) }

  /// Adds to the diagonal of a square matrix.
  func addToDiagonal(_ value: Float) {
    for i in 0..<min(rows, columns) { self[i, i] += value }
  }
}
