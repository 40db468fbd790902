import Graph
import ModelFixtures
import Testing
import Weights

@testable import WeightCompression

// Faults of recipes.
extension RecipeTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    let rules: [RecipeRule]
    var model = RecipeTests.model
    let faults: [String]
    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "a rule that matches nothing",
      rules: [rule(names: ["*.key.*", "value?"], roles: [.matrix], int8), rule(int8)],
      faults: [
        "rule 1 (name '*.key.*' or 'value?', role matrix): matches no weight of the model"
      ]),
    Case(
      name: "a rule that matches nothing and may",
      rules: [rule(names: ["*.key.*"], int8, isOptional: true), rule(int8)], faults: []),
    Case(
      name: "shapes of another rank",
      rules: [rule(shape: [.any], int8), rule(shape: [], int8), rule(int8)],
      faults: [
        "rule 1 (shape [*]): matches only weights that always stay uncompressed, such as "
          + "'layer.0.query.bias', role bias",
        "rule 2 (shape []): matches no weight of the model",
      ]),
    Case(
      name: "a rule behind one that takes all",
      rules: [rule(int8), rule(roles: [.matrix], nil)],
      faults: [
        "rule 2 (role matrix): all it matches is taken by rules before it, such as "
          + "'layer.0.query.weight' by rule 1"
      ]),
    Case(
      name: "a rule behind one that takes all, which may have nothing to do",
      rules: [rule(int8), rule(roles: [.tokenTable], nil, isOptional: true)], faults: []),
    Case(
      name: "a scheme for what always stays uncompressed, by name",
      rules: [rule(names: ["*.bias"], int8), rule(int8)],
      faults: [
        "rule 1 (name '*.bias'): matches only weights that always stay uncompressed, such as "
          + "'layer.0.query.bias', role bias"
      ]),
    Case(
      name: "keeping what always stays uncompressed",
      rules: [rule(names: ["*.bias"], nil), rule(roles: [.norm], nil), rule(int8)], faults: []),
    Case(
      name: "a scheme for what always stays uncompressed, by role",
      rules: [
        rule(roles: [.positionTable], int8), rule(roles: [.matrix, .tokenTable, .bias], int8),
        rule(roles: [.statistic], nil, or: [int8], isOptional: true),
      ],
      faults: [
        "rule 1 (role position table): compresses weights of the role position table, which always "
          + "stay uncompressed",
        "rule 2 (role matrix or token table or bias): compresses weights of the role bias, which "
          + "always stay uncompressed",
        "rule 3 (role statistic): compresses weights of the role statistic, which always stay "
          + "uncompressed",
      ]),
    Case(
      name: "a group size that does not divide",
      rules: [rule(palette(16))],
      faults: [
        "tensor 'words': 30522 channels are no multiple of the group size 16; "
          + "use a group size of 6 or 5087, or per-tensor (rule 1 has no fallback that fits)",
        "tensor 'head': 3 channels are no multiple of the group size 16; "
          + "use a group size of 3, or per-tensor (rule 1 has no fallback that fits)",
      ]),
    Case(
      name: "fallbacks that do not fit either",
      rules: [rule(palette(16), or: [palette(8)])],
      model: [words],
      faults: [
        "tensor 'words': palette 4 bits in groups of 16: 30522 channels are no multiple of the "
          + "group size 16; use a group size of 6 or 5087, or per-tensor; palette 4 bits in groups "
          + "of 8: 30522 channels are no multiple of the group size 8; use a group size of 6 or "
          + "5087, or per-tensor (rule 1 has no fallback that fits)"
      ]),
    Case(
      name: "everything at once",
      rules: [
        rule(names: ["nothing"], int8), rule(roles: [.bias], int8),
        rule(roles: [.tokenTable], palette(16)),
        rule(roles: [.tokenTable], int8), rule(elements: CountRange(minimum: 100_000), int8),
      ],
      faults: [
        "rule 1 (name 'nothing'): matches no weight of the model",
        "rule 2 (role bias): compresses weights of the role bias, which always stay uncompressed",
        "rule 4 (role token table): all it matches is taken by rules before it, such as 'words' "
          + "by rule 3",
        "tensor 'words': 30522 channels are no multiple of the group size 16; "
          + "use a group size of 6 or 5087, or per-tensor (rule 3 has no fallback that fits)",
        "tensor 'head': no rule matches it (role matrix, shape [4, 3])",
      ]),
    Case(
      name: "a model without weights",
      rules: [rule(int8), rule(roles: [.tokenTable], nil)], model: [],
      faults: [
        "rule 1 (any weight): matches no weight of the model",
        "rule 2 (role token table): matches no weight of the model",
      ]),
    Case(name: "no rules and no weights", rules: [], model: [], faults: []),
  ]

  @Test(arguments: cases)
  func saysEveryFaultAtOnce(_ item: Case) throws {
    let recipe = Recipe(name: "ours", rules: item.rules)
    let (assignments, faults) = recipe.assign(item.model)
    #expect(faults.map(\.description) == item.faults)
    #expect(assignments.map(\.reference) == item.model)
    let options = try CompressionOptions(recipe: recipe)
    guard !item.faults.isEmpty else {
      #expect(try options.assignments(of: item.model) == assignments)
      return
    }
    let error = #expect(throws: CompressionError.self) { try options.assignments(of: item.model) }
    #expect(error == .unfitRecipe("ours", faults))
    #expect(
      error?.description
        == item.faults.map { "recipe 'ours': \($0)" }.joined(separator: "\n"))
  }

  @Test func faultsKeepAnythingFromBeingRead() {
    var unread = MemoryWeights(tensors: [Self.query.name: ([384, 384], [])])
    unread.unreadable = [Self.query.name]
    let recipe = Recipe(rules: [Self.rule(names: ["*.key"], Self.int8)])
    let error = #expect(throws: CompressionError.self) {
      try WeightCompressor.compress(
        weights: [Self.query], from: unread, options: CompressionOptions(recipe: recipe), jobs: 1)
    }
    #expect(error == .unfitRecipe("custom", recipe.assign([Self.query]).faults))
  }

}
