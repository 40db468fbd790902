import Graph
import StrictJSON
import Weights

/// Looks for columns of one matrix that no reference reaches and that moved farther than those that references
/// reach.
///
/// Outputs judged what references reach. Columns share the scales or palettes of all rows, so that each loses about
/// as much as another, however long it is, and a scheme knows of no references.
struct UnreachedColumns {
  private let columns: RowErrors
  /// Columns that neither rounding to 16 bits explains nor the few values that each row has.
  private let suspects: [Int]

  /// Reached columns from which it can be told what one loses.
  private static let fewest = 3
  /// How much more than the farthest of them another may lose; calibration makes up for errors where it can.
  private static let factor = 4.0, calibratedFactor = 8.0

  /// - Parameters:
  ///   - columns: how far they moved from `old` to `new`, laid out as `layout` says.
  ///   - rows: the layout of rows.
  init(
    _ columns: RowErrors, old: [Float], new: [Float], _ layout: RunLayout, rows: RunLayout
  ) {
    self.columns = columns
    let far = columns.errors.indices.filter {
      !(columns.errors[$0] <= RowRule.storage * columns.lengths[$0])
    }
    let levels = far.isEmpty ? [] : Self.levels(of: new, rows)
    suspects = far.filter { column in
      !Self.areNearest(layout.elements(of: column, in: old), columns.errors[column], levels)
    }
  }

  /// Whether no column is at fault, whatever references reach.
  var isExplained: Bool { suspects.isEmpty }

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
  ///
  /// - Parameters:
  ///   - reached: whether references reach a column, one for each.
  ///   - isCalibrated: whether the candidate says that it was.
  func refused(_ weight: TensorName, reached: [Bool], isCalibrated: Bool) -> RowFinding? {
    let seen = reached.indices.filter { reached[$0] }
    let factor = isCalibrated ? Self.calibratedFactor : Self.factor
    let farthest = factor * (seen.map { columns.errors[$0] }.max() ?? 0)
    // What few lost tells little: then a column may lose as much as any.
    let share = seen.count >= Self.fewest ? RowRule.storage : RowRule.lost
    let faults = suspects.filter { !reached[$0] }.compactMap { column -> RowDistance? in
      let length = columns.lengths[column]
      let bound = max(farthest, share * length)
      guard !(columns.errors[column] <= bound) else { return nil }
      // A column of zeros has no length.
      let unit = length > 0 ? length : 1
      return RowDistance(row: column, error: columns.errors[column] / unit, bound: bound / unit)
    }
    guard let first = faults.first else { return nil }
    var finding = RowFinding(
      weight: weight, line: .column, count: faults.count, compared: reached.count - seen.count,
      first: first, typical: typical(of: seen))
    finding.isUnreached = true
    return finding
  }

  /// The median error, relative to the lengths of columns.
  private func typical(of columns: [Int]) -> Double {
    let long = columns.filter { self.columns.lengths[$0] > 0 }
    return Statistics.median(long.map { self.columns.errors[$0] / self.columns.lengths[$0] }) ?? 0
  }
}
