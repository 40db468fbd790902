package import Inputs
package import Weights

/// A doubt about a candidate that no limit refuses: one fact, with its figures.
///
/// Its sentence, made in `GateWarning+Sentence.swift` and nowhere else, names no path: receipts hold it.
package enum GateWarning: Equatable, Sendable {
  /// Baseline and candidate are the same bytes; nil if that is so of all there is.
  case sameBytes(InputKind?)
  /// A side is given as vectors: nothing but these were compared.
  case vectors
  /// Tokens at which texts are cut.
  case textLength(candidate: Int, baseline: Int)
  /// Each side puts another prompt before texts.
  case prompt(candidate: String, baseline: String)
  /// The baseline is itself compressed.
  case compressedBaseline(recipe: String)
  /// Inputs that are prepared otherwise, which was allowed.
  case preparation(PreparationDifference)
  case references(ReferenceWarning)
  /// Largest relative change of the length of an embedding.
  case lengthChange(Double)
  /// Flips that were tolerated, from margins no larger than this.
  case toleratedFlips(Int, margin: Double)
  /// Lengths of a program that no reference needs.
  case unusedLengths([Int])
  /// Weights have names of their own; whether the table of tokens was compared all the same.
  case otherNames(InputKind?, tokensCompared: Bool)
  /// A weight that is wrong in a known way although the outputs keep their limits.
  case weight(TensorName, WeightPattern)
  /// Rows of a table that moved farther than most, and may.
  case rows(RowFinding)
  /// Generated texts that miss the limit of the worst input.
  case generated(InputKind?, limit: Double)
}

extension GateWarning {
  /// The advice on the threshold; nil if the warning is of something else.
  package var thresholdAdvice: ThresholdAdvice? {
    if case .references(.threshold(let advice)) = self { advice } else { nil }
  }
}
