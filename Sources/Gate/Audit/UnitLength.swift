import Inputs
import StrictJSON

/// Whether a candidate's vectors are of length 1 where the baseline's are: an app that compares them
/// by a product rests on that, and cosines do not see it.
enum UnitLength {
  /// How far lengths may be from 1 for rounding in 16 bits.
  private static let tolerance = 0.01

  /// - Parameters:
  ///   - before: outputs of the baseline; `after` those of the candidate, finite.
  /// - Returns: why the candidate is refused; nil where it is not.
  static func reason(before: OutputMatrix, after: OutputMatrix) -> String? {
    guard lengths(before).allSatisfy({ ($0 - 1).magnitude <= tolerance }) else { return nil }
    guard let other = lengths(after).first(where: { !(($0 - 1).magnitude <= 2 * tolerance) }) else {
      return nil
    }
    return "the baseline's vectors have length 1, the candidate's have not, first "
      + "\(Figures.text(other, unlike: 1)): an app that compares them by a product sees others"
  }

  private static func lengths(_ outputs: OutputMatrix) -> [Double] {
    (0..<outputs.rowCount).map { row in
      outputs[row].reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
    }
  }
}
