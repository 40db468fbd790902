/// The rule of a recipe that decided on a weight, and how it came to its choice.
package struct RuleMatch: Hashable, Sendable {
  /// Place of the rule in the recipe, from 0.
  package let rule: Int
  /// The rule's conditions on a weight.
  package let conditions: RecipeRule.Match
  /// Place of the choice among the rule's fallbacks; nil if it is the first choice.
  package let fallback: Int?
  /// Choices of the rule that do not fit, in order.
  package let passed: [Assignment.Passed]
  /// The choice that was taken; nil if the weight is kept.
  package let scheme: Scheme?

  /// For listings: "rule 1", "rule 1, fallback 2: 30522 channels are no multiple of the group size
  /// 8".
  package var words: String {
    guard let fallback else { return "rule \(rule + 1)" }
    let reason = passed.last.map { ": \($0.fault.cause)" } ?? ""
    return "rule \(rule + 1), fallback \(fallback + 1)\(reason)"
  }
}
