import Graph
import Testing
import WeightCompression
import Weights

/// Rules for the thresholds of trees, which name their role.
struct ThresholdRuleTests {
  private static let leaves = WeightReference(
    "trees.leaves", [1, 40], role: .matrix(outputAxis: 0))
  private static let thresholds = WeightReference("trees.thresholds", [39], role: .threshold)

  private static func assigned(_ rules: [RecipeRule], keepsOthers: Bool = false)
    -> (schemes: [Scheme?], faults: [String])
  {
    let (assignments, faults) = Recipe(rules: rules, keepsOthers: keepsOthers)
      .assign([leaves, thresholds])
    return (assignments.map(\.scheme), faults.map(\.description))
  }

  @Test func rulesForAllAreNotForThem() throws {
    let all = RecipeRule(.init(), .int8(.perChannel))
    #expect(Self.assigned([all]).schemes == [.int8(.perChannel), nil])
    #expect(Self.assigned([all]).faults.isEmpty)
    let named = RecipeRule(.init(names: [NameGlob("*.thresholds")]), .narrow(.float16))
    #expect(Self.assigned([all, named]).schemes == [.int8(.perChannel), nil])
    #expect(Self.assigned([all, named]).faults.count == 1)
    let options = try CompressionOptions(scheme: .int8(.perChannel))
    #expect(options.scheme(of: Self.thresholds) == nil)
  }

  @Test(
    arguments: [
      .narrow(.float16), .int8(.perTensor), .int8(.perChannel), .palette(bits: 8, .perTensor),
      .palette(bits: 1, .perTensor),
    ] as [Scheme])
  func aRuleThatNamesTheirRoleDecides(_ scheme: Scheme) {
    let rules = [
      RecipeRule(.init(roles: [.threshold]), scheme), RecipeRule(.init(), nil),
    ]
    #expect(Self.assigned(rules).schemes == [nil, scheme])
    #expect(Self.assigned(rules).faults.isEmpty)
  }

  @Test(
    arguments: [
      .unique, .palette(bits: 4, .perGroup(size: 3)),
      .palette(PaletteScheme(bits: 4, granularity: .perTensor, width: 2)),
      .linear(LinearScheme(.uint4, granularity: .perTensor)),
      .linear(LinearScheme(.int8, mode: .asymmetric, granularity: .perTensor)),
    ] as [Scheme])
  func otherSchemesAreNotForThem(_ scheme: Scheme) throws {
    let rules = [
      RecipeRule(.init(roles: [.threshold]), scheme), RecipeRule(.init(), nil),
    ]
    let (_, faults) = Self.assigned(rules)
    #expect(faults.count == 1)
    let fault = try #require(faults.first)
    #expect(fault.contains("holds thresholds of trees, which this scheme is not for"))
    let mended = [
      RecipeRule(.init(roles: [.threshold]), scheme, fallbacks: [.narrow(.float16)]),
      RecipeRule(.init(), nil),
    ]
    #expect(Self.assigned(mended).schemes == [nil, .narrow(.float16)])
  }

  @Test func theyNeedNoRule() {
    let leaves = RecipeRule(.init(roles: [.matrix]), nil)
    #expect(Self.assigned([leaves]).faults.isEmpty)
  }
}
