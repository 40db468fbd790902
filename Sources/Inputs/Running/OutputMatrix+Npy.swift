package import Files
import Weights

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
