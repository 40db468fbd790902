import Execution
import Files

/// A row-major matrix of numbers whose parts several threads may write.
///
/// Code that shares one must not let two threads touch the same numbers if either writes.
@safe
final class Grid<Number: BitwiseCopyable & AdditiveArithmetic & Sendable>:
  @unchecked Sendable
{
  let rows: Int
  let columns: Int
  let base: UnsafeMutablePointer<Number>

  var count: Int { rows * columns }

  /// A matrix of zeros.
  init(rows: Int, columns: Int) {
    self.rows = rows
    self.columns = columns
    unsafe base = .allocate(capacity: max(1, rows * columns))
    unsafe base.initialize(repeating: .zero, count: rows * columns)
  }

  convenience init(copying other: Grid) {
    self.init(rows: other.rows, columns: other.columns)
    unsafe base.update(from: other.base, count: count)
  }

  convenience init(rows: Int, columns: Int, _ values: [Number]) {
    precondition(values.count == rows * columns, "as many values as the shape has")
    self.init(rows: rows, columns: columns)
    unsafe values.withUnsafeBufferPointer { values in
      if let source = values.baseAddress { unsafe base.update(from: source, count: values.count) }
    }
  }

  deinit { unsafe base.deallocate() }

  @inline(__always)
  func row(_ index: Int) -> UnsafeMutablePointer<Number> { unsafe base + index * columns }

  @inline(__always)
  subscript(row: Int, column: Int) -> Number {
    get { unsafe base[row * columns + column] }
    set { unsafe base[row * columns + column] = newValue }
  }

  /// All numbers, row-major.
  var values: [Number] { unsafe Array(UnsafeBufferPointer(start: base, count: count)) }

  /// Adds to the diagonal of a square matrix.
  func addToDiagonal(_ value: Number) {
    for i in 0..<min(rows, columns) { self[i, i] += value }
  }
}

typealias Matrix = Grid<Float>
typealias CodeMatrix = Grid<UInt8>

typealias Factor = MatrixProduct.Factor

extension MatrixProduct.Factor {
  /// The part of a matrix that starts in some row and column.
  init(_ matrix: Matrix, row: Int = 0, column: Int = 0, isTransposed: Bool = false) {
    unsafe self.init(
      matrix.row(row) + column, rowStride: matrix.columns, isTransposed: isTransposed)
  }
}

/// Matrix products on one thread each, so that their sums do not depend on the number of threads.
enum Products {
  /// output [rows, columns] = left [rows, inner] · right [inner, columns].
  static func multiply(
    _ left: Factor, _ right: Factor, into output: UnsafeMutablePointer<Float>, rows: Int,
    columns: Int, inner: Int
  ) throws(GPTQError) {
    do {
      try unsafe MatrixProduct.multiply(
        left, right, into: output, rows: rows, columns: columns, inner: inner)
    } catch {
      guard case .matrixProduct(let status) = error else { throw .matrixProduct(status: -1) }
      throw .matrixProduct(status: status)
    }
  }
}

/// Pieces of work that threads take in turn.
enum Pieces {
  /// Calls `body` with 0 ..< count on at most `jobs` threads, in whose matrix products one thread
  /// works each.
  ///
  /// - Throws: the error of the first piece, in their order, that fails.
  static func run(
    _ count: Int, jobs: Int, _ body: @Sendable (Int) throws(GPTQError) -> Void
  ) throws(GPTQError) {
    _ = try Workers.map(count, jobs: jobs, with: { MatrixProduct.useThreads(1) }) {
      _, index throws(GPTQError) in try body(index)
    }
  }

  /// `total` things cut into pieces of `size`.
  static func ranges(_ total: Int, size: Int) -> [Range<Int>] {
    stride(from: 0, to: total, by: size).map { $0..<min($0 + size, total) }
  }
}
