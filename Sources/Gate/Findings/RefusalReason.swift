package import Inputs

/// Why the gate refuses a candidate: one fact, with its figures.
///
/// Whoever finds it makes the value. Its sentence is made in `RefusalReason+Sentence.swift` and nowhere
/// else.
package enum RefusalReason: Equatable, Sendable {
  /// A metric that misses its limit, and whose limit it is.
  case limit(LimitMiss, LimitSource)
  /// A metric, by the name that messages give it, that is not finite.
  case metric(String)
  /// Outputs that cannot be compared.
  case outputs(OutputFault, of: JudgedSide)
  /// A flip from a larger margin than is tolerated.
  case flip(Flip, tolerated: Double, LimitSource)
  /// More flips of this kind than are listed.
  case moreFlips(Int)
  /// A pair whose similarity changed most.
  case pair(PairChange)
  /// An input whose embedding drifted most.
  case input(NamedInput, cosine: Double)
  /// An output that changed most.
  case output(OutputChange)
  /// A value of the graph that overflows where a device computes in float16.
  case overflow(value: String, magnitude: Float, input: String)
  /// Vectors that are not of length 1 where the baseline's are; the first other length.
  case length(Double)
  /// A weight that moved the outputs.
  case suspect(SuspectWeight)
  /// No weight alone makes most of the drift: the shares of those that move most.
  case manyWeights([WeightShare])
  case weights(WeightFault)
  /// A program that looks up other tokens than those of the tokenizer.
  case tokens(TokenFault, InputKind?)
  /// Inputs that are prepared otherwise, and the paths of both models.
  case preparation(PreparationDifference, candidate: String, baseline: String)
  /// Rows of a weight that are worse than its compression explains.
  case rows(RowFinding)
  /// Generated texts that drift as no compression makes them.
  case generated(GeneratedFault, InputKind?)
  case nothingMeasured
}

/// Whose limit a metric is held to.
package struct LimitSource: Equatable, Sendable {
  package let profile: Limits.Profile
  /// Whether the limit is not the profile's own.
  package let isOverridden: Bool
}

/// One side of a comparison.
package enum JudgedSide: String, Equatable, Sendable { case baseline, candidate }

/// An input of a reference set, as people find it.
package struct NamedInput: Equatable, Sendable {
  /// Short form of the input.
  package let label: String
  /// Line on which it first occurs, from 1.
  package let line: Int
}

/// Outputs that cannot be compared, and the first input that has such.
package enum OutputFault: Equatable, Sendable {
  /// Numbers that are not finite, of all numbers; the inputs that have them, of all inputs.
  case notFinite(values: Int, of: Int, inputs: Int, ofInputs: Int, first: NamedInput)
  /// Embeddings that are all zero, which have no cosine.
  case zero(embeddings: Int, of: Int, first: NamedInput)
}

/// A number of an output, before and after.
package struct OutputChange: Equatable, Sendable {
  package let input: NamedInput
  /// The label of the output, or `output 3`; nil if there is one output alone.
  package let output: String?
  package let before: Double
  package let after: Double
}
