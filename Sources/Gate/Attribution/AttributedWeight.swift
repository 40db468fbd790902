import Inputs
import StrictJSON

/// A weight that was swapped alone, and the effect.
struct AttributedWeight {
  let unit: WeightUnit
  let effect: SwapEffect
  /// Share of all drift; not finite if there is none to compute.
  let share: Double
  /// How the weight is wrong, if it is wrong in a way that is known.
  let pattern: WeightPattern?
  /// The effect of the swap on the inputs.
  let outcome: SwapOutcome

  /// Share of the drift from which a weight makes it.
  static let causeShare = 0.5

  /// Whether the weight alone makes most of the drift.
  var isCause: Bool {
    effect.changesOutputs && (effect.drift == .infinity || share >= AttributedWeight.causeShare)
  }

  /// Whether it is to be named: it moves outputs, and it makes the drift or is plainly wrong.
  var isNamed: Bool { isCause || effect.changesOutputs && pattern != nil }

  /// The weight as a reason names it.
  var value: SuspectWeight {
    SuspectWeight(
      name: unit.name, bias: unit.bias, isCause: isCause, outcome: outcome, share: share,
      relativeError: unit.difference.relativeError, pattern: pattern)
  }
}
