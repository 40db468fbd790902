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
  /// Inputs that need tokens which were dropped, though the outputs keep their limits.
  case droppedTokens(DroppedTokens)
  /// Weights have names of their own; whether the table of tokens was compared all the same.
  case otherNames(InputKind?, tokensCompared: Bool)
  /// A program over features that has other operations than the baseline, or in another order.
  case otherOperations
  /// A weight that is wrong in a known way although the outputs keep their limits.
  case weight(TensorName, WeightPattern)
  /// Rows of a table that moved farther than most, and may.
  case rows(RowFinding)
  /// Thresholds of trees that are coarser, as the candidate says that it was asked for.
  case coarseThresholds(CoarseMoves)
  /// Generated texts that miss the limit of the worst input.
  case generated(InputKind?, limit: Double)
}

extension GateWarning {
  /// The advice on the threshold; nil if the warning is of something else.
  package var thresholdAdvice: ThresholdAdvice? {
    if case .references(.threshold(let advice)) = self { advice } else { nil }
  }
}

/// A weakness of a reference set for the models that are judged on it.
package enum ReferenceWarning: Equatable, Sendable {
  case few(ReferenceCount)
  /// Lines that are to the model what others are; the first of them, and what it repeats.
  case repeats(Int, line: Int, of: Int)
  case constantFeatures([ConstantFeature])
  /// Features whose values 32 bits do not tell apart as they should.
  case coarseFeatures([CoarseFeature])
  /// Categories of one feature that no reference has.
  case unseenCategories(UnseenCategories)
  /// Pairs with a label that cannot be ranked.
  case unrankedLabels(Int)
  /// Pairs with a label, of all.
  case someLabels(Int, of: Int)
  case threshold(ThresholdAdvice)
  case unusedThreshold(UnusedThreshold)
  /// A set of inputs of several kinds without a pair of two kinds.
  case noMixedPairs([InputKind])
  /// Nothing says what outputs mean.
  case unknownOutputs
  /// Samples on which the baseline gives another label than the known one, of those that have one.
  case wrongBaseline(Int, of: Int)
  /// True labels with which the baseline agrees less than by knowing nothing.
  case wrongLabels(WrongLabels)
  /// Two labels that fit far better for each other.
  case swappedLabels(SwappedLabels)
  /// All probabilities that the baseline gives for so many inputs are 0 or 1.
  case saturatedOutputs(Int)

  /// Why a threshold was not used.
  package enum UnusedThreshold: String, Equatable, Sendable {
    case noLabels = "no-labels"
    case largestOutput = "largest-output"
  }
}

/// A feature with one value in all references.
package struct ConstantFeature: Equatable, Sendable {
  package let name: String
  package let value: Double
}

extension DistinctReferences {
  /// The weaknesses of the set.
  var warnings: [GateWarning] {
    let few: [ReferenceWarning] = isFew ? [.few(count)] : []
    let repeated = repeats.first.map {
      [ReferenceWarning.repeats(repeats.count, line: $0.line, of: $0.first)]
    }
    return (few + (repeated ?? [])).map(GateWarning.references)
  }
}
