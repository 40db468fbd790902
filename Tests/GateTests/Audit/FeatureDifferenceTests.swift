import IngotFeatures
import Testing

@testable import Gate

/// What differs between features of the same names is said, not the names again.
struct FeatureDifferenceTests {
  private static func words(_ old: Feature, _ new: Feature) throws -> [String] {
    let same = Feature("flag", .boolean)
    let difference = FeatureDifference(
      try FeatureSchema([same, old]), try FeatureSchema([same, new]))
    return difference.map { [$0.what, $0.baseline, $0.candidate] } ?? []
  }

  private static func city(
    _ names: [String] = ["oslo", "kyiv"], _ unknown: CategoryList.Unknown = .code(2)
  ) -> Feature {
    Feature("city", .category(CategoryList(names, unknown: unknown, encoding: .oneHot)))
  }

  @Test func theFirstPartThatDiffersIsNamed() throws {
    #expect(
      try Self.words(Feature("age"), Feature("age", .boolean))
        == ["kind of 'age'", "a number", "a truth value"])
    #expect(
      try Self.words(Feature("age", missing: .replaced(by: 3)), Feature("age", missing: .taken))
        == ["rule for missing values of 'age'", "to count as 3", "'taken'"])
    #expect(
      try Self.words(Self.city(), Self.city(["oslo", "Kyiv"]))
        == ["category 1 of 'city'", "'kyiv'", "'Kyiv'"])
    #expect(
      try Self.words(Self.city(), Self.city(["oslo"]))
        == ["number of categories of 'city'", "2", "1"])
    #expect(
      try Self.words(Self.city(), Self.city(["oslo", "kyiv"], .refused))
        == ["rule for unknown categories of 'city'", "the code 2", "'refused'"])
  }

  @Test func otherNamesAreSaidAsTheyAre() throws {
    #expect(try Self.words(Feature("age"), Feature("years")).isEmpty)
    #expect(try Self.words(Feature("age"), Feature("age")).isEmpty)
  }
}
