package import Graph
package import Inputs
import StrictJSON

/// One side of a comparison.
package enum GateSide: Sendable {
  /// Models, which the gate runs itself: one, or the image and the text encoder of one model.
  case models([Model])
  /// Outputs that something else made; `path` is their file.
  ///
  /// For a set of pairs two rows per line, `a` then `b`, in the order of the file, a side with
  /// alternatives one row for each; for samples one.
  case outputs(OutputMatrix, path: String)

  /// One model, which the gate runs itself.
  package static func model(_ model: Model) -> GateSide { .models([model]) }

  /// Whether outputs were given.
  var isOutputs: Bool {
    if case .outputs = self { true } else { false }
  }

  /// The models; none if outputs were given.
  package var models: [Model] {
    if case .models(let models) = self { models } else { [] }
  }
}

extension ReferenceSet {
  /// The distinct input that each row of given outputs belongs to.
  var inputOfRow: [Int] {
    switch content {
    case .pairs(let pairs): pairs.flatMap { $0.a + $0.b }
    case .samples(let samples): samples.map(\.input)
    }
  }

  // Which rows there are, for messages.
  private var rowWords: String {
    switch content {
    case .samples: "one per sample"
    case .pairs(let pairs):
      pairs.contains { $0.a.count + $0.b.count > 2 }
        ? "one per input and alternative of each pair" : "two per pair"
    }
  }

  /// One row per distinct input from outputs in the order of the file.
  ///
  /// - Throws: `EvaluationError.wrongRows` when the number of rows is another, or rows of the same
  ///   input differ by more than rounding, which means that the rows are in another order.
  func distinctRows(
    of matrix: OutputMatrix, origin: String
  ) throws(EvaluationError) -> OutputMatrix {
    let inputOfRow = inputOfRow
    guard matrix.rowCount == inputOfRow.count else {
      throw .wrongRows(
        origin: origin,
        fault: "has \(Figures.count(matrix.rowCount, "row")), the reference set needs "
          + "\(inputOfRow.count) (\(rowWords))")
    }
    guard matrix.width > 0 else { throw .wrongRows(origin: origin, fault: "its rows are empty") }
    var rowOfInput = [Int?](repeating: nil, count: inputs.count)
    for (row, input) in inputOfRow.enumerated() {
      // Among several rows, one that holds no numbers is taken, so that the gate sees it.
      guard let first = rowOfInput[input], matrix[row].allSatisfy(\.isFinite) else {
        rowOfInput[input] = row
        continue
      }
      guard ReferenceSet.areAlike(matrix[first], matrix[row]) else {
        throw .wrongRows(
          origin: origin,
          fault: "rows \(first) and \(row) belong to the same input (\(inputs[input].label)) "
            + "and differ; the rows are not in the order of the reference set")
      }
    }
    return matrix.picking(rowOfInput.compactMap { $0 })
  }

  // Equal up to a thousandth of their length; what is not finite is left to the check of outputs.
  private static func areAlike(_ left: ArraySlice<Float>, _ right: ArraySlice<Float>) -> Bool {
    guard left.allSatisfy(\.isFinite), right.allSatisfy(\.isFinite) else { return true }
    var error = 0.0, size = 0.0
    for (old, new) in zip(left, right) {
      error += (Double(old) - Double(new)) * (Double(old) - Double(new))
      size += Double(old) * Double(old)
    }
    return error <= size * 1e-6
  }
}
