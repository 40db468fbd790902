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
  private let weight: UnreachedWeight
  private let lines: RowErrors
  /// Lines that rounding to 16 bits does not explain.
  private let far: [Int]

  /// Reached lines from which it can be told what one loses.
  private static let fewest = 3
  /// How much more than the farthest of them another may lose; calibration makes up for errors where it can.
  private static let factor = 4.0, calibratedFactor = 8.0

  init(_ weight: UnreachedWeight) {
    self.weight = weight
    lines = RowErrors(old: weight.old, new: weight.new, weight.layout)
    let (errors, lengths) = (lines.errors, lines.lengths)
    far = errors.indices.filter { !(errors[$0] <= RowRule.storage * lengths[$0]) }
  }

  /// Whether no line is at fault, whatever references reach.
  var isExplained: Bool { far.isEmpty }

  /// The lines that moved too far; nil if none did.
  ///
  /// - Parameters:
  ///   - reached: whether references reach a line, one for each.
  ///   - isCalibrated: whether the candidate says that it was.
  ///   - shown: the part of what reached lines lost that outputs show.
  func refused(reached: [Bool], isCalibrated: Bool, shown: Double = 1) -> RowFinding? {
    let seen = reached.indices.filter { reached[$0] }
    let factor = shown * (isCalibrated ? Self.calibratedFactor : Self.factor)
    let farthest = factor * (seen.map { lines.errors[$0] }.max() ?? 0)
    let shares = seen.filter { lines.lengths[$0] > 0 }.map { lines.errors[$0] / lines.lengths[$0] }
    // What few lost tells little: then a line may lose as much as any.
    var share = seen.count >= Self.fewest ? RowRule.storage : RowRule.lost
    if weight.line == .row {
      share = max(share, min(RowRule.lost, factor * (shares.max() ?? 0)))
    }
    let beyond = far.filter {
      !reached[$0] && !(lines.errors[$0] <= max(farthest, share * lines.lengths[$0]))
    }
    guard !beyond.isEmpty else { return nil }
    // Of few numbers chance alone makes one lose far more than another, unless a value was made for it.
    let areFew = seen.count * weight.layout.groupCount < RowRule.fewestNumbers
    let levels = weight.levels(reached: reached)
    let faults = beyond.filter {
      switch weight.use(of: levels, by: $0, error: lines.errors[$0]) {
      case .shared: false
      case .own: !areFew
      case .unexplained: true
      }
    }.map { number in
      // A line of zeros has no length.
      let length = lines.lengths[number], unit = length > 0 ? length : 1
      return RowDistance(
        row: number, error: lines.errors[number] / unit,
        bound: max(farthest, share * length) / unit)
    }
    guard let first = faults.first else { return nil }
    var finding = RowFinding(
      weight: weight.reference.name, line: weight.line, count: faults.count,
      compared: reached.count - seen.count, first: first, typical: Statistics.median(shares) ?? 0)
    finding.isUnreached = true
    return finding
  }
}

/// A weight whose rows or columns are looked at, as the baseline has it and as the candidate has it.
struct UnreachedWeight {
  let reference: WeightReference
  let line: RowFinding.Line
  let old: [Float]
  let new: [Float]
  /// Of its lines.
  let layout: RunLayout

  /// - Returns: nil for columns of a weight that is not a matrix.
  init?(_ reference: WeightReference, _ line: RowFinding.Line, old: [Float], new: [Float]) {
    let rows = RunLayout(rowsOf: reference)
    guard let layout = line == .row ? rows : RunLayout(columnsOf: reference) else { return nil }
    (self.reference, self.line, self.layout) = (reference, line, layout)
    (self.old, self.new) = (old, new)
  }

  /// The values of each row where lines are columns, those of the whole weight where they are rows; nil where they
  /// are many.
  fileprivate func levels(reached: [Bool]) -> [UsedLevels]? {
    switch line {
    case .column:
      let rows = RunLayout(rowsOf: reference)
      return UsedLevels.all((0..<rows.groups).map { rows.elements(of: $0, in: new) }) { values in
        zip(values, reached).lazy.filter(\.1).map(\.0)
      }
    case .row:
      return UsedLevels.all([new]) { _ in
        reached.indices.lazy.filter { reached[$0] }.flatMap { layout.elements(of: $0, in: new) }
      }
    }
  }

  fileprivate func use(of levels: [UsedLevels]?, by number: Int, error: Double) -> LevelUse {
    LevelUse(
      layout.elements(of: number, in: old), layout.elements(of: number, in: new), error: error,
      levels)
  }
}
