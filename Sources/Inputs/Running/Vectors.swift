/// Cosines between rows of outputs, in Double.
///
/// Rows are kept in Double, padded with zeros to whole vectors of eight.
package struct Vectors: Sendable {
  package let count: Int
  /// Vectors of eight per row.
  let stride: Int
  private let values: [SIMD8<Double>]
  /// Sum of squares of each row.
  private let squares: [Double]

  package init(_ matrix: OutputMatrix) {
    count = matrix.rowCount
    stride = (matrix.width + 7) / 8
    var values = [SIMD8<Double>](repeating: .zero, count: matrix.rowCount * stride)
    for row in 0..<matrix.rowCount {
      var (place, lane) = (row * stride, 0)
      for value in matrix[row] {
        values[place][lane] = Double(value)
        lane += 1
        if lane == 8 { (place, lane) = (place + 1, 0) }
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

  /// For each of some rows the `maximum` of others that are nearest to it by cosine, nearest first,
  /// itself left out; of equally near ones the first. A row of zeros, or with a value that is not
  /// finite, is near nothing.
  ///
  /// - Parameters:
  ///   - guesses: for each of `rows` what may be near it, none twice and not itself; the better, the less
  ///     time. The result does not depend on them.
  ///   - jobs: threads; the result does not depend on them.
  ///   - progress: told the part of the work that is done, from any thread.
  package func nearest(
    to rows: [Int], among others: [Int], maximum: Int, guesses: [[Int]] = [], jobs: Int,
    progress: @Sendable (Double) -> Void = { _ in }
  ) -> [[Int]] {
    NearestSearch(
      self, of: rows, among: others, maximum: maximum, guesses: guesses, jobs: jobs
    ).run(progress: progress)
  }

  /// The numbers of a row, with zeros behind them, as multiples of its length.
  func direction(of row: Int) -> [SIMD8<Double>] {
    let length = length(row)
    return values[row * stride..<(row + 1) * stride].map { $0 / length }
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
