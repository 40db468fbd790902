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
  /// Numbers of a line.
  private let width: Int
  /// Lines that rounding to 16 bits does not explain, nor values of others of the weight, or of each row.
  private let suspects: [Int]
  /// Those of them whose numbers are the nearest of all values, though some are in no other line.
  private let nearest: Set<Int>

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
    (self.line, self.lines, width) = (line, lines, layout.groupCount)
    let far = lines.errors.indices.filter {
      !(lines.errors[$0] <= RowRule.storage * lines.lengths[$0])
    }
    guard !far.isEmpty else {
      (suspects, nearest) = ([], [])
      return
    }
    let levels = UsedLevels.all(
      line == .row ? [new] : (0..<rows.groups).map { rows.elements(of: $0, in: new) })
    let uses = far.map { number in
      LevelUse(
        layout.elements(of: number, in: old), layout.elements(of: number, in: new),
        error: lines.errors[number], levels)
    }
    suspects = zip(far, uses).filter { $1 != .shared }.map(\.0)
    nearest = Set(zip(far, uses).filter { $1 == .own }.map(\.0))
  }

  /// Whether no line is at fault, whatever references reach.
  var isExplained: Bool { suspects.isEmpty }

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
    // Of few numbers chance alone makes one lose far more than another, unless a value was made for it.
    let areFew = seen.count * width < RowRule.fewestNumbers
    let judged = suspects.filter { !reached[$0] && !(areFew && nearest.contains($0)) }
    let faults = judged.compactMap { number -> RowDistance? in
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
