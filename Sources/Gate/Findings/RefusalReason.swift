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
  /// No weight alone makes most of the drift: the shares of those that move most, and what is wrong with
  /// all that differ.
  case manyWeights([WeightShare], [DamageCount])
  /// What several of the weights make together.
  case together(JointDrift)
  /// A tree of an ensemble that moved the outputs, or a split of it.
  case tree(TreeFinding)
  case weights(WeightFault)
  /// A program that looks up other tokens than those of the tokenizer.
  case tokens(TokenFault, InputKind?)
  /// Inputs that are prepared otherwise, and the paths of both models.
  case preparation(PreparationDifference, candidate: String, baseline: String)
  /// Another computation than the baseline's, with the same weights.
  case computation(ComputationDifference, InputKind?)
  /// Rows of a weight that are worse than its compression explains.
  case rows(RowFinding)
  /// Generated texts that drift as no compression makes them.
  case generated(GeneratedFault, InputKind?)
  /// Inputs that need tokens which were dropped: no weight is looked for then.
  case droppedTokens(DroppedTokens)
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
  /// The label of the output, or `output 3`; nil if there is only one output.
  package let output: String?
  package let before: Double
  package let after: Double
}

/// The similarity of a pair, before and after.
package struct PairChange: Equatable, Sendable {
  /// Which of two encoders made the change.
  package enum Cause: Equatable, Sendable {
    /// Nothing tells: one encoder takes both sides.
    case unknown
    /// The other encoder is as it was.
    case moved(InputKind)
    /// The similarity that each encoder alone would give, the one that moves it more first.
    case both([Share])
  }

  /// How far one encoder alone moves a pair.
  package struct Share: Equatable, Sendable {
    package let encoder: InputKind
    package let similarity: Double
  }

  /// Short forms of the inputs; of alternatives those that a person would see.
  package let a: String
  package let b: String
  /// Line in the reference set, from 1.
  package let line: Int
  package let before: Double
  package let after: Double
  package let cause: Cause
}

/// A pair that crosses the threshold, or an input whose label changes.
package struct Flip: Equatable, Sendable {
  /// The decision that came out differently.
  package enum Decision: Equatable, Sendable {
    case pair(PairChange, threshold: Double, expectation: ReferenceSet.Expectation?)
    case label(input: String, from: String, to: String)
  }

  /// Line in the reference set, from 1.
  package let line: Int
  /// Similarity of the pair, or output of the baseline's label, before and after.
  package let before: Double
  package let after: Double
  /// How far the baseline was from deciding the other way; of scores relative to their range.
  package let margin: Double
  package let decision: Decision
}

/// How a candidate prepares its inputs otherwise than its baseline.
package struct PreparationDifference: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// Images are resized, cropped or decoded otherwise.
    case images
    /// Pixels become other numbers.
    case normalisation
    /// Parts of the tokenizer that differ.
    case tokenizer([String])
    /// Other tokens of an input; `first` is the first that differs, from 1.
    case tokens(input: String, found: Int, expected: Int, first: Int)
    /// A statement on how texts are prepared or vectors used, and what the baseline says there.
    case stated(key: String, found: String, expected: String)
  }

  package let kind: Kind
  /// The encoder of several; nil of a model that is judged alone.
  package let encoder: InputKind?
}

/// What a candidate computes otherwise than its baseline.
package enum ComputationDifference: Equatable, Sendable {
  /// How the vectors of tokens become one, in the library's words.
  case pooling(found: String, expected: String)
  /// The first value of the graph that is not the baseline's, and how it is made: equal where only
  /// parameters differ.
  case value(found: String, expected: String)
  /// A part of what a model of tables says it computes, and how each side has it.
  case part(String, found: String, expected: String)
  /// So many of all texts that it cuts where the baseline reads on, the first of them, and how many tokens
  /// each side reads at most.
  case cut(texts: Int, of: Int, first: NamedInput, found: Int, expected: Int)
  /// It cannot be told what, but the baseline does not drift so with all of the candidate's weights: the
  /// part of the drift that is missing then.
  case unknown(missing: Double)
}

/// Why generated texts refuse a candidate.
package enum GeneratedFault: Equatable, Sendable {
  case notFinite
  /// The cosine of a generated text, and the lowest of the references.
  case drift(cosine: Double, worst: Double)
}
