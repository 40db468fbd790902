import Inputs
import StrictJSON

/// Whether a candidate's vectors are of length 1 where the baseline's are: an app that compares them
/// by a product rests on that, and cosines do not see it.
enum UnitLength {
  /// How far lengths may be from 1 for rounding in 16 bits.
  private static let tolerance = 0.01

  /// - Parameters:
  ///   - before: outputs of the baseline; `after` those of the candidate, finite.
  /// - Returns: the first of the candidate's lengths that differs; nil if none does, or the
  ///   baseline's own lengths vary.
  static func lost(before: OutputMatrix, after: OutputMatrix) -> Double? {
    guard lengths(before).allSatisfy({ ($0 - 1).magnitude <= tolerance }) else { return nil }
    return lengths(after).first { !(($0 - 1).magnitude <= 2 * tolerance) }
  }

  private static func lengths(_ outputs: OutputMatrix) -> [Double] {
    (0..<outputs.rowCount).map { row in
      outputs[row].reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
    }
  }
}
