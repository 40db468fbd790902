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
    // Most often nothing is left out or moved, and there may be much to copy.
    if rows.elementsEqual(0..<rowCount) { return self }
    var values: [Float] = []
    values.reserveCapacity(rows.count * width)
    for row in rows { values += self[row] }
    return OutputMatrix(rowCount: rows.count, width: width, values: values)
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

  /// Checks that there is memory to judge outputs by as many others: both in double, rounded ones to
  /// find the nearest, and a copy of some.
  package func requireMemoryToJudge(of origin: String) throws(FileError) {
    try Memory.require(
      22 * values.count + NearestSearch.bytesPerRow * rowCount, for: "judging outputs", of: origin)
  }
}
