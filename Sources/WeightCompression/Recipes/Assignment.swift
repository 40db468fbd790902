package import Graph

/// The scheme that a recipe gives one weight, and why.
package struct Assignment: Hashable, Sendable {
  /// A choice that does not fit.
  package struct Passed: Hashable, Sendable {
    package let scheme: Scheme
    package let fault: TensorRefusal.Fault
  }

  package let reference: WeightReference
  /// Nil where the weight is kept.
  package let scheme: Scheme?
  /// Place of the rule that decided; nil where the weight is kept without one.
  package let rule: Int?
  /// Place of the choice among the rule's fallbacks; nil where it is the first choice.
  package let fallback: Int?
  /// Choices of the rule that do not fit, in order.
  package let passed: [Passed]

  init(
    _ reference: WeightReference, scheme: Scheme? = nil, rule: Int? = nil, fallback: Int? = nil,
    passed: [Passed] = []
  ) {
    self.reference = reference
    self.scheme = scheme
    self.rule = rule
    self.fallback = fallback
    self.passed = passed
  }

  /// For listings: "rule 1", "rule 1, fallback 2: 30522 channels are no multiple of the group size
  /// 8"; nil without a rule.
  package var note: String? {
    guard let rule else { return nil }
    guard let fallback else { return "rule \(rule + 1)" }
    let reason = passed.last.map { ": \($0.fault.cause)" } ?? ""
    return "rule \(rule + 1), fallback \(fallback + 1)\(reason)"
  }
}
