import Inputs
import StrictJSON

extension ReferenceWarning {
  /// One word for programs.
  var id: FindingID {
    switch self {
    case .few: .fewReferences
    case .repeats: .repeatedReferences
    case .constantFeatures: .constantFeatures
    case .coarseFeatures: .coarseFeatures
    case .unrankedLabels: .unrankedLabels
    case .someLabels: .someLabels
    case .threshold(.missing): .missingThreshold
    case .threshold(.misses): .baselineMissesThreshold
    case .unusedThreshold: .unusedThreshold
    case .noMixedPairs: .noMixedPairs
    case .unknownOutputs: .unknownOutputs
    case .wrongBaseline: .wrongBaseline
    case .unseenCategories: .unseenCategories
    case .wrongLabels: .wrongLabels
    case .swappedLabels: .swappedLabels
    case .saturatedOutputs: .saturatedOutputs
    }
  }

  /// The figures of the warning.
  var members: FindingMembers {
    switch self {
    case .few(let count):
      [
        "comparisons": .integer(count.comparisons), "inputs": .integer(count.inputs),
        "lines": .integer(count.lines), "needed": .integer(ReferenceSet.fewestLines),
      ]
    case .repeats(let count, let line, let first):
      ["count": .integer(count), "line": .integer(line), "repeats": .integer(first)]
    case .constantFeatures(let features):
      [
        "features": .array(
          features.map { ["name": .string($0.name), "value": .double($0.value)] })
      ]
    case .coarseFeatures(let features): ["features": .array(features.map(\.json))]
    case .unrankedLabels(let count): ["labelled": .integer(count)]
    case .someLabels(let count, let all):
      ["labelled": .integer(count), "pairs": .integer(all)]
    case .threshold(let advice): advice.members
    case .unusedThreshold(let why): ["why": .string(why.rawValue)]
    case .noMixedPairs(let kinds): ["kinds": .array(kinds.map { .string("\($0)") })]
    case .unknownOutputs: [:]
    case .wrongBaseline(let count, let all):
      ["count": .integer(count), "samples": .integer(all)]
    case .unseenCategories(let categories): categories.members
    case .wrongLabels(let labels): labels.members
    case .swappedLabels(let labels): labels.members
    case .saturatedOutputs(let inputs): ["inputs": .integer(inputs)]
    }
  }
}

extension WrongLabels {
  fileprivate var members: FindingMembers {
    var members: FindingMembers = ["lines": .integer(lines), "right": .integer(right)]
    if let common {
      members["common"] = ["label": .string(common.words), "lines": .integer(common.lines)]
    }
    return members
  }
}

extension SwappedLabels {
  fileprivate var members: FindingMembers {
    [
      "labels": [.string(first), .string(second)], "lines": .integer(lines),
      "right": .integer(right), "rightSwapped": .integer(rightSwapped),
    ]
  }
}

extension ThresholdAdvice {
  fileprivate var members: FindingMembers {
    switch self {
    case .missing(let expectations): ["expectations": .integer(expectations)]
    case .misses(let fit): fit.members
    }
  }
}

extension ThresholdFit {
  fileprivate var members: FindingMembers {
    [
      "threshold": .double(threshold), "expectations": .integer(count),
      "misses": .array(
        misses.map {
          [
            "line": .integer($0.line), "similarity": .double($0.similarity),
            "expect": .string($0.expectation.rawValue),
          ]
        }),
      "best": best.map {
        ["threshold": .double($0.threshold), "misses": .integer($0.misses)]
      } ?? .null,
    ]
  }
}
