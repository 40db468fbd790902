import Formats
import Gate
import Graph
import Inputs
import ModelFixtures
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Explanation

/// Ways to store a table better that is stored in two parts.
struct SplitTableLadderTests {
  private static let table: TensorName = "embeddings.word_embeddings.weight"
  private static let split = SplitScheme(
    rows: 8, first: .palette(bits: 4, .perTensor), rest: .palette(bits: 2, .perTensor))

  private func ladder(_ folder: TemporaryFolder) throws -> RepairLadder {
    let trained = try TinyBert.model()
    let recipe = Recipe(
      rules: [RecipeRule(RecipeRule.Match(roles: [.tokenTable]), .split(Self.split))],
      keepsOthers: true)
    let candidate = try MendSearchTests.compressed(
      trained, try CompressionOptions(recipe: recipe), in: folder)
    let gate = Gate(
      on: try TinyBert.references(), try Limits(profile: .strict), threshold: nil, jobs: 1)
    return RepairLadder(try MendBench(of: gate, [candidate], against: [trained]), jobs: 1)
  }

  /// The others as well as the first rows, then all of them better.
  @Test func allRowsAreStoredInOneScheme() throws {
    let folder = try TemporaryFolder()
    let repairs = try ladder(folder).repairs(ofRounded: [MendBench.Place(Self.table, of: nil)])[0]
    #expect(
      repairs.map(\.way) == [
        .scheme(.palette(bits: 4, .perTensor)), .scheme(.int8(.perChannel)),
        .scheme(.palette(bits: 6, .perTensor)), .kept,
      ])
    // Of two parts: 32 and 24 bytes of indices, 16 and 4 entries of 4 bytes.
    let before = 32 + 24 + 4 * (16 + 4)
    #expect(
      repairs.map(\.extraBytes)
        == [80 + 4 * 16, 160 + 4 * 20, 120 + 4 * 64, 4 * 160].map { $0 - before })
  }

  /// A recipe that changes nothing, and one that gives all rows one scheme.
  @Test func aRecipeKeepsTheParts() throws {
    let folder = try TemporaryFolder()
    let ladder = try ladder(folder)
    let table = WeightReference(Self.table, [20, 8], role: .tokenTable)
    #expect(try ladder.recipe(with: [])?.scheme(of: table) == .split(Self.split))
    let repairs = try ladder.repairs(ofRounded: [MendBench.Place(Self.table, of: nil)])[0]
    #expect(
      try ladder.recipe(with: [repairs[0]])?.scheme(of: table) == .palette(bits: 4, .perTensor))
    // A file of a recipe has a rule, where it keeps everything too.
    let kept = try #require(try ladder.recipe(with: [repairs[3]]))
    #expect(kept.scheme(of: table) == nil)
    #expect(kept.yaml.contains("rules:\n  - match: {}\n    use: keep\n"), "\(kept.yaml)")
  }
}
