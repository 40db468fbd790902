package import Inputs

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
