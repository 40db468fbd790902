import Inputs
import StrictJSON

/// A weight that was swapped alone, and the effect.
struct AttributedWeight {
  let unit: WeightUnit
  let effect: SwapEffect
  /// Share of all drift; not finite if there is none to compute.
  let share: Double
  /// What is wrong with it.
  let damage: WeightDamage
  /// Which encoder of several it is of; nil of a model that is judged alone.
  let encoder: InputKind?
  /// The effect of the swap on the inputs.
  let outcome: SwapOutcome

  /// Share of the drift from which a weight makes it.
  static let causeShare = 0.5

  /// Whether the weight alone makes most of the drift.
  var isCause: Bool {
    effect.changesOutputs && (effect.drift == .infinity || share >= AttributedWeight.causeShare)
  }

  /// Whether it is to be named: it moves outputs, and it makes the drift or is plainly wrong.
  var isNamed: Bool { isCause || effect.changesOutputs && damage.pattern != nil }

  /// The weight as a reason names it.
  var value: SuspectWeight {
    SuspectWeight(
      name: unit.name, bias: unit.bias, isCause: isCause, outcome: outcome, share: share,
      relativeError: unit.difference.relativeError, damage: damage, encoder: encoder)
  }
}

/// How swapping weights changes the outputs for the inputs that drifted most.
struct SwapEffect {
  /// Outputs after the swap, one row per input.
  let outputs: OutputMatrix
  /// Drift summed over all rows; infinite if outputs are not finite or have no cosine.
  let drift: Double
  /// Whether any output differs by more than rounding.
  let changesOutputs: Bool

  /// Largest change, relative to the largest number of its row, that rounding makes.
  static let rounding = 1e-4

  /// - Parameters:
  ///   - before: as many rows and columns as `outputs`.
  ///   - isEmbedding: whether rows are compared by their direction.
  init(_ outputs: OutputMatrix, from before: OutputMatrix, isEmbedding: Bool) {
    self.outputs = outputs
    let drift = SwapEffect.drift(before, outputs, isEmbedding: isEmbedding)
    self.drift = drift.isFinite ? drift : .infinity
    changesOutputs = (0..<before.rowCount).contains { row in
      let size = before[row].reduce(0) { max($0, Double($1).magnitude) }
      return zip(before[row], outputs[row]).contains { old, new in
        !((Double(new) - Double(old)).magnitude <= SwapEffect.rounding * size)
      }
    }
  }

  /// How far outputs moved, summed over all rows: 1 − cosine of embeddings, change of other outputs.
  static func drift(
    _ before: OutputMatrix, _ after: OutputMatrix, isEmbedding: Bool
  ) -> Double {
    if isEmbedding {
      let old = Vectors(before), new = Vectors(after)
      return (0..<before.rowCount).reduce(0) { $0 + 1 - old.cosine($1, of: new, $1) }
    }
    return zip(before.values, after.values).reduce(0) {
      $0 + (Double($1.1) - Double($1.0)).magnitude
    }
  }
}
