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

  /// Why they cannot, with how many and the first input; nil when they can.
  ///
  /// - Parameter matrix: one row per distinct input of the set.
  static func fault(_ matrix: OutputMatrix, in set: ReferenceSet) -> OutputFault? {
    var badValues = 0
    var badRows: [Int] = [], zeroRows: [Int] = []
    for row in 0..<matrix.rowCount {
      let bad = matrix[row].filter { !$0.isFinite }.count
      badValues += bad
      if bad > 0 { badRows.append(row) }
      if matrix[row].allSatisfy({ $0 == 0 }) { zeroRows.append(row) }
    }
    if let first = badRows.first {
      return .notFinite(
        values: badValues, of: matrix.values.count, inputs: badRows.count,
        ofInputs: matrix.rowCount, first: set.named(first))
    }
    // Only embeddings are compared by cosine; a score may well be zero.
    guard case .pairs = set.content, let first = zeroRows.first else { return nil }
    return .zero(embeddings: zeroRows.count, of: matrix.rowCount, first: set.named(first))
  }
}

extension ReferenceSet {
  /// An input by its number, as people find it.
  func named(_ input: Int) -> NamedInput {
    NamedInput(label: inputs[input].label, line: lines[input])
  }
}
