package import Inputs

/// A weakness of a reference set for the models that are judged on it.
package enum ReferenceWarning: Equatable, Sendable {
  case few(ReferenceCount)
  /// Lines that are to the model what others are; the first of them, and what it repeats.
  case repeats(Int, line: Int, of: Int)
  case constantFeatures([ConstantFeature])
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

  /// Why a threshold was not used.
  package enum UnusedThreshold: String, Equatable, Sendable {
    case noLabels = "no-labels"
    case largestOutput = "largest-output"
  }
}

/// A feature with one value in all references.
package struct ConstantFeature: Equatable, Sendable {
  package let name: String
  package let value: Float
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
