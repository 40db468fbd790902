import Graph
import ModelFixtures
import StrictJSON
import Files
import TestSupport
import Testing
import Weights

@testable import Gate
@testable import Inputs

// Pairs that cross the threshold.
extension GateTests {
  @Test func aFlipFromALargeMarginIsRefused() throws {
    let baseline = try denseModel([[1, 0], [0, 1]]),
      candidate = try denseModel([[1, 0.1], [0, 1]])
    let set = try ModelFixtures.references([
      pairLine([1, 0], [0, 1], #", "expect": "mismatch""#), pairLine([1, 1], [1, 1.01]),
    ])
    let few = "the reference set has only 2 pairs; fewer than 8 say little"
    let loose = try Limits(profile: .lenient, overrides: ["similarityDriftMean": 0.06])
    let refused = try Self.judge(
      candidate, baseline, references: set, limits: loose, threshold: 0.08)
    #expect(
      refused.reasons == [
        "[1.0, 0.0] ↔ [0.0, 1.0] crosses the threshold 0.08: 0 → 0.1 (line 1, expected a "
          + "mismatch), from a margin of 0.08 where 0.06 is tolerated (lenient, overridden)",
        "[1.0, 0.0] ↔ [0.0, 1.0]: 0 → 0.1 (line 1)",
        "[0.0, 1.0]: cosine 0.995 to the baseline (line 1)",
        "swapping in 'w' alone moves [1.0, 0.0] ↔ [0.0, 1.0] 0 → 0.1, 100 % of the drift; "
          + "relative error 0.071; plain rounding",
      ])
    #expect(refused.metrics?.flips == 1)
    let tolerated = try Self.judge(
      candidate, baseline, references: set, limits: loose, threshold: 0.05)
    #expect(tolerated.reasons == [])
    #expect(
      tolerated.warnings == [few, "1 flip tolerated, the baseline's margin being 0.06 at most"])
    #expect(tolerated.receipt?.metrics.flips == 1)
    let none = try Self.judge(candidate, baseline, references: set, limits: loose)
    #expect(none.flips == [])
    #expect(
      none.warnings == [
        few, "1 pair has 'expect', but there is no threshold; nothing was expected",
      ])
  }

  @Test func aMarginEqualToTheLimitIsTolerated() throws {
    // Similarity 0 before; 0.125 is exact in binary.
    let baseline = try denseModel([[1, 0], [0, 1]])
    let candidate = try denseModel([[1, 0.2], [0, 1]])
    let set = try ModelFixtures.references([pairLine([1, 0], [0, 1])])
    func judge(_ drift: Double) throws -> [String] {
      let limits = try Limits(
        profile: .lenient,
        overrides: ["similarityDriftMean": drift, "similarityDriftMax": 2])
      return try Self.judge(
        candidate, baseline, references: set, limits: limits, threshold: 0.125
      ).reasons.filter { $0.contains("margin") }
    }
    #expect(try judge(0.125) == [])
    #expect(try judge((0.125).nextDown).count == 1)
  }

  @Test func expectationsThatTheBaselineMissesAreAWarning() throws {
    let set = try ModelFixtures.references([
      pairLine([1, 0, 0], [1, 0, 0.1], #", "expect": "mismatch""#),
      pairLine([1, 0, 0], [-1, 0, 0], #", "expect": "mismatch""#),
    ])
    let verdict = try Self.judge(
      try denseModel(Self.weight, digest: "other"), references: set, threshold: 0.5)
    #expect(
      verdict.warnings.last
        == "the baseline itself misses 1 of 2 expectations at the threshold 0.5")
  }

  @Test func manyFlipsAreCounted() throws {
    var generator = SeededGenerator(seed: 12)
    let set = try ModelFixtures.references(
      (0..<40).map { _ in
        let row = generator.matrix(1, 2)[0]
        return pairLine(row, [row[0] + 0.01, row[1]])
      })
    let verdict = try Self.judge(
      try denseModel([[100, 0], [0, 0.001]]), try denseModel([[1, 0], [0, 1]]), references: set,
      threshold: 0.9999999)
    #expect(verdict.metrics?.flips == verdict.flips.count)
    #expect(verdict.flips.count > 6)
  }

}
