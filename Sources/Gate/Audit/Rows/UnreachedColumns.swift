import Graph
import StrictJSON
import Weights

/// Looks for columns of one matrix that no reference reaches and that moved farther than those that references
/// reach.
///
/// Outputs judged what references reach. Columns share the scales or palettes of all rows, so that each loses about
/// as much as another, however long it is, and a scheme knows of no references.
struct UnreachedColumns {
  /// Columns that moved too far, ascending.
  let faults: [RowDistance]
  /// Columns that were held to a bound.
  let compared: Int
  /// The median error of the columns that references reach, relative to their lengths.
  private let typical: Double

  /// Reached columns from which it can be told what one loses.
  private static let fewest = 3
  /// How much more than the farthest of them another may lose; calibration makes up for errors where it can.
  private static let factor = 4.0, calibratedFactor = 8.0

  /// - Parameters:
  ///   - columns: how far they moved from `old` to `new`, laid out as `layout` says.
  ///   - rows: the layout of rows.
  ///   - reached: whether references reach a column, one for each.
  ///   - isCalibrated: whether the candidate says that it was.
  init(
    _ columns: RowErrors, old: [Float], new: [Float], _ layout: RunLayout, rows: RunLayout,
    reached: [Bool], isCalibrated: Bool
  ) {
    let seen = reached.indices.filter { reached[$0] }
    compared = reached.count - seen.count
    typical =
      Statistics.median(
        seen.filter { columns.lengths[$0] > 0 }.map { columns.errors[$0] / columns.lengths[$0] })
      ?? 0
    let factor = isCalibrated ? Self.calibratedFactor : Self.factor
    let farthest = factor * (seen.map { columns.errors[$0] }.max() ?? 0)
    // What few lost tells little: then a column may lose as much as any.
    let share = seen.count >= Self.fewest ? RowRule.storage : RowRule.lost
    func bound(_ column: Int) -> Double { max(farthest, share * columns.lengths[column]) }
    let far = reached.indices.filter { !reached[$0] && !(columns.errors[$0] <= bound($0)) }
    let levels = far.isEmpty ? [] : Self.levels(of: new, rows)
    faults = far.filter { column in
      !Self.areNearest(layout.elements(of: column, in: old), columns.errors[column], levels)
    }.map { column in
      let length = columns.lengths[column]
      // A column of zeros has no length.
      let unit = length > 0 ? length : 1
      return RowDistance(
        row: column, error: columns.errors[column] / unit, bound: bound(column) / unit)
    }
  }

  /// The values that each row is stored with; nil of a row with more than a palette holds.
  private static func levels(of values: [Float], _ rows: RunLayout) -> [SharedLevels?] {
    (0..<rows.groups).map { SharedLevels(of: rows.elements(of: $0, in: values)) }
  }

  /// Whether each number of a column became the nearest value that its row has.
  private static func areNearest(
    _ column: [Float], _ error: Double, _ levels: [SharedLevels?]
  ) -> Bool {
    guard column.count == levels.count else { return false }
    var least = 0.0
    for (value, levels) in zip(column, levels) {
      guard let distance = levels?.distance(from: value) else { return false }
      least += distance * distance
    }
    return error <= least.squareRoot() * SharedLevels.tolerance
  }

  /// The columns that moved too far, of a weight of this name; nil if none did.
  func refused(_ weight: TensorName) -> RowFinding? {
    faults.first.map {
      var finding = RowFinding(
        weight: weight, line: .column, count: faults.count, compared: compared, first: $0,
        typical: typical)
      finding.isUnreached = true
      return finding
    }
  }
}
