package import Files
import Weights

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

  /// The same rows with zeros behind them.
  package func widened(to other: Int) -> OutputMatrix {
    precondition(other >= width, "rows would be cut")
    let zeros = [Float](repeating: 0, count: other - width)
    return OutputMatrix(
      rowCount: rowCount, width: other, values: (0..<rowCount).flatMap { self[$0] + zeros })
  }

  /// Rows that are nearly a row of another matrix of the same width, each with the nearest of them,
  /// and their cosine.
  ///
  /// - Parameter cosine: that theirs must be larger than.
  package func near(
    _ others: OutputMatrix, above cosine: Double
  ) -> [(row: Int, other: Int, cosine: Double)] {
    let (own, theirs) = (Vectors(self), Vectors(others))
    return (0..<rowCount).compactMap { row in
      var best: (row: Int, other: Int, cosine: Double)?
      for other in 0..<others.rowCount {
        let found = own.cosine(row, of: theirs, other)
        if found > best?.cosine ?? cosine { best = (row, other, found) }
      }
      return best
    }
  }

  /// The same rows, some of them taken from elsewhere, in order.
  package func replacing(_ rows: [Int], with others: OutputMatrix) -> OutputMatrix {
    precondition(others.rowCount == rows.count && others.width == width, "rows do not fit")
    var values = values
    for (place, row) in rows.enumerated() {
      values.replaceSubrange(row * width..<(row + 1) * width, with: others[place])
    }
    return OutputMatrix(rowCount: rowCount, width: width, values: values)
  }
}

extension OutputMatrix {
  /// Reads outputs from an `.npy` file of shape [rows, width].
  ///
  /// - Throws: `WeightsError`, or `EvaluationError.wrongRows` when the array has other than two axes.
  package init(npy path: String) throws {
    let collection = try WeightCollection.open(path)
    guard collection.tensors.count == 1, collection.tensors[0].shape.count == 2 else {
      let shapes = collection.tensors.map { "\($0.shape)" }.joined(separator: ", ")
      throw EvaluationError.wrongRows(
        origin: path, fault: "has the shape \(shapes), expected one array of rows and columns")
    }
    let tensor = collection.tensors[0]
    try OutputMatrix.requireMemory(tensor.elementCount, of: path)
    self.init(
      rowCount: tensor.shape[0], width: tensor.shape[1], values: try tensor.floats())
  }

  /// Checks that there is memory for outputs as floats and, to compare them, in double.
  package static func requireMemory(_ count: Int, of origin: String) throws(FileError) {
    try Memory.require(12 * count, for: "comparing outputs", of: origin)
  }

  /// Checks that there is memory to search for rows near rows of others: both in double.
  package func requireMemory(toSearch others: OutputMatrix, of origin: String) throws(FileError) {
    try Memory.require(
      8 * (values.count + others.values.count), for: "comparing outputs", of: origin)
  }

  /// Checks that there is memory to judge outputs by as many others: both in double, and a copy of
  /// some.
  package func requireMemoryToJudge(of origin: String) throws(FileError) {
    try Memory.require(18 * values.count, for: "judging outputs", of: origin)
  }
}

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
