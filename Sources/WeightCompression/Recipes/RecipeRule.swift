package import Graph
import Weights

/// The treatment of the weights that a recipe's rule matches and no earlier one does.
package struct RecipeRule: Hashable, Sendable {
  /// The weights that a rule matches: every condition must hold.
  package struct Match: Hashable, Sendable, CustomStringConvertible {
    /// Patterns for the name, one of which must match; empty to allow any name.
    package let names: [NameGlob]
    /// Allowed roles; empty to allow any role.
    package let roles: [RecipeRole]
    /// A length for each axis; nil if shapes do not matter.
    package let shape: [CountRange]?
    package let elements: CountRange

    /// - Note: without arguments every weight matches.
    package init(
      names: [NameGlob] = [], roles: [RecipeRole] = [], shape: [CountRange]? = nil,
      elements: CountRange = .any
    ) {
      self.names = names
      self.roles = roles
      self.shape = shape
      self.elements = elements
    }

    /// Whether a weight meets the conditions.
    package func holds(for reference: WeightReference) -> Bool {
      (roles.isEmpty || roles.contains(RecipeRole(reference.role)))
        && elements.contains(reference.elementCount) && hasShape(reference.shape)
        && (names.isEmpty || names.contains { $0.matches(reference.name.text) })
    }

    private func hasShape(_ lengths: [Int]) -> Bool {
      guard let shape else { return true }
      return shape.count == lengths.count && zip(shape, lengths).allSatisfy { $0.contains($1) }
    }

    /// "name '*.query.weight' or '*.key.weight', role matrix, elements >= 2048".
    package var description: String {
      var words: [String] = []
      if !names.isEmpty {
        words.append("name " + names.map { "'\($0.text)'" }.joined(separator: " or "))
      }
      if !roles.isEmpty {
        words.append("role " + roles.map(\.rawValue).joined(separator: " or "))
      }
      if let shape {
        words.append("shape [\(shape.map(\.description).joined(separator: ", "))]")
      }
      if elements != .any { words.append("elements \(elements)") }
      return words.isEmpty ? "any weight" : words.joined(separator: ", ")
    }
  }

  package let match: Match
  /// The scheme of a matched weight; nil if it is kept.
  package let scheme: Scheme?
  /// Schemes to try in order if the first does not fit; nil keeps the weight.
  package let fallbacks: [Scheme?]
  /// Whether the rule may match nothing: a model may have no such weights, or earlier rules may
  /// match all of them.
  package let isOptional: Bool

  package init(
    _ match: Match, _ scheme: Scheme?, fallbacks: [Scheme?] = [], isOptional: Bool = false
  ) {
    self.match = match
    self.scheme = scheme
    self.fallbacks = fallbacks
    self.isOptional = isOptional
  }

  /// The scheme and its fallbacks, in order.
  package var choices: [Scheme?] { [scheme] + fallbacks }

  /// Whether the rule never compresses anything.
  package var keeps: Bool { choices.allSatisfy { $0 == nil } }
}
