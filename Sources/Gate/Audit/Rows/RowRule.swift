import Graph

/// How far a row may move beside the other rows of its weight before compression does not explain it.
///
/// The figures are set from every scheme on two encoders: `specs/formats/row-audit.md`.
enum RowRule: Equatable {
  /// A table: rows do not depend on each other, and calibration moves none.
  case table
  /// A matrix: rows may share a palette, and calibration moves values that are not rounded.
  case matrix(isCalibrated: Bool)
  /// A bias or a normalisation, which every input reaches, so that outputs tell of it: all may be
  /// fitted anew, but no few of them far.
  case vector(isFitted: Bool)
  /// Means and scales of features, which references may leave alone, and numbers of a graph:
  /// compression leaves them alone.
  ///
  /// - Parameter haveUnits: whether each has a unit of its own, so that none measures another.
  case uncompressed(haveUnits: Bool)
  /// Arrays of trees but their leaves, and keys, limits and other numbers of the steps of a pipeline: another number
  /// is another tree or another category, and references may not show it.
  /// Nothing is explained. Thresholds that may be others are the baseline's before (`ThresholdAudit`).
  case nodes

  /// - Parameter isCalibrated: whether the candidate says that it was.
  /// - Parameter isExact: whether the weight is an array of trees or of steps.
  init(_ role: WeightRole, isCalibrated: Bool, isExact: Bool = false) {
    switch role {
    case .statistic where isExact, .threshold: self = .nodes
    case .tokenTable, .positionTable: self = .table
    case .matrix: self = .matrix(isCalibrated: isCalibrated)
    case .bias: self = .vector(isFitted: isCalibrated)
    case .norm: self = .vector(isFitted: false)
    case .statistic: self = .uncompressed(haveUnits: true)
    case .number: self = .uncompressed(haveUnits: false)
    }
  }

  /// Rows from which a typical one can be told.
  static let fewestRows = 8
  /// Largest relative error of storing numbers in 16 bits: bfloat16 rounds to 1/512.
  static let storage = 0x1p-9
  /// A row that is left out has error 1; schemes whose typical row is worse explain no more.
  private static let maximum = 1.0

  /// A row with this error lost most of itself.
  static let lost = 0.75

  /// Whether a row beyond its bound lost less than most of itself, and so may pass where it shares a
  /// scale or a palette with larger numbers.
  func mayBe(error: Double) -> Bool {
    switch self {
    case .table, .matrix: error <= RowRule.lost
    case .vector, .uncompressed, .nodes: false
    }
  }

  /// Numbers from which chance alone does not make a row of a matrix, or a column, lose far more than another of its
  /// scale.
  static let fewestNumbers = 8

  /// Whether a row beyond its bound passes only beside one that lost about as much, because they share a scale or a
  /// palette. Calibration moves a row of a matrix by what it makes up for, whatever the others lost.
  ///
  /// - Parameter count: numbers of a row.
  func asksForShare(ofRows count: Int) -> Bool {
    switch self {
    case .table: true
    case .matrix(let isCalibrated): !isCalibrated && count >= RowRule.fewestNumbers
    case .vector, .uncompressed, .nodes: false
    }
  }

  /// Whether a bound rests on the error of the other rows.
  var needsTypical: Bool {
    switch self {
    case .table, .matrix, .vector: true
    case .uncompressed, .nodes: false
    }
  }

  /// Whether a short row is measured by the length of a typical one.
  var measuresByOthers: Bool {
    switch self {
    case .table, .matrix, .vector, .uncompressed(haveUnits: false): true
    case .uncompressed, .nodes: false
    }
  }

  /// Whether a number may be as another is, each being a row: so small that float16 rounds it by more than a bound
  /// allows.
  func isRounded(_ old: Float, to new: Float) -> Bool {
    guard case .uncompressed = self else { return false }
    return new == (old * 0x1p24).rounded(.toNearestOrEven) * 0x1p-24
  }

  /// The largest error of a row, relative to its length, where `typical` is that of the others.
  ///
  /// That of a table stays below 1 as long as the typical one leaves room: a row of zeros has error 1,
  /// one of other numbers more.
  func bound(typical: Double) -> Double {
    let share = min(typical, RowRule.maximum)
    switch self {
    case .table:
      return max(RowRule.storage, 4 * share / (1 + 3 * share), 1.4 * share)
    case .matrix(let isCalibrated):
      return max(RowRule.storage, (isCalibrated ? 10 : 5) * share)
    case .vector(let isFitted):
      return isFitted ? .infinity : max(RowRule.storage, 10 * typical)
    case .uncompressed: return RowRule.storage
    case .nodes: return 0
    }
  }
}
