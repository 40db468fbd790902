import Graph
import StrictJSON
import Weights

/// Looks for rows or columns of one weight that no reference reaches and that moved farther than those that
/// references reach.
///
/// Outputs judged what references reach, and a scheme knows of no references. Columns share the scales or palettes of
/// all rows, so that each loses about as much as another, however long it is; rows may have scales of their own, and
/// lose about the same share of themselves.
struct UnreachedLines {
  private let line: RowFinding.Line
  private let lines: RowErrors
  /// Lines that neither rounding to 16 bits explains nor the few values that the weight, or each row, has.
  private let suspects: [Int]

  /// Reached lines from which it can be told what one loses.
  private static let fewest = 3
  /// How much more than the farthest of them another may lose; calibration makes up for errors where it can.
  private static let factor = 4.0, calibratedFactor = 8.0

  /// - Parameters:
  ///   - lines: how far they moved from `old` to `new`, laid out as `layout` says.
  ///   - rows: the layout of rows, where lines are columns.
  init(
    _ line: RowFinding.Line, _ lines: RowErrors, old: [Float], new: [Float], _ layout: RunLayout,
    rows: RunLayout
  ) {
    (self.line, self.lines) = (line, lines)
    let far = lines.errors.indices.filter {
      !(lines.errors[$0] <= RowRule.storage * lines.lengths[$0])
    }
    guard !far.isEmpty else {
      suspects = []
      return
    }
    let levels =
      line == .row
      ? [SharedLevels(of: new)]
      : (0..<rows.groups).map { SharedLevels(of: rows.elements(of: $0, in: new)) }
    suspects = far.filter { number in
      let values = layout.elements(of: number, in: old)
      let own = line == .row ? values.map { _ in levels[0] } : levels
      return !Self.areNearest(values, lines.errors[number], own)
    }
  }

  /// Whether no line is at fault, whatever references reach.
  var isExplained: Bool { suspects.isEmpty }

  /// Whether each number of a line became the nearest value that there is for it.
  private static func areNearest(
    _ line: [Float], _ error: Double, _ levels: [SharedLevels?]
  ) -> Bool {
    guard line.count == levels.count else { return false }
    var least = 0.0
    for (value, levels) in zip(line, levels) {
      guard let distance = levels?.distance(from: value) else { return false }
      least += distance * distance
    }
    return error <= least.squareRoot() * SharedLevels.tolerance
  }

  /// The lines that moved too far, of a weight of this name; nil if none did.
  ///
  /// - Parameters:
  ///   - reached: whether references reach a line, one for each.
  ///   - isCalibrated: whether the candidate says that it was.
  func refused(_ weight: TensorName, reached: [Bool], isCalibrated: Bool) -> RowFinding? {
    let seen = reached.indices.filter { reached[$0] }
    let factor = isCalibrated ? Self.calibratedFactor : Self.factor
    let farthest = factor * (seen.map { lines.errors[$0] }.max() ?? 0)
    let shares = seen.filter { lines.lengths[$0] > 0 }.map { lines.errors[$0] / lines.lengths[$0] }
    // What few lost tells little: then a line may lose as much as any.
    var share = seen.count >= Self.fewest ? RowRule.storage : RowRule.lost
    if line == .row { share = max(share, min(RowRule.lost, factor * (shares.max() ?? 0))) }
    let faults = suspects.filter { !reached[$0] }.compactMap { number -> RowDistance? in
      let length = lines.lengths[number]
      let bound = max(farthest, share * length)
      guard !(lines.errors[number] <= bound) else { return nil }
      // A line of zeros has no length.
      let unit = length > 0 ? length : 1
      return RowDistance(row: number, error: lines.errors[number] / unit, bound: bound / unit)
    }
    guard let first = faults.first else { return nil }
    var finding = RowFinding(
      weight: weight, line: line, count: faults.count, compared: reached.count - seen.count,
      first: first, typical: Statistics.median(shares) ?? 0)
    finding.isUnreached = true
    return finding
  }
}
