package import Graph

extension Recipe {
  /// The scheme of each weight of a model, and every reason why the recipe does not fit it.
  ///
  /// - Parameters:
  ///   - weights: in the order of the graph.
  ///   - distinct: a weight's number of distinct values, all above 256 being alike; nil if unknown,
  ///     and then the palette of distinct values is assumed to fit.
  /// - Returns: one assignment per weight, in their order; a weight with a fault is kept. Faults of
  ///   rules come first, then those of weights.
  package func assign(
    _ weights: [WeightReference], distinct: (WeightReference) throws -> Int?
  ) rethrows -> (assignments: [Assignment], faults: [RecipeFault]) {
    var faults: [RecipeFault] = []
    let assignments = try weights.map { reference in
      guard reference.role.isCompressible else { return Assignment(reference) }
      guard let index = rule(of: reference) else {
        if !keepsOthers { faults.append(.unmatched(reference)) }
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
    if let example = matched.first(where: { $0.role.isCompressible }) {
      let taker = self.rule(of: example) ?? index
      return [.neverReached(name, example: example.name, by: taker + 1)]
    }
    guard let example = matched.first else { return [.matchesNothing(name)] }
    return rule.keeps ? [] : [.matchesOnlyUncompressed(name, example: example)]
  }
}
