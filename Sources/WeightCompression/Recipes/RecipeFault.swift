package import Graph
package import Weights

/// Why a recipe does not fit a model.
package enum RecipeFault: Hashable, Sendable, CustomStringConvertible {
  /// No weight of the model meets the rule's conditions.
  case matchesNothing(RuleName)
  /// The rule compresses, but everything it matches always stays uncompressed.
  case matchesOnlyUncompressed(RuleName, example: WeightReference)
  /// The rule compresses, but names a role that always stays uncompressed.
  case compressesFixedRole(RuleName, RecipeRole)
  /// Earlier rules match everything it does.
  case neverReached(RuleName, example: TensorName, by: Int)
  /// No choice of the rule fits the weight.
  case unfit(WeightReference, RuleName, [Assignment.Passed])
  /// No rule matches a weight that could be compressed.
  case unmatched(WeightReference)

  /// A rule, by its number and the weights it matches.
  package struct RuleName: Hashable, Sendable, CustomStringConvertible {
    /// From 1.
    package let number: Int
    package let match: RecipeRule.Match

    package var description: String { "rule \(number) (\(match))" }
  }

  package var description: String {
    switch self {
    case .matchesNothing(let rule): return "\(rule): matches no weight of the model"
    case .matchesOnlyUncompressed(let rule, let example):
      return "\(rule): matches only weights that always stay uncompressed, such as "
        + "'\(example.name)', role \(example.role.label)"
    case .compressesFixedRole(let rule, let role):
      return "\(rule): compresses weights of the role \(role.rawValue), which always stay "
        + "uncompressed"
    case .neverReached(let rule, let example, let number):
      return "\(rule): all it matches is taken by rules before it, such as '\(example)' "
        + "by rule \(number)"
    case .unfit(let reference, let rule, let passed):
      let reasons =
        passed.count == 1
        ? passed[0].fault.reason
        : passed.map { "\($0.scheme.label): \($0.fault.reason)" }.joined(separator: "; ")
      return
        "tensor '\(reference.name)': \(reasons) (rule \(rule.number) has no fallback that fits)"
    case .unmatched(let reference):
      return "tensor '\(reference.name)': no rule matches it "
        + "(role \(reference.role.label), shape \(reference.shape))"
    }
  }
}
