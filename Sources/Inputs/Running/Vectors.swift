/// Cosines between rows of outputs, in Double.
///
/// Rows are kept in Double, padded with zeros to whole vectors of eight.
package struct Vectors {
  package let count: Int
  /// Vectors of eight per row.
  private let stride: Int
  private let values: [SIMD8<Double>]
  /// Sum of squares of each row.
  private let squares: [Double]

  package init(_ matrix: OutputMatrix) {
    count = matrix.rowCount
    stride = (matrix.width + 7) / 8
    var values = [SIMD8<Double>](repeating: .zero, count: matrix.rowCount * stride)
    for row in 0..<matrix.rowCount {
      for (column, value) in matrix[row].enumerated() {
        values[row * stride + column / 8][column % 8] = Double(value)
      }
    }
    self.values = values
    let stride = stride
    squares = (0..<matrix.rowCount).map {
      Vectors.dot(values, $0 * stride, values, $0 * stride, stride)
    }
  }

  /// Euclidean length of a row.
  package func length(_ row: Int) -> Double { squares[row].squareRoot() }

  /// Cosine between two rows; not a number where one of them is all zero.
  ///
  /// A row with itself gives exactly 1, because √(x·x) is x.
  package func cosine(_ row: Int, _ other: Int) -> Double { cosine(row, of: self, other) }

  /// Cosine between a row and a row of other vectors of the same width.
  package func cosine(_ row: Int, of others: Vectors, _ other: Int) -> Double {
    let dot = Vectors.dot(values, row * stride, others.values, other * stride, stride)
    let cosine = dot / (squares[row] * others.squares[other]).squareRoot()
    return cosine > 1 ? 1 : cosine < -1 ? -1 : cosine
  }

  /// The `maximum` of some rows nearest to a row by cosine, nearest first, itself left out; of equally
  /// near ones the first.
  package func nearest(to row: Int, among others: [Int], maximum: Int) -> [Int] {
    var found: [(row: Int, cosine: Double)] = []
    for other in others where other != row {
      let cosine = cosine(row, other)
      if found.count == maximum, let last = found.last, !(cosine > last.cosine) { continue }
      let place = found.firstIndex { cosine > $0.cosine } ?? found.count
      found.insert((other, cosine), at: place)
      if found.count > maximum { found.removeLast() }
    }
    return found.map(\.row)
  }

  private static func dot(
    _ left: [SIMD8<Double>], _ leftStart: Int, _ right: [SIMD8<Double>], _ rightStart: Int,
    _ count: Int
  ) -> Double {
    var sum = SIMD8<Double>.zero
    for index in 0..<count { sum += left[leftStart + index] * right[rightStart + index] }
    return sum.sum()
  }
}
