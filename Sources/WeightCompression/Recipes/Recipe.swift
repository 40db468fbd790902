package import Graph
package import Weights

/// How the weights of a model are compressed: an ordered list of rules. The first rule that matches a
/// weight decides.
///
/// Weights of roles that are never compressed, such as biases, stay uncompressed and need no
/// rule. Two recipes are equal if they have the same name and rules, whatever their source.
package struct Recipe: Hashable, Sendable {
  /// For listings; recorded in the result.
  package let name: String
  package let rules: [RecipeRule]
  /// Whether weights that could be compressed, and that no rule matches, stay uncompressed; else they
  /// are faults.
  package let keepsOthers: Bool

  /// The name of a recipe that does not give one.
  package static let defaultName = "custom"

  package init(name: String = Recipe.defaultName, rules: [RecipeRule], keepsOthers: Bool = false) {
    self.name = name
    self.rules = rules
    self.keepsOthers = keepsOthers
  }

  /// The recipe that stores weights by these schemes, one rule for each scheme, and keeps all others.
  ///
  /// - Parameter stored: names of weights, each once.
  package init(name: String, storing stored: [(name: TensorName, scheme: Scheme)]) {
    var schemes: [Scheme] = []
    var names: [Scheme: [NameGlob]] = [:]
    for (name, scheme) in stored {
      if names[scheme] == nil { schemes.append(scheme) }
      names[scheme, default: []].append(NameGlob(exactly: name.text))
    }
    let rules = schemes.map { RecipeRule(RecipeRule.Match(names: names[$0] ?? []), $0) }
    // A file of a recipe has a rule, where it keeps everything too.
    let keeping = RecipeRule(RecipeRule.Match(), nil, isOptional: true)
    self.init(name: name, rules: rules.isEmpty ? [keeping] : rules, keepsOthers: true)
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
  /// stays uncompressed. The rule's first choice if none fits.
  ///
  /// - Parameter distinct: the weight's number of distinct values; nil if unknown.
  package func scheme(of reference: WeightReference, distinct: Int? = nil) -> Scheme? {
    guard let index = rule(of: reference) else { return nil }
    let choice = FittingScheme(of: rules[index], for: reference) { _ in distinct }
    return choice.place == nil ? rules[index].scheme : choice.scheme
  }

  /// The rule that decides on a weight; nil if it stays uncompressed without one.
  func rule(of reference: WeightReference) -> Int? {
    guard reference.role.takesRules else { return nil }
    return rules.firstIndex { $0.match.holds(for: reference) }
  }
}

/// The treatment of the weights that a recipe's rule matches and no earlier one does.
package struct RecipeRule: Hashable, Sendable {
  /// The weights that a rule matches: every condition must hold.
  package struct Match: Hashable, Sendable, CustomStringConvertible {
    /// Patterns for the name, and one must match; empty to allow any name.
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

    /// Whether a weight meets the conditions. Thresholds are matched by their role alone: rules for all
    /// weights are not for them.
    package func holds(for reference: WeightReference) -> Bool {
      (roles.isEmpty
        ? reference.role != .threshold : roles.contains(RecipeRole(reference.role)))
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
  /// The scheme of a matched weight; nil if it stays uncompressed.
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

/// A range of counts, as a rule's condition on lengths and on numbers of elements.
package struct CountRange: Hashable, Sendable, CustomStringConvertible {
  package let minimum: Int
  /// Nil if unlimited.
  package let maximum: Int?

  /// Every number.
  package static let any = CountRange(minimum: 0)

  /// - Precondition: 0 ≤ least ≤ most.
  package init(minimum: Int = 0, maximum: Int? = nil) {
    precondition(minimum >= 0 && (maximum ?? minimum) >= minimum, "an empty range")
    self.minimum = minimum
    self.maximum = maximum
  }

  /// One number.
  package init(_ count: Int) { self.init(minimum: count, maximum: count) }

  package func contains(_ count: Int) -> Bool { count >= minimum && count <= maximum ?? count }

  /// Reads `*`, a number, or one comparison or two: `>= 2048`, `< 65536`, `>= 2048 < 65536`.
  ///
  /// - Returns: nil for any other text, and for an empty range.
  package init?(_ text: String) {
    var words = Words(text)
    if text == "*" {
      self = .any
      return
    }
    if let count = words.number() {
      guard words.isAtEnd else { return nil }
      self.init(count)
      return
    }
    var minimum: Int?
    var maximum: Int?
    while !words.isAtEnd {
      guard let comparison = words.comparison(), let number = words.number() else { return nil }
      switch comparison {
      case ">=", ">":
        guard minimum == nil else { return nil }
        minimum = comparison == ">" ? number + 1 : number
      default:
        guard maximum == nil else { return nil }
        maximum = comparison == "<" ? number - 1 : number
      }
    }
    guard minimum != nil || maximum != nil, (maximum ?? .max) >= (minimum ?? 0) else { return nil }
    self.init(minimum: minimum ?? 0, maximum: maximum)
  }

  /// The shortest text that reads as the same.
  package var description: String {
    switch (minimum, maximum) {
    case (0, nil): "*"
    case (let minimum, nil): ">= \(minimum)"
    case (let minimum, let maximum?) where minimum == maximum: "\(minimum)"
    case (0, let maximum?): "<= \(maximum)"
    case (let minimum, let maximum?): ">= \(minimum) <= \(maximum)"
    }
  }
}

/// The words of a condition, spaces between them or not.
private struct Words {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  var isAtEnd: Bool {
    mutating get {
      rest = rest.drop { $0 == UInt8(ascii: " ") }
      return rest.isEmpty
    }
  }

  mutating func comparison() -> String? {
    guard !isAtEnd else { return nil }
    for word in [">=", "<=", ">", "<"] where rest.starts(with: word.utf8) {
      rest = rest.dropFirst(word.utf8.count)
      return word
    }
    return nil
  }

  mutating func number() -> Int? {
    guard !isAtEnd else { return nil }
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 }
    guard (1...18).contains(digits.count), let number = Int(Substring(digits)) else { return nil }
    rest = rest.dropFirst(digits.count)
    return number
  }
}
