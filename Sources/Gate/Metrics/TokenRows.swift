import Graph
import Inputs

/// The outputs of a classifier of tokens, a row for each token, before and after.
///
/// A token is where either side has a probability above 0: padding has zeros. A side that cuts a text
/// to fewer tokens has zeros too for those that it does not see.
struct TokenRows {
  let labels: ClassLabels
  /// [tokens of all inputs, labels] each.
  let before: OutputMatrix
  let after: OutputMatrix
  /// The input of each row, and the token's place in it, from 1.
  let places: [(input: Int, token: Int)]

  /// - Parameters:
  ///   - baseline: a row per input, `labels` numbers for each token one after the other.
  ///   - candidate: as many rows and columns.
  init(_ baseline: OutputMatrix, _ candidate: OutputMatrix, labels: ClassLabels) {
    self.labels = labels
    let width = labels.count
    var old: [Float] = [], new: [Float] = []
    var places: [(input: Int, token: Int)] = []
    for input in 0..<baseline.rowCount {
      for token in 0..<baseline.width / width {
        let start = input * baseline.width + token * width
        let before = baseline.values[start..<start + width]
        let after = candidate.values[start..<start + width]
        guard (before + after).contains(where: { $0 != 0 }) else { continue }
        old += before
        new += after
        places.append((input, token + 1))
      }
    }
    before = OutputMatrix(rowCount: places.count, width: width, values: old)
    after = OutputMatrix(rowCount: places.count, width: width, values: new)
    self.places = places
  }

  /// The label of a row; nil where a side does not see the token.
  func decision(_ row: ArraySlice<Float>) -> Decision? {
    row.contains { $0 != 0 } ? Decision(row, threshold: 0) : nil
  }

  /// A decision's label as messages name it.
  func word(_ decision: Decision?) -> String {
    decision.map { labels.words[$0.label] } ?? "no token"
  }
}
