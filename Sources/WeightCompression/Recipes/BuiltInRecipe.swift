/// A recipe that comes with Ingot, suitable for any encoder: its rules use only roles.
///
/// The only table of them; the figures of `specs/formats/recipe.md` and the README are measured.
package enum BuiltInRecipe: String, CaseIterable, Sendable {
  case int8, balanced, small, tiny

  /// In one phrase, for help.
  package var summary: String {
    switch self {
    case .int8: "INT8 per channel everywhere"
    case .balanced: "6-bit palettes for matrices, an INT8 token table"
    case .small: "4-bit palettes everywhere"
    case .tiny: "3-bit palettes everywhere"
    }
  }

  package var recipe: Recipe {
    Recipe(name: rawValue, rules: rules)
  }

  private var rules: [RecipeRule] {
    switch self {
    case .int8: [Self.linear([.matrix, .tokenTable])]
    case .balanced: [Self.smallMatrices, Self.palettes(6, [.matrix]), Self.linear([.tokenTable])]
    case .small: [Self.smallMatrices, Self.palettes(4, [.matrix, .tokenTable])]
    case .tiny: [Self.smallMatrices, Self.palettes(3, [.matrix, .tokenTable])]
    }
  }

  /// A palette saves nothing for so few weights. They are often the last of a network, where an error
  /// counts most.
  private static let smallMatrices = RecipeRule(
    RecipeRule.Match(roles: [.matrix, .tokenTable], elements: CountRange(maximum: 2047)), nil,
    isOptional: true)

  private static func linear(_ roles: [RecipeRole]) -> RecipeRule {
    RecipeRule(RecipeRule.Match(roles: roles), .int8(.perChannel), isOptional: true)
  }

  /// Groups of 16 channels, or of the largest smaller size that divides: 30522 rows are 2 · 3 · 5087.
  private static func palettes(_ bits: Int, _ roles: [RecipeRole]) -> RecipeRule {
    RecipeRule(
      RecipeRule.Match(roles: roles), .palette(bits: bits, .perGroup(size: 16)),
      fallbacks: [8, 6, 4, 3, 2].map { .palette(bits: bits, .perGroup(size: $0)) }
        + [.palette(bits: bits, .perTensor)], isOptional: true)
  }
}
