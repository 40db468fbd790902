import Graph
import Testing
import Weights

@testable import WeightCompression

struct BuiltInRecipeTests {
  struct Case: CustomTestStringConvertible {
    let recipe: BuiltInRecipe
    /// Of a matrix of 384 rows, one of 30522 (2 · 3 · 5087), one of 9973 (a prime), one of few
    /// elements, and a token table of 30522 rows.
    let labels: [String]
    var testDescription: String { recipe.rawValue }
  }

  static let weights = [
    WeightReference("a", [384, 384], role: .matrix(outputAxis: 0)),
    WeightReference("b", [30522, 384], role: .matrix(outputAxis: 0)),
    WeightReference("c", [4, 9973], role: .matrix(outputAxis: 1)),
    WeightReference("d", [64, 31], role: .matrix(outputAxis: 0)),
    WeightReference("e", [30522, 384], role: .tokenTable),
    WeightReference("f", [512, 384], role: .positionTable),
    WeightReference("g", [384], role: .bias),
    WeightReference("h", [384], role: .norm),
    WeightReference("i", [3], role: .statistic),
  ]

  static func palettes(_ bits: Int) -> [String] {
    let label = "palette \(bits) bits"
    return [
      "\(label) in groups of 16", "\(label) in groups of 6", "\(label) per tensor", "uncompressed",
    ]
  }

  static let cases = [
    Case(recipe: .int8, labels: Array(repeating: "int8 per channel", count: 5)),
    Case(recipe: .balanced, labels: palettes(6) + ["int8 per channel"]),
    Case(recipe: .small, labels: palettes(4) + ["palette 4 bits in groups of 6"]),
    Case(recipe: .tiny, labels: palettes(3) + ["palette 3 bits in groups of 6"]),
  ]

  @Test func allAreTested() {
    #expect(Self.cases.map(\.recipe) == BuiltInRecipe.allCases)
  }

  @Test(arguments: cases)
  func fitsAnyEncoder(_ item: Case) throws {
    let recipe = item.recipe.recipe
    #expect(recipe.name == item.recipe.rawValue)
    let (assignments, faults) = recipe.assign(Self.weights)
    #expect(faults.isEmpty)
    let uncompressed = Array(repeating: "uncompressed", count: 4)
    #expect(assignments.map { $0.scheme.label } == item.labels + uncompressed)
    // None of its rules needs to have something to do.
    for weight in Self.weights { #expect(recipe.assign([weight]).faults.isEmpty) }
    #expect(recipe.assign([]).faults.isEmpty)
    _ = try CompressionOptions(recipe: recipe)
  }

  @Test func noTwoAreAlike() {
    #expect(Set(BuiltInRecipe.allCases.map(\.recipe.digest)).count == 4)
    #expect(Set(BuiltInRecipe.allCases.map(\.summary)).count == 4)
  }

  /// A rule that is never reached, or a choice behind one that always fits, says nothing.
  @Test func nothingInThemIsDead() {
    for recipe in BuiltInRecipe.allCases.map(\.recipe) {
      for rule in recipe.rules {
        let ends = rule.choices.firstIndex { $0?.fitsEveryWeight ?? true }
        #expect(ends == rule.choices.count - 1)
        #expect(Set(rule.choices).count == rule.choices.count)
      }
    }
  }
}
