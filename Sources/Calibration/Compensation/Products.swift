import Execution
import Files

/// A factor of a matrix product: where its numbers start, and floats from row to row.
struct Factor {
  let base: UnsafePointer<Float>
  let stride: Int
  let isTransposed: Bool

  init(_ base: UnsafePointer<Float>, stride: Int, isTransposed: Bool = false) {
    self.base = base
    self.stride = stride
    self.isTransposed = isTransposed
  }

  /// The part of a matrix that starts in some row and column.
  init(_ plane: Plane, row: Int = 0, column: Int = 0, isTransposed: Bool = false) {
    self.init(
      plane.row(row) + column, stride: plane.columns, isTransposed: isTransposed)
  }

  fileprivate var matrix: MatrixProduct.Factor {
    MatrixProduct.Factor(base, rowStride: stride, isTransposed: isTransposed)
  }
}

/// Matrix products on one thread each, so that their sums do not depend on the number of threads.
enum Products {
  /// output [rows, columns] = left [rows, inner] · right [inner, columns].
  static func multiply(
    _ left: Factor, _ right: Factor, into output: UnsafeMutablePointer<Float>, rows: Int,
    columns: Int, inner: Int
  ) throws(CompensationError) {
    do {
      try MatrixProduct.multiply(
        left.matrix, right.matrix, into: output, rows: rows, columns: columns, inner: inner)
    } catch {
      guard case .matrixProduct(let status) = error else { throw .matrixProduct(status: -1) }
      throw .matrixProduct(status: status)
    }
  }
}

/// Pieces of work that threads take in turn.
enum Pieces {
  /// Calls `body` with 0 ..< count on `jobs` threads at most, in whose matrix products one thread
  /// works each.
  ///
  /// - Throws: the error of the first piece, in their order, that fails.
  static func run(
    _ count: Int, jobs: Int, _ body: @Sendable (Int) throws(CompensationError) -> Void
  ) throws(CompensationError) {
    _ = try Workers.map(count, jobs: jobs, with: { MatrixProduct.useThreads(1) }) {
      _, index throws(CompensationError) in try body(index)
    }
  }

  /// `total` things cut into pieces of `size`.
  static func ranges(_ total: Int, size: Int) -> [Range<Int>] {
    stride(from: 0, to: total, by: size).map { $0..<min($0 + size, total) }
  }
}
