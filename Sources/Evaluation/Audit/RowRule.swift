import Graph

/// How far a row may move beside the other rows of its weight before compression does not explain it.
///
/// The figures are set from every scheme on two encoders: `specs/formats/row-audit.md`.
enum RowRule: Equatable {
  /// A table of tokens: rows do not depend on each other, and calibration moves none.
  case table
  /// A matrix: rows may share a palette, and calibration moves what is not rounded.
  case matrix(isCalibrated: Bool)
  /// A bias that every input reaches, so that outputs tell of it: some may be fitted anew, but no few
  /// of them far.
  case bias(isFitted: Bool)
  /// Numbers that no scheme compresses.
  case kept

  /// - Parameters:
  ///   - isCalibrated: whether the candidate says that it was.
  ///   - takesFeatures: whether the model takes features, of which references may leave some alone.
  init(_ role: WeightRole, isCalibrated: Bool, takesFeatures: Bool = false) {
    switch role {
    case .tokenTable: self = .table
    case .matrix: self = .matrix(isCalibrated: isCalibrated)
    case .bias where takesFeatures && !isCalibrated: self = .kept
    case .bias: self = .bias(isFitted: isCalibrated)
    case .positionTable, .norm, .statistic, .number: self = .kept
    }
  }

  /// Rows from which a typical one can be told.
  static let fewestRows = 8
  /// What storing numbers in 16 bits moves at most: bfloat16 rounds to 1/512.
  static let storage = 0x1p-9
  /// What it moves a number that is too small for 16 bits, beside nothing: half of float16's least.
  static let smallest = 0x1p-25
  /// A row that is left out has error 1; schemes whose typical row is worse explain no more.
  private static let most = 1.0

  /// A row with this error lost most of itself.
  private static let lost = 0.75

  /// Whether a row beyond its bound may pass, because it lost less than most of itself: rows that
  /// share a scale or a palette lose what the largest of them needs.
  func mayBe(error: Double, bound: Double) -> Bool {
    switch self {
    case .table, .matrix: error <= max(RowRule.lost, bound)
    case .bias, .kept: false
    }
  }

  /// Whether a bound rests on what the other rows lost.
  var needsTypical: Bool {
    self != .kept
  }

  /// The largest error of a row, relative to its length, where `typical` is that of the others.
  ///
  /// That of a table stays below 1 as long as the typical one leaves room: a row of zeros has error 1,
  /// one of other numbers more.
  func bound(typical: Double) -> Double {
    let share = min(typical, RowRule.most)
    switch self {
    case .table:
      return max(RowRule.storage, 4 * share / (1 + 3 * share), 1.4 * share)
    case .matrix(let isCalibrated):
      return max(RowRule.storage, (isCalibrated ? 10 : 5) * share)
    case .bias(let isFitted):
      return isFitted ? .infinity : max(RowRule.storage, 10 * typical)
    case .kept: return RowRule.storage
    }
  }
}
