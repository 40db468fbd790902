import Graph

/// How far a row may move beside the other rows of its weight before compression does not explain it.
///
/// The figures are set from every scheme on two encoders: `specs/formats/row-audit.md`.
enum RowRule: Equatable {
  /// A table: rows do not depend on each other, and calibration moves none.
  case table
  /// A matrix: rows may share a palette, and calibration moves what is not rounded.
  case matrix(isCalibrated: Bool)
  /// Numbers that no scheme compresses; calibration fits biases anew.
  case vector(isCalibrated: Bool)

  init(_ role: WeightRole, isCalibrated: Bool) {
    switch role {
    case .tokenTable, .positionTable: self = .table
    case .matrix: self = .matrix(isCalibrated: isCalibrated)
    case .bias: self = .vector(isCalibrated: isCalibrated)
    case .norm, .statistic, .number: self = .vector(isCalibrated: false)
    }
  }

  /// Rows from which a typical one can be told.
  static let fewestRows = 8
  /// What storing numbers in 16 bits moves at most: bfloat16 rounds to 1/512.
  static let storage = 0x1p-9

  /// The largest error of a row, relative to its length, where `typical` is that of the others.
  ///
  /// That of a table stays below 1 as long as the typical one leaves room: a row of zeros has error 1,
  /// one of other numbers more.
  func bound(typical: Double) -> Double {
    switch self {
    case .table:
      let share = typical < 1 ? 4 * typical / (1 + 3 * typical) : 1
      return max(RowRule.storage, share, 1.25 * typical)
    case .matrix(let isCalibrated):
      return max(RowRule.storage, (isCalibrated ? 10 : 5) * typical)
    case .vector(let isCalibrated):
      return isCalibrated ? .infinity : max(RowRule.storage, 10 * typical)
    }
  }
}
