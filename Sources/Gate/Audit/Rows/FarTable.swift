import Graph
import Weights

/// A table whose typical row moved far, so that other rows may move farther still: outputs must show
/// it.
struct FarTable {
  /// The baseline's weight, with as many rows as the candidate has.
  let reference: WeightReference
  /// Whether the references reach a row, one for each.
  let reached: [Bool]
  /// Error of a typical row, relative to its length, as its numbers say.
  let typical: Double

  /// Numbers of reached rows from which their moves can be told from noise.
  private static let fewest = 64

  /// - Returns: nil for rows that did not move far, of a weight that is not a table, and if the
  ///   reached rows are unknown or few.
  init?(_ reference: WeightReference, _ rule: RowRule, typical: Double?, reached: [Bool]?) {
    guard rule == .table, let typical, let reached, typical > ShownError.minimum,
      reached.count(where: { $0 }) * RunLayout(rowsOf: reference).groupCount >= FarTable.fewest
    else { return nil }
    (self.reference, self.reached, self.typical) = (reference, reached, typical)
  }

  /// The rows that moved too far if a typical row lost no more than outputs show; nil if none did.
  ///
  /// - Parameter shown: the error that outputs show, less than `typical`.
  func refused(old: [Float], new: [Float], shown: Double) -> RowFinding? {
    let layout = RunLayout(rowsOf: reference)
    let audit = RowAudit(
      RowErrors(old: old, new: new, layout), old: old, new: new, layout, .table, typical: shown,
      reached: reached, excusesUnreached: false)
    var finding = audit.refused(reference.name)
    finding?.hidden = typical
    return finding
  }

  /// The baseline's values, with each reached row moved by the typical error in a
  /// random direction. All numbers of a row move by the same amount, up or down.
  func scrambled(_ values: [Float]) -> [Float] {
    let layout = RunLayout(rowsOf: reference), width = layout.groupCount
    var moved = values
    for row in reached.indices where reached[row] {
      let range = row * width..<(row + 1) * width
      let size = values[range].reduce(0) { $0 + Double($1) * Double($1) }
      let step = Float(min(typical, 1) * (size / Double(width)).squareRoot())
      for place in range { moved[place] += FarTable.isUp(place) ? step : -step }
    }
    return moved
  }

  /// A bit that follows only from the place.
  static func isUp(_ place: Int) -> Bool {
    var numbers = SeededNumbers(place: place)
    return numbers.next() & 1 == 1
  }
}
