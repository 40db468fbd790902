package import Graph

extension Recipe {
  /// The scheme of each weight of a model, and every reason why the recipe does not fit it.
  ///
  /// - Parameters:
  ///   - weights: in the order of the graph.
  ///   - distinct: a weight's number of distinct values, all above 256 being alike; nil if unknown,
  ///     and then the palette of distinct values is assumed to fit.
  /// - Returns: one assignment per weight, in their order; a weight with a fault stays
  ///   uncompressed. Faults of rules come first, then those of weights.
  package func assign(
    _ weights: [WeightReference], distinct: (WeightReference) throws -> Int?
  ) rethrows -> (assignments: [Assignment], faults: [RecipeFault]) {
    var faults: [RecipeFault] = []
    let assignments = try weights.map { reference in
      guard reference.role.takesRules else { return Assignment(reference) }
      guard let index = rule(of: reference) else {
        if !keepsOthers, reference.role.isCompressible { faults.append(.unmatched(reference)) }
        return Assignment(reference)
      }
      let choice = try FittingScheme(of: rules[index], for: reference, distinct: distinct)
      if choice.place == nil {
        faults.append(.unfit(reference, ruleName(index), choice.passed))
      }
      return Assignment(reference, scheme: choice.scheme, match: match(index, choice))
    }
    let used = Set(assignments.compactMap(\.rule))
    let unused = rules.indices.flatMap { ruleFaults($0, isUsed: used.contains($0), weights) }
    return (assignments, unused + faults)
  }

  /// The same where no distinct values are known.
  package func assign(
    _ weights: [WeightReference]
  ) -> (assignments: [Assignment], faults: [RecipeFault]) {
    assign(weights) { _ in nil }
  }

  private func match(_ index: Int, _ choice: FittingScheme) -> RuleMatch {
    RuleMatch(
      rule: index, conditions: rules[index].match,
      fallback: choice.place.flatMap { $0 > 0 ? $0 - 1 : nil }, passed: choice.passed,
      scheme: choice.scheme)
  }

  private func ruleName(_ index: Int) -> RecipeFault.RuleName {
    RecipeFault.RuleName(number: index + 1, match: rules[index].match)
  }

  /// Faults of a rule as a whole, apart from those of single weights.
  private func ruleFaults(
    _ index: Int, isUsed: Bool, _ weights: [WeightReference]
  ) -> [RecipeFault] {
    let rule = rules[index]
    let name = ruleName(index)
    if !rule.keeps, let uncompressed = rule.match.roles.first(where: { !$0.isCompressible }) {
      return [.compressesFixedRole(name, uncompressed)]
    }
    guard !isUsed, !rule.isOptional else { return [] }
    let matched = weights.filter { rule.match.holds(for: $0) }
    if let example = matched.first(where: { $0.role.takesRules }) {
      let taker = self.rule(of: example) ?? index
      return [.neverReached(name, example: example.name, by: taker + 1)]
    }
    guard let example = matched.first else { return [.matchesNothing(name)] }
    return rule.keeps ? [] : [.matchesOnlyUncompressed(name, example: example)]
  }
}

/// The scheme that a recipe gives one weight, and why.
package struct Assignment: Hashable, Sendable {
  /// A choice that does not fit.
  package struct Passed: Hashable, Sendable {
    package let scheme: Scheme
    package let fault: TensorRefusal.Fault
  }

  package let reference: WeightReference
  /// Nil if the weight stays uncompressed.
  package let scheme: Scheme?
  /// The rule that decided; nil if the weight stays uncompressed without one.
  package let match: RuleMatch?

  /// Place of the rule that decided; nil if the weight stays uncompressed without one.
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

/// The choice of a rule that a weight takes.
struct FittingScheme {
  /// Its place among the choices; nil if none fits.
  private(set) var place: Int?
  /// Nil if the weight stays uncompressed.
  private(set) var scheme: Scheme?
  /// Choices before it, each with why it does not fit.
  private(set) var passed: [Assignment.Passed] = []

  /// - Parameter distinct: a weight's number of distinct values; nil if unknown. Asked
  ///   only where it matters.
  init(
    of rule: RecipeRule, for reference: WeightReference,
    distinct: (WeightReference) throws -> Int?
  ) rethrows {
    for (index, choice) in rule.choices.enumerated() {
      if let choice, let fault = try Self.fault(of: choice, reference, distinct) {
        passed.append(Assignment.Passed(scheme: choice, fault: fault))
      } else {
        (place, scheme) = (index, choice)
        return
      }
    }
  }

  private static func fault(
    of scheme: Scheme, _ reference: WeightReference, _ distinct: (WeightReference) throws -> Int?
  ) rethrows -> TensorRefusal.Fault? {
    if reference.role == .threshold {
      return ThresholdScheme(scheme) == nil ? .thresholds : nil
    }
    let scheme = scheme.own
    if let fault = scheme.fault(of: reference) { return fault }
    guard scheme.isLossless, let count = try distinct(reference), count > 256 else { return nil }
    return .distinctValues
  }
}

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
  /// The choice that was taken; nil if the weight stays uncompressed.
  package let scheme: Scheme?

  /// For listings: "rule 1", "rule 1, fallback 2: 30522 channels are no multiple of the group size
  /// 8".
  package var words: String {
    guard let fallback else { return "rule \(rule + 1)" }
    let reason = passed.last.map { ": \($0.fault.cause)" } ?? ""
    return "rule \(rule + 1), fallback \(fallback + 1)\(reason)"
  }
}
