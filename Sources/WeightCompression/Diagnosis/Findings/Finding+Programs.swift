import StrictJSON
import Weights

/// Findings about the constants of a program that are not weights.
extension Finding {
  /// A mask that hides by −∞ and is read with a finite number instead.
  package static func mendedMask(_ name: String, hidden: Float) -> Finding {
    Finding(
      .mask, .note, TensorName(name), "a mask that hides by -inf",
      "runs and is written with \(Figures.text(hidden)) in place of -inf, which hides as well")
  }

  /// A number that is not finite, outside of masks.
  ///
  /// - Parameter fact: says where it is read.
  package static func oddNumber(_ name: String, _ number: Float, _ fact: String) -> Finding {
    Finding(
      number.isNaN ? .nan : .infinity, .refused, TensorName(name), fact,
      "no other package is made of the program; Ingot replaces no value")
  }
}
