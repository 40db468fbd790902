/// The lower triangular L of a symmetric positive definite H = L Lᵀ, in blocks.
///
/// Right-looking (Golub and Van Loan, "Matrix Computations", 4.2): factors and inverts the block on
/// the diagonal in Double, multiplies the rows below it by the inverse, and subtracts the product
/// from the rest.
struct CholeskyFactor: Sendable {
  /// L; values above its diagonal are undefined.
  let lower: Matrix
  /// Inverses of the blocks on the diagonal.
  private let inverses: [Matrix]

  /// Rows of a block.
  static let blockSize = 128
  /// Rows and columns of a product computed at a time.
  private static let tile = 256

  /// Factors the matrix in place; nil if it is not positive definite.
  init?(_ matrix: Matrix, jobs: Int) throws(GPTQError) {
    precondition(matrix.rows == matrix.columns, "a square matrix")
    lower = matrix
    var inverses: [Matrix] = []
    for block in Pieces.ranges(matrix.rows, size: Self.blockSize) {
      guard let inverse = Self.factorDiagonal(matrix, block) else { return nil }
      inverses.append(inverse)
      try Self.scaleBelow(matrix, block, inverse, jobs)
      try Self.reduce(matrix, block, jobs)
    }
    self.inverses = inverses
  }

  /// Factors one block on the diagonal.
  ///
  /// - Returns: its inverse, nil if a pivot is not positive.
  private static func factorDiagonal(_ matrix: Matrix, _ block: Range<Int>) -> Matrix? {
    let (size, start) = (block.count, block.lowerBound)
    var factor = [Double](repeating: 0, count: size * size)
    for i in 0..<size {
      for j in 0...i {
        var sum = Double(matrix[start + i, start + j])
        for k in 0..<j { sum -= factor[i * size + k] * factor[j * size + k] }
        if i == j {
          guard sum > 0, sum.isFinite else { return nil }
          factor[i * size + i] = sum.squareRoot()
        } else {
          factor[i * size + j] = sum / factor[j * size + j]
        }
      }
      for j in 0...i { matrix[start + i, start + j] = Float(factor[i * size + j]) }
    }
    return inverse(factor, size)
  }

  /// The inverse of a lower triangular matrix.
  private static func inverse(_ factor: [Double], _ size: Int) -> Matrix {
    var inverse = [Double](repeating: 0, count: size * size)
    for j in 0..<size {
      inverse[j * size + j] = 1 / factor[j * size + j]
      for i in stride(from: j + 1, to: size, by: 1) {
        var sum = 0.0
        for k in j..<i { sum -= factor[i * size + k] * inverse[k * size + j] }
        inverse[i * size + j] = sum / factor[i * size + i]
      }
    }
    return Matrix(rows: size, columns: size, inverse.map { Float($0) })
  }

  /// Multiplies the rows below a block by the transposed inverse.
  private static func scaleBelow(
    _ matrix: Matrix, _ block: Range<Int>, _ inverse: Matrix, _ jobs: Int
  ) throws(GPTQError) {
    let rest = Pieces.ranges(matrix.rows - block.upperBound, size: tile)
    try Pieces.run(rest.count, jobs: jobs) { index throws(GPTQError) in
      let rows = rest[index].count
      let first = block.upperBound + rest[index].lowerBound
      let product = Matrix(rows: rows, columns: block.count)
      try unsafe Products.multiply(
        Factor(matrix, row: first, column: block.lowerBound),
        Factor(inverse, isTransposed: true), into: product.base, rows: rows,
        columns: block.count, inner: block.count)
      for i in 0..<rows {
        unsafe (matrix.row(first + i) + block.lowerBound).update(
          from: product.row(i), count: block.count)
      }
    }
  }

  /// Subtracts a block's part from the lower half of the rest.
  private static func reduce(
    _ matrix: Matrix, _ block: Range<Int>, _ jobs: Int
  ) throws(GPTQError) {
    let rest = Pieces.ranges(matrix.rows - block.upperBound, size: tile)
    let tiles = rest.indices.flatMap { row in rest[...row].map { (rest[row], $0) } }
    try Pieces.run(tiles.count, jobs: jobs) { index throws(GPTQError) in
      let (rows, columns) = tiles[index]
      let firstRow = block.upperBound + rows.lowerBound
      let firstColumn = block.upperBound + columns.lowerBound
      let product = Matrix(rows: rows.count, columns: columns.count)
      try unsafe Products.multiply(
        Factor(matrix, row: firstRow, column: block.lowerBound),
        Factor(matrix, row: firstColumn, column: block.lowerBound, isTransposed: true),
        into: product.base, rows: rows.count, columns: columns.count, inner: block.count)
      for i in 0..<rows.count {
        let target = unsafe matrix.row(firstRow + i) + firstColumn
        let source = unsafe product.row(i)
        for j in 0..<columns.count { unsafe target[j] -= source[j] }
      }
    }
  }

  /// Replaces rows of a matrix B by those of B H⁻¹.
  func solve(_ matrix: Matrix, _ rows: Range<Int>) throws(GPTQError) {
    let size = lower.rows
    let blocks = Pieces.ranges(size, size: Self.blockSize)
    for (index, block) in blocks.enumerated() {
      try eliminate(
        matrix, rows, block, known: 0..<block.lowerBound,
        Factor(lower, row: block.lowerBound, isTransposed: true))
      try multiply(matrix, rows, block, Factor(inverses[index], isTransposed: true))
    }
    for (index, block) in blocks.enumerated().reversed() {
      try eliminate(
        matrix, rows, block, known: block.upperBound..<size,
        Factor(lower, row: min(block.upperBound, size - 1), column: block.lowerBound))
      try multiply(matrix, rows, block, Factor(inverses[index]))
    }
  }

  /// Subtracts the known columns' part from the columns of a block.
  private func eliminate(
    _ matrix: Matrix, _ rows: Range<Int>, _ block: Range<Int>, known: Range<Int>,
    _ factor: Factor
  ) throws(GPTQError) {
    guard !known.isEmpty else { return }
    let product = Matrix(rows: rows.count, columns: block.count)
    try unsafe Products.multiply(
      Factor(matrix, row: rows.lowerBound, column: known.lowerBound), factor,
      into: product.base, rows: rows.count, columns: block.count, inner: known.count)
    for i in 0..<rows.count {
      let target = unsafe matrix.row(rows.lowerBound + i) + block.lowerBound
      let source = unsafe product.row(i)
      for j in 0..<block.count { unsafe target[j] -= source[j] }
    }
  }

  private func multiply(
    _ matrix: Matrix, _ rows: Range<Int>, _ block: Range<Int>, _ inverse: Factor
  ) throws(GPTQError) {
    let product = Matrix(rows: rows.count, columns: block.count)
    try unsafe Products.multiply(
      Factor(matrix, row: rows.lowerBound, column: block.lowerBound), inverse,
      into: product.base, rows: rows.count, columns: block.count, inner: block.count)
    for i in 0..<rows.count {
      unsafe (matrix.row(rows.lowerBound + i) + block.lowerBound).update(
        from: product.row(i), count: block.count)
    }
  }
}
