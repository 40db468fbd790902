package import Graph

/// The scheme that a recipe gives one weight, and why.
package struct Assignment: Hashable, Sendable {
  /// A choice that does not fit.
  package struct Passed: Hashable, Sendable {
    package let scheme: Scheme
    package let fault: TensorRefusal.Fault
  }

  package let reference: WeightReference
  /// Nil if the weight is kept.
  package let scheme: Scheme?
  /// The rule that decided; nil if the weight is kept without one.
  package let match: RuleMatch?

  /// Place of the rule that decided; nil if the weight is kept without one.
  package var rule: Int? { match?.rule }
  /// Place of the choice among the rule's fallbacks; nil if it is the first choice.
  package var fallback: Int? { match?.fallback }
  /// Choices of the rule that do not fit, in order.
  package var passed: [Passed] { match?.passed ?? [] }

  init(_ reference: WeightReference, scheme: Scheme? = nil, match: RuleMatch? = nil) {
    self.reference = reference
    self.scheme = scheme
    self.match = match
  }

  /// For listings, as `RuleMatch.words`; nil without a rule.
  package var note: String? { match?.words }
}
