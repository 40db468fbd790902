package import Graph

/// How the weights of a model are compressed: an ordered list of rules. The first rule that matches a
/// weight decides.
///
/// Weights of roles that are never compressed, such as biases, are kept and need no rule. Two recipes
/// are equal if they have the same name and rules, whatever their source.
package struct Recipe: Hashable, Sendable {
  /// For listings; recorded in the result.
  package let name: String
  package let rules: [RecipeRule]
  /// Whether weights that could be compressed, and that no rule matches, are kept; else they are
  /// faults.
  package let keepsOthers: Bool

  /// The name of a recipe that does not give one.
  package static let defaultName = "custom"

  package init(name: String = Recipe.defaultName, rules: [RecipeRule], keepsOthers: Bool = false) {
    self.name = name
    self.rules = rules
    self.keepsOthers = keepsOthers
  }

  /// Name and first digits of the digest: tells apart recipes of one name.
  package var label: String { "\(name) \(digest.prefix(12))" }

  /// Refuses schemes that no tensor could have.
  package func validate() throws(CompressionError) {
    for rule in rules {
      for case let scheme? in rule.choices { try scheme.validate() }
    }
  }

  /// The scheme of a weight: the first choice that fits of the first rule that matches; nil if it
  /// is kept. The rule's first choice if none fits.
  ///
  /// - Parameter distinct: the weight's number of distinct values; nil if unknown.
  package func scheme(of reference: WeightReference, distinct: Int? = nil) -> Scheme? {
    guard let index = rule(of: reference) else { return nil }
    let choice = FittingScheme(of: rules[index], for: reference) { _ in distinct }
    return choice.place == nil ? rules[index].scheme : choice.scheme
  }

  /// The rule that decides on a weight; nil if it is kept without one.
  func rule(of reference: WeightReference) -> Int? {
    guard reference.role.isCompressible else { return nil }
    return rules.firstIndex { $0.match.holds(for: reference) }
  }
}
