import Testing
import Trees

@testable import Gate

/// Thresholds of merged trees in the places of the baseline's, where both have them in another width.
struct PairedThresholdTests {
  private static func stump(_ threshold: Double) throws -> TreeEnsemble {
    var builder = try TreeEnsembleBuilder(
      path: "t", featureCount: 1, base: [0],
      precision: .init(roundsFeatures: false, addsFloats: false), transform: .identity)
    try builder.add(
      TreeNodes([
        .branch(feature: 0, threshold: threshold, rule: [], left: 1, right: 2), .leaf([1]),
        .leaf([2]),
      ]))
    return try builder.finish()
  }

  private static func floats(_ own: Double, _ count: Int, _ other: Double, _ others: Int) throws
    -> [Float]
  {
    let (own, other) = (try stump(own), try stump(other))
    let pairing = try #require(TreePairing(own, other))
    func numbers(_ trees: TreeEnsemble, _ count: Int) -> [Float] {
      trees.values(of: .thresholds).prefix(count).map { Float($0) }
    }
    return pairing.floats(
      of: .thresholds, ours: numbers(own, count), theirs: numbers(other, others))
  }

  /// Of fewer numbers the others are 0.
  @Test func fewerNumbersAreAllThereIs() throws {
    #expect(try Self.floats(2, 3, 2, 1) == [2, 0, 0])
    #expect(try Self.floats(0.1, 3, 0.1, 1) == [0.1, 0, 0])
    let all = try Self.stump(0.1).values(of: .thresholds).map { Float($0) }
    #expect(all[1] != 0)
    #expect(try Self.floats(0.1, 3, 0.1, 3) == all)
  }

  /// What the baseline's numbers do not hold is not lost: it would be another threshold, that looks the same.
  @Test func moreNumbersAreNotTheSame() throws {
    #expect(try Self.floats(2, 1, 2, 3) == [2])
    #expect(try Self.floats(2, 1, 2 - 1e-9, 3) == [Float(2).nextDown])
    #expect(try Self.floats(2, 1, 2 + 1e-9, 3) == [Float(2).nextUp])
    #expect(try Self.floats(2, 1, 2 - 1e-9, 1) == [2])
  }
}
