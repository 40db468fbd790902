package import Inputs
package import Trees
package import Weights

/// A weight that was swapped into the baseline and moved its outputs, or is plainly wrong.
package struct SuspectWeight: Equatable, Sendable {
  /// The baseline's name.
  package let name: TensorName
  /// The bias that was swapped with it; nil if it went alone.
  package let bias: TensorName?
  /// Whether it alone makes most of the drift.
  package let isCause: Bool
  /// The effect of the swap on the inputs that drifted most.
  package let outcome: SwapOutcome
  /// Share of all drift; not finite if there is none to compute.
  package let share: Double
  /// ‖w − ŵ‖ ÷ ‖w‖.
  package let relativeError: Double
  /// What is wrong with it.
  package let damage: WeightDamage
  /// Which encoder of several it is of; nil of a model that is judged alone.
  package let encoder: InputKind?
}

/// What several weights make together.
package struct JointDrift: Equatable, Sendable {
  /// By the baseline's names, the one that moves outputs most first.
  package let weights: [TensorName]
  /// Part of the drift that they make in the baseline; not finite if there is none to compute.
  package let share: Double
  /// Part of the drift that is left in the candidate with the baseline's in their place; not finite where
  /// not only weights make it drift.
  package let left: Double
}

/// What makes a candidate drift, found by swapping weights.
package struct DriftCauses: Equatable, Sendable {
  /// Weights that make most of the drift alone, or are plainly wrong; the worst first.
  let named: [SuspectWeight]
  /// The weights that make nearly all of the drift together, and those that are named; the worst
  /// first, at most twice six.
  package let weights: [SuspectWeight]
  /// What the first of these make together; nil if no weight moves an output.
  package let together: JointDrift?
  /// The largest shares of single weights.
  let singles: [WeightShare]
  /// The worst groups of weights; empty if all were tried alone.
  let groups: [WeightShare]
  /// What is wrong with all weights that differ, most first.
  let kinds: [DamageCount]
  /// What each weight that differs makes, encoder by encoder in the order of the graph.
  package let drifts: [WeightDrift]
  /// Numbers of the distinct inputs that drifted most, on which weights were swapped.
  package let inputs: [Int]
  /// Part of the drift that is missing where the baseline has all of the candidate's weights: 0 of a
  /// candidate that computes the same; not finite where outputs cannot be compared.
  let missing: Double

  /// Whether the candidate drifts for what its weights are alone, as far as is known.
  package var isOfWeights: Bool { !(missing > DriftCauses.mostMissing) }
  /// Whether nothing but weights makes any of the drift.
  var isOfWeightsAlone: Bool { missing < DriftCauses.little }

  /// Part of the drift that may be missing for how numbers are rounded, and for that of a program's own.
  static let little = 0.01, mostMissing = 0.1
}

/// The effect of a swap of weights on the worst pair, or on the first input that it can move.
package enum SwapOutcome: Equatable, Sendable {
  case notFinite
  /// Embeddings that are all zero.
  case zero
  case input(String, cosine: Double)
  case pair(a: String, b: String, before: Double, after: Double)
  case output(input: String, before: Double, after: Double)
}

/// How much of the drift a weight makes alone, or several make together.
package struct WeightShare: Equatable, Sendable {
  /// The first of them, in the order of the graph.
  package let first: TensorName
  package let last: TensorName
  package let count: Int
  package let share: Double
}

/// The drift that a weight makes in the baseline, summed over the inputs that drifted most.
package struct WeightDrift: Equatable, Sendable {
  /// The baseline's name.
  package let name: TensorName
  /// Which encoder of several it is of; nil of a model that is judged alone.
  package let encoder: InputKind?
  /// Infinite where outputs cannot be compared; of a weight that was swapped in a group alone, its part
  /// of the group's.
  package let drift: Double
}

/// How many weights are damaged in one way.
package struct DamageCount: Equatable, Sendable {
  package let kind: DamageKind
  package let count: Int

  /// The kinds that occur, most first.
  static func all(_ kinds: [DamageKind]) -> [DamageCount] {
    let counts = DamageKind.allCases.map { kind in
      DamageCount(kind: kind, count: kinds.count { $0 == kind })
    }
    return counts.enumerated().filter { $0.element.count > 0 }.sorted {
      ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
    }.map(\.element)
  }
}

/// Weights of two models that do not go together, or that no model can have.
package enum WeightFault: Equatable, Sendable {
  /// Trees of another layout that are not the baseline's, and the feature that this is about.
  case trees(TreeDifference, feature: String?)
  /// The candidate's graph does not use a weight of the baseline's.
  case unused(TensorName)
  case shape(TensorName, candidate: [Int], baseline: [Int])
  /// The candidate's graph uses a weight that the baseline's does not.
  case added(TensorName)
  case count(TensorName, JudgedSide, values: Int, shape: [Int], needed: Int)
  /// Values that are not finite, the first of them and its place.
  case notFinite(TensorName, JudgedSide, count: Int, first: Float, place: [Int])
  /// Weights that are all zero where the baseline's are not.
  case zero([TensorName])
}

/// A node of a program that looks up other tokens than those of the tokenizer.
package struct TokenFault: Equatable, Sendable {
  /// The fault in how the node uses the ids.
  package enum Kind: Equatable, Sendable {
    case makesOthers
    case looksUpBySomethingElse
    case looksUpInNumbers
    case comparesWithSeveral
    case looksFor(Int32)
    case comparesWith(Int32)
  }

  /// The name of the operation in a program.
  package let operation: String
  package let node: String
  package let kind: Kind
}

/// Rows or columns of one weight that moved farther than most.
package struct RowFinding: Equatable, Sendable {
  package enum Line: String, Equatable, Sendable { case row, column }

  package let weight: TensorName
  package let line: Line
  /// How many moved so far, of how many that were compared.
  package let count: Int
  package let compared: Int
  /// The first of them.
  package let first: RowDistance
  /// Median error of all, or as much of it as outputs show.
  package let typical: Double
  /// The error of a typical row where outputs show less of it; nil if they show it.
  package var hidden: Double?
  /// What the first is, of thresholds of trees; `count` and `compared` are thresholds then.
  package var threshold: ThresholdChange?
  /// Whether these are columns that no reference reaches, and `typical` is that of the others.
  package var isUnreached = false
}

/// How far one row of a weight moved, and how far it might.
package struct RowDistance: Equatable, Sendable {
  package let row: Int
  /// ‖w − ŵ‖, relative to the row's length or a typical row's, whichever is longer.
  package let error: Double
  package let bound: Double
}
