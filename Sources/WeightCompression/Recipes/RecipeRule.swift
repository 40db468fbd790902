package import Graph
import Weights

/// What becomes of the weights that a recipe's rule matches, where no rule before it does.
package struct RecipeRule: Hashable, Sendable {
  /// Which weights a rule is for: all that is asked must hold.
  package struct Match: Hashable, Sendable, CustomStringConvertible {
    /// Patterns of which one must fit the name; none where names do not matter.
    package let names: [NameGlob]
    /// Roles of which the weight must have one; none where roles do not matter.
    package let roles: [RecipeRole]
    /// A length for each axis; nil where shapes do not matter.
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

    /// Whether a weight is as the rule asks.
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
  /// How a matched weight is stored; nil where it is kept.
  package let scheme: Scheme?
  /// What is tried instead where the scheme does not fit, in order; nil for keeping the weight.
  package let fallbacks: [Scheme?]
  /// Whether the rule may have nothing to do: a model need not have such weights, or all of them may
  /// be taken by rules before it.
  package let isOptional: Bool

  package init(
    _ match: Match, _ scheme: Scheme?, fallbacks: [Scheme?] = [], isOptional: Bool = false
  ) {
    self.match = match
    self.scheme = scheme
    self.fallbacks = fallbacks
    self.isOptional = isOptional
  }

  /// The scheme and what is tried instead, in order.
  package var choices: [Scheme?] { [scheme] + fallbacks }

  /// Whether the rule never compresses anything.
  package var keeps: Bool { choices.allSatisfy { $0 == nil } }
}
