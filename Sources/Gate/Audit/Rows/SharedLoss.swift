/// What rows lose that share a scale or a palette: each about as much as the others, however long it
/// is, and so a short row more of itself than a long one.
///
/// A row with a scale of its own loses at most half a step of it, which the bound of the rule holds.
struct SharedLoss {
  private let errors: [Double]
  private let isFar: [Bool]

  /// Rows on either side with which a row may share.
  private static let reach = 64
  /// How much more one of them may lose than another.
  private static let factor = 2.0

  /// - Parameter far: rows that moved farther than the others of the weight explain.
  init(_ rows: RowErrors, far: [RowDistance]) {
    errors = rows.errors
    var isFar = [Bool](repeating: false, count: errors.count)
    for row in far { isFar[row.row] = true }
    self.isFar = isFar
  }

  /// Whether a row near it lost about as much and has not moved farther than its length explains.
  func explains(_ row: Int) -> Bool {
    let first = max(0, row - SharedLoss.reach)
    let last = min(errors.count - 1, row + SharedLoss.reach)
    return (first...last).contains { other in
      !isFar[other] && errors[row] <= SharedLoss.factor * errors[other]
    }
  }
}
