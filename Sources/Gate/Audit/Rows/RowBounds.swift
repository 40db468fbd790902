/// How far each row of one weight moved, and how far it may.
struct RowBounds {
  private let rows: RowErrors
  private let rule: RowRule
  private let typical: Double
  private let typicalLength: Double

  /// - Parameter typical: the error of a typical row, relative to its length.
  init(_ rows: RowErrors, _ rule: RowRule, typical: Double) {
    self.rows = rows
    self.rule = rule
    self.typical = typical
    // Numbers of different features have different units, and each is measured by itself.
    typicalLength =
      rule.measuresByOthers ? Statistics.median(rows.lengths.filter { $0 > 0 }) ?? 0 : 0
  }

  /// ‖w − ŵ‖ of a row, relative to its length or a typical row's, whichever is longer.
  func error(_ row: Int) -> Double { rows.errors[row] / max(rows.lengths[row], typicalLength) }

  /// - Parameter crest: how many times as large a row's largest number is beside its length as usual.
  func bound(crest: Double = 1) -> Double { rule.bound(typical: typical * crest) }

  /// Whether compression explains how far a row moved.
  func explain(_ row: Int, crest: Double = 1) -> Bool {
    rows.errors[row] == 0 || error(row) <= bound(crest: crest)
  }
}
