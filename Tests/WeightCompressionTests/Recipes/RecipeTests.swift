import Graph
import Testing
import Weights

@testable import WeightCompression

/// Which weight gets which scheme, and everything that keeps a recipe from fitting.
struct RecipeTests {
  static let query = WeightReference(
    "layer.0.query.weight", [384, 384], role: .matrix(outputAxis: 0))
  static let up = WeightReference("layer.0.up.weight", [1536, 384], role: .matrix(outputAxis: 0))
  static let head = WeightReference("head", [4, 3], role: .matrix(outputAxis: 1))
  static let words = WeightReference("words", [30522, 384], role: .tokenTable)
  static let places = WeightReference("places", [512, 384], role: .positionTable)
  static let bias = WeightReference("layer.0.query.bias", [384], role: .bias)
  static let norm = WeightReference("norm.weight", [384], role: .norm)
  static let model = [words, places, query, bias, up, norm, head]

  static func rule(
    names: [String] = [], roles: [RecipeRole] = [], shape: [CountRange]? = nil,
    elements: CountRange = .any, _ scheme: Scheme?, or fallbacks: [Scheme?] = [],
    isOptional: Bool = false
  ) -> RecipeRule {
    RecipeRule(
      RecipeRule.Match(
        names: names.map { NameGlob($0) }, roles: roles, shape: shape, elements: elements),
      scheme, fallbacks: fallbacks, isOptional: isOptional)
  }

  static let int8 = Scheme.int8(.perChannel)
  static func palette(_ size: Int) -> Scheme { .palette(bits: 4, .perGroup(size: size)) }

  // MARK: - What is assigned

  @Test func theFirstRuleThatMatchesDecides() {
    let recipe = Recipe(rules: [
      Self.rule(names: ["*.query.*"], Self.palette(16)),
      Self.rule(shape: [.any, CountRange(384)], Self.int8),
      Self.rule(elements: CountRange(maximum: 100), nil),
    ])
    let (assignments, faults) = recipe.assign(Self.model)
    #expect(faults.isEmpty)
    #expect(assignments.map(\.reference) == Self.model)
    #expect(
      assignments.map(\.scheme) == [Self.int8, nil, Self.palette(16), nil, Self.int8, nil, nil])
    #expect(assignments.map(\.rule) == [1, nil, 0, nil, 1, nil, 2])
    #expect(assignments.map(\.note) == ["rule 2", nil, "rule 1", nil, "rule 2", nil, "rule 3"])
    #expect(assignments.map(\.scheme) == Self.model.map { recipe.scheme(of: $0) })
  }

  @Test func fallbacksAreTriedInTheirOrder() {
    let recipe = Recipe(rules: [
      Self.rule(
        Self.palette(16), or: [Self.palette(8), Self.palette(6), Self.palette(3), nil])
    ])
    let (assignments, faults) = recipe.assign([Self.words, Self.query, Self.head])
    #expect(faults.isEmpty)
    #expect(assignments.map(\.scheme) == [Self.palette(6), Self.palette(16), Self.palette(3)])
    #expect(assignments.map(\.fallback) == [1, nil, 2])
    #expect(
      assignments[0].passed.map(\.fault) == [
        .groups(size: 16, channels: 30522), .groups(size: 8, channels: 30522),
      ])
    #expect(
      assignments[0].note
        == "rule 1, fallback 2: 30522 channels are no multiple of the group size 8")
    let match = assignments[0].match
    #expect(match?.rule == 0 && match?.conditions == recipe.rules[0].match)
    #expect(match?.scheme == Self.palette(6) && match?.passed.count == 2)
    let uncompressed = recipe.assign([WeightReference("p", [7, 2], role: .matrix(outputAxis: 0))])
    #expect(uncompressed.faults.isEmpty)
    #expect(uncompressed.assignments.map(\.scheme) == [nil])
    #expect(uncompressed.assignments.map(\.fallback) == [3])
  }

  @Test func distinctValuesDecideWhereTheyAreKnown() {
    let recipe = Recipe(rules: [Self.rule(.unique, or: [Self.int8])])
    for (count, scheme) in [(1, .unique), (256, .unique), (257, Self.int8)] as [(Int, Scheme)] {
      let (assignments, faults) = recipe.assign([Self.query]) { _ in count }
      #expect(faults.isEmpty)
      #expect(assignments.map(\.scheme) == [scheme])
      #expect(recipe.scheme(of: Self.query, distinct: count) == scheme)
    }
    #expect(recipe.assign([Self.query]).assignments.map(\.scheme) == [.unique])
    let only = Recipe(rules: [Self.rule(.unique)]).assign([Self.query]) { _ in 300 }
    #expect(
      only.faults.map(\.description) == [
        "tensor 'layer.0.query.weight': has more than 256 distinct values, more than a palette can "
          + "hold; use palettize (rule 1 has no fallback that fits)"
      ])
  }

  /// Values are read only where they decide.
  @Test func distinctValuesAreAskedForOnlyWhereTheyMatter() {
    let recipe = Recipe(rules: [
      Self.rule(names: ["*query*"], .unique, or: [Self.int8]),
      Self.rule(Self.int8, or: [.unique]),
    ])
    var asked: [TensorName] = []
    _ = recipe.assign(Self.model) {
      asked.append($0.name)
      return 3
    }
    #expect(asked == ["layer.0.query.weight"])
  }

  @Test func weightsThatNoRuleMatchesAreKeptWhereTheRecipeSaysSo() {
    let rules = [Self.rule(roles: [.tokenTable], Self.int8)]
    let uncompressed = Recipe(rules: rules, keepsOthers: true).assign(Self.model)
    #expect(uncompressed.faults.isEmpty)
    #expect(uncompressed.assignments.map(\.scheme) == [Self.int8, nil, nil, nil, nil, nil, nil])
    let faults = Recipe(rules: rules).assign(Self.model).faults
    #expect(
      faults.map(\.description) == [
        "tensor 'layer.0.query.weight': no rule matches it (role matrix, shape [384, 384])",
        "tensor 'layer.0.up.weight': no rule matches it (role matrix, shape [1536, 384])",
        "tensor 'head': no rule matches it (role matrix, shape [4, 3])",
      ])
  }

  @Test func aRuleForEveryNameLeavesAloneWhatIsAlwaysKept() {
    let (assignments, faults) = Recipe(rules: [Self.rule(names: ["*"], Self.int8)]).assign(
      Self.model)
    #expect(faults.isEmpty)
    #expect(
      assignments.map { $0.scheme != nil } == Self.model.map { $0.role.isCompressible })
  }

  // MARK: - Edges

  @Test func zeroSizeAxesTakeWhatTheyAreGiven() {
    let empty = [
      WeightReference("a", [0, 4], role: .matrix(outputAxis: 0)),
      WeightReference("b", [4, 0], role: .matrix(outputAxis: 0)),
      WeightReference("c", [], role: .matrix(outputAxis: 0)),
      WeightReference("d", [0], role: .tokenTable),
    ]
    for recipe in BuiltInRecipe.allCases.map(\.recipe) {
      let (assignments, faults) = recipe.assign(empty)
      #expect(faults.isEmpty)
      #expect(assignments.count == 4)
    }
    let recipe = Recipe(rules: [
      Self.rule(elements: CountRange(0), Self.palette(16)), Self.rule(shape: [], Self.int8),
    ])
    let (assignments, faults) = recipe.assign([empty[0], empty[2], empty[3]])
    #expect(faults.isEmpty)
    #expect(assignments.map(\.scheme) == [Self.palette(16), Self.int8, Self.palette(16)])
  }

  @Test func namesAreToldApartByTheirBytes() {
    let names = ["caf\u{E9}", "cafe\u{301}"]
    let weights = names.map {
      WeightReference(TensorName($0), [16, 16], role: .matrix(outputAxis: 0))
    }
    let recipe = Recipe(rules: [Self.rule(names: [names[1]], Self.int8), Self.rule(nil)])
    #expect(recipe.assign(weights).assignments.map(\.rule) == [1, 0])
    #expect(recipe.assign(weights).assignments.map(\.scheme) == [nil, Self.int8])
  }

  @Test func rolesAreReadAsListingsPrintThem() {
    for role in RecipeRole.allCases {
      #expect(RecipeRole(word: role.rawValue) == role)
      #expect(RecipeRole(word: role.word) == role)
    }
    #expect(RecipeRole(word: "token-table") == .tokenTable)
    #expect(RecipeRole(word: "tokenTable") == nil)
    #expect(RecipeRole(word: "") == nil)
    let roles: [WeightRole] = [
      .matrix(outputAxis: 1), .tokenTable, .positionTable, .bias, .norm, .statistic, .threshold,
      .number,
    ]
    #expect(roles.map { RecipeRole($0).rawValue } == roles.map(\.label))
    #expect(roles.map { RecipeRole($0).isCompressible } == roles.map(\.takesRules))
  }

  // MARK: - Identity

  @Test func rulesOfAnotherKindHaveAnotherDigest() {
    let match = RecipeRule.Match()
    let recipes = [
      Recipe(rules: []), Recipe(rules: [], keepsOthers: true),
      Recipe(rules: [Self.rule(Self.int8)]), Recipe(rules: [Self.rule(nil)]),
      Recipe(rules: [Self.rule(Self.int8, isOptional: true)]),
      Recipe(rules: [Self.rule(Self.int8), Self.rule(nil)]),
      Recipe(rules: [Self.rule(Self.int8, or: [nil])]),
      Recipe(rules: [Self.rule(names: ["a"], Self.int8)]),
      Recipe(rules: [Self.rule(names: ["b"], Self.int8)]),
      Recipe(rules: [Self.rule(names: ["a", "b"], Self.int8)]),
      Recipe(rules: [Self.rule(names: ["a1:b"], Self.int8)]),
      Recipe(rules: [Self.rule(names: [""], Self.int8)]),
      Recipe(rules: [Self.rule(names: ["caf\u{E9}"], nil)]),
      Recipe(rules: [Self.rule(names: ["cafe\u{301}"], nil)]),
      Recipe(rules: [Self.rule(roles: [.matrix], nil)]),
      Recipe(rules: [Self.rule(roles: [.matrix, .tokenTable], nil)]),
      Recipe(rules: [Self.rule(shape: [], nil)]), Recipe(rules: [Self.rule(shape: [.any], nil)]),
      Recipe(rules: [Self.rule(shape: [CountRange(2)], nil)]),
      Recipe(rules: [Self.rule(elements: CountRange(2), nil)]),
      Recipe(rules: [RecipeRule(match, Self.palette(8))]),
    ]
    #expect(Set(recipes).count == recipes.count)
    #expect(Set(recipes.map(\.digest)).count == recipes.count)
    #expect(recipes[0].digest.wholeMatch(of: /[0-9a-f]{64}/) != nil)
  }

  @Test func anotherNameIsAnotherRecipeOfTheSameRules() {
    let (a, b) = (Recipe(name: "a", rules: []), Recipe(name: "b", rules: []))
    #expect(a != b)
    #expect(a.digest == b.digest)
    #expect(a.label != b.label)
  }
}
