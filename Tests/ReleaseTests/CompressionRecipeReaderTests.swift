import Graph
import Packaging
import ProjectFixtures
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Project

/// Files of compression recipes.
@Suite struct CompressionRecipeReaderTests {
  static let sound = """
    ingot-recipe: 1
    name: ours
    rules:
      - match: {name: ["*.query.weight", "*.key.weight"], role: matrix, shape: ["*", 384]}
        use: {scheme: palettize, bits: 4, granularity: per-group}
        fallback:
          - {scheme: palettize, bits: 4, granularity: per-group, groupSize: 4}
          - {scheme: int8}
      - match: {role: token-table, elements: ">= 2048"}
        use: {scheme: int4, groupSize: 64}
        fallback: [keep]
        optional: true
      - match: {}
        use: keep

    """

  /// The recipes that the README measures.
  @Test(arguments: ["blocks", "palettes"])
  func examplesAreSound(_ name: String) throws {
    let recipe = try CompressionRecipes.recipe(
      "\(Program.repository)/specs/examples/recipes/\(name).yaml")
    #expect(recipe.name == name)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    let faults: [String]
    var testDescription: String { name }

    init(_ name: String, text: String, _ faults: String...) {
      self.init(name, text: text, faults: faults)
    }

    init(_ name: String, text: String, faults: [String]) {
      self.name = name
      self.text = text
      self.faults = faults
    }

    /// The sound recipe with some text replaced.
    init(_ name: String, _ old: String, _ new: String, _ faults: String...) {
      let sound = CompressionRecipeReaderTests.sound
      let range = sound.firstRange(of: old)
      self.name = name
      text = range.map { sound[..<$0.lowerBound] + new + sound[$0.upperBound...] } ?? ""
      self.faults = faults
    }
  }

  @Test(arguments: texts + recipes + splits)
  func findsEveryFault(_ item: Case) throws {
    #expect(!item.text.isEmpty || item.name == "empty")
    let scratch = try TemporaryFolder()
    let path = try scratch.write("ours.yaml", item.text)
    let log = ContractSection.Log()
    let recipe = CompressionRecipeReader(log: log).read(path)
    log.faults.sort(first: path)
    #expect(lines(log.faults) == item.faults)
    #expect((recipe == nil) == !item.faults.isEmpty)
    #expect(log.faults.faults.allSatisfy { $0.place.file == path })
  }

  @Test func thereAreCases() {
    let all = Self.texts + Self.recipes + Self.splits
    #expect(all.count >= 65)
    #expect(Set(all.map(\.name)).count == all.count)
    #expect(Self.splits.allSatisfy { $0.text != Self.sound })
  }

  @Test func readsWhatIsWritten() throws {
    let scratch = try TemporaryFolder()
    let recipe = try CompressionRecipes.recipe(try scratch.write("ours.yaml", Self.sound))
    #expect(
      recipe
        == Recipe(
          name: "ours",
          rules: [
            RecipeRule(
              RecipeRule.Match(
                names: [NameGlob("*.query.weight"), NameGlob("*.key.weight")], roles: [.matrix],
                shape: [.any, CountRange(384)]),
              .palette(bits: 4, .perGroup(size: 16)),
              fallbacks: [.palette(bits: 4, .perGroup(size: 4)), .int8(.perChannel)]),
            RecipeRule(
              RecipeRule.Match(roles: [.tokenTable], elements: CountRange(minimum: 2048)),
              .linear(
                LinearScheme(.int4, granularity: .perBlock(size: 64), range: .leastSquares)),
              fallbacks: [nil], isOptional: true),
            RecipeRule(RecipeRule.Match(), nil),
          ]))
    let weight = WeightReference("a.key.weight", [12, 384], role: .matrix(outputAxis: 0))
    #expect(recipe.scheme(of: weight) == .palette(bits: 4, .perGroup(size: 4)))
  }

  /// What a search or a mend writes reads as the same recipe.
  @Test func readsAgainWhatItWrites() throws {
    let scratch = try TemporaryFolder()
    let schemes: [Scheme?] = [
      nil, .int8(.perTensor), .unique, .palette(bits: 6, .perGroup(size: 8)),
      .linear(LinearScheme(.uint4, mode: .asymmetric, granularity: .perChannel)),
      .split(
        SplitScheme(
          rows: 4000, first: .palette(bits: 6, .perGroup(size: 8)),
          rest: .palette(
            PaletteScheme(
              bits: 3, granularity: .perGroup(size: 16), width: 2, entries: .int8)))),
      .split(
        SplitScheme(
          rows: 8, first: .int8(.perChannel),
          rest: .linear(
            LinearScheme(.int4, granularity: .perBlock(size: 64), range: .leastSquares)))),
    ]
    for keepsOthers in [false, true] {
      let recipe = Recipe(
        name: "ours",
        rules: schemes.enumerated().map { index, scheme in
          RecipeRule(
            RecipeRule.Match(names: [NameGlob("w\(index)")]), scheme, isOptional: index == 1)
        }, keepsOthers: keepsOthers)
      let read = try CompressionRecipes.recipe(try scratch.write("ours.yaml", recipe.yaml))
      #expect(read == recipe)
      #expect(read.digest == recipe.digest)
    }
  }

  /// The words make a recipe, not the file's name, its comments or its layout.
  @Test func identityIsInTheRules() throws {
    let scratch = try TemporaryFolder()
    let first = try scratch.write("a.yaml", Self.sound)
    let second = try scratch.write(
      "folder/b.yaml",
      "# The same.\n" + Self.sound.replacing("role: matrix", with: "role: [matrix]"))
    #expect(try CompressionRecipes.recipe(first) == CompressionRecipes.recipe(second))
  }

  @Test func builtInRecipesGoByTheirNames() throws {
    for builtIn in BuiltInRecipe.allCases {
      #expect(try CompressionRecipes.recipe(builtIn.rawValue) == builtIn.recipe)
      #expect(!CompressionRecipes.isPath(builtIn.rawValue))
    }
    for path in ["./small", "small.yaml", "a/small", "/small"] {
      #expect(CompressionRecipes.isPath(path))
    }
  }

  /// Whatever the current folder holds.
  @Test func namesAndFilesThatAreNotThere() throws {
    #expect(
      message { _ = try CompressionRecipes.recipe("smal") }
        == "smal:1:1: no recipe is called 'smal'")
    let scratch = try TemporaryFolder()
    try scratch.write("recipes/ours.yaml", Self.sound)
    let path = scratch.path("recipes/our.yaml")
    do {
      _ = try CompressionRecipes.recipe(path)
      Issue.record("there is no such file")
    } catch {
      #expect(
        lines(error) == ["1:1: the recipe '\(path)' is not there [did you mean 'ours.yaml'?]"])
      #expect(error.faults.map(\.rule) == [.missingRecipe])
    }
    #expect(
      message { _ = try CompressionRecipes.recipe(scratch.path("recipes")) }?
        .contains("expected a regular file") == true)
  }
}
