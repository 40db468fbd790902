import Inputs
import StrictJSON

/// Whether outputs are numbers that can be compared at all.
enum OutputCheck {
  static func isFinite(_ matrix: OutputMatrix) -> Bool { matrix.values.allSatisfy(\.isFinite) }

  /// Inputs whose outputs cannot be compared, by number.
  static func badRows(_ matrix: OutputMatrix) -> [Int] {
    (0..<matrix.rowCount).filter { row in
      !matrix[row].allSatisfy(\.isFinite) || matrix[row].allSatisfy { $0 == 0 }
    }
  }

  /// Why they cannot, naming how many and the first input; empty when they can.
  ///
  /// - Parameter matrix: one row per distinct input of the set.
  static func faults(_ matrix: OutputMatrix, of side: String, in set: ReferenceSet) -> [String] {
    var badValues = 0
    var badRows: [Int] = [], zeroRows: [Int] = []
    for row in 0..<matrix.rowCount {
      let bad = matrix[row].filter { !$0.isFinite }.count
      badValues += bad
      if bad > 0 { badRows.append(row) }
      if matrix[row].allSatisfy({ $0 == 0 }) { zeroRows.append(row) }
    }
    if let first = badRows.first {
      return [
        "\(badValues) of \(matrix.values.count) outputs of the \(side) are not finite, "
          + "for \(badRows.count) of \(Figures.count(matrix.rowCount, "input")), "
          + "first for \(set.inputs[first].label) (line \(set.lines[first]))"
      ]
    }
    // Only embeddings are compared by cosine; a score may well be zero.
    guard case .pairs = set.content, let first = zeroRows.first else { return [] }
    return [
      "\(zeroRows.count) of \(Figures.count(matrix.rowCount, "embedding")) of the \(side) "
        + "\(zeroRows.count == 1 ? "is" : "are") all zero, which has no cosine, "
        + "first for \(set.inputs[first].label) (line \(set.lines[first]))"
    ]
  }
}
