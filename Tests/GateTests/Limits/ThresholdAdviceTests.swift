import ModelFixtures
import TestSupport
import Testing

@testable import Gate
@testable import Inputs

struct ThresholdAdviceTests {
  private func fit(
    _ pairs: [(Double, ReferenceSet.Expectation)], at threshold: Double
  ) -> ThresholdFit {
    ThresholdFit(
      pairs.enumerated().map { index, pair in
        ThresholdFit.Expected(line: index + 1, similarity: pair.0, expectation: pair.1)
      }, threshold: threshold)
  }

  @Test func theBestThresholdIsTheMiddleOfTheWidestGap() throws {
    let pairs: [(Double, ReferenceSet.Expectation)] = [
      (0.9, .match), (0.8, .match), (0.3, .mismatch), (0.2, .mismatch),
    ]
    let fit = fit(pairs, at: 0.85)
    #expect(fit.misses.map(\.line) == [2])
    let best = try #require(fit.best)
    #expect((best.threshold - 0.55).magnitude < 1e-12)
    #expect(best.misses == 0)
  }

  @Test func noThresholdIsWithoutMisses() {
    let fit = fit([(0.9, .mismatch), (0.8, .match), (0.2, .mismatch), (0.1, .match)], at: 0.85)
    #expect(fit.misses.map(\.line) == [1, 2, 4])
    // Above all of them, or between the second and the third, two are missed; so is it at the bottom.
    #expect(fit.best?.misses == 2)
  }

  @Test func theBestIsBelowOrAboveWhereAllButOneAreOfOneKind() {
    let matches = fit([(0.4, .mismatch), (0.5, .match), (0.9, .match)], at: 0.6)
    #expect(matches.best?.misses == 0)
    #expect((matches.best.map(\.threshold) ?? 1) < 0.5)
    let mismatches = fit([(0.5, .mismatch), (0.7, .mismatch), (0.9, .match)], at: 0.6)
    #expect(mismatches.best?.misses == 0)
    #expect((mismatches.best.map(\.threshold) ?? 0) > 0.7)
    let equal = fit([(0.5, .match), (0.5, .mismatch)], at: 0.5)
    #expect(equal.best?.misses == 1)
  }

  /// Any threshold below all matches is as good as another: none is advised.
  @Test(arguments: [
    (ReferenceSet.Expectation.match, 0.95, "match", "mismatch"),
    (.mismatch, -0.5, "mismatch", "match"),
  ])
  func expectationsOfOneKindAdviseNoThreshold(
    _ kind: ReferenceSet.Expectation, _ threshold: Double, _ own: String, _ other: String
  ) {
    let fit = fit([(0.5, kind), (0.7, kind)], at: threshold)
    #expect(fit.best == nil)
    #expect(fit.misses.count == 2)
    #expect(
      ThresholdAdvice.misses(fit).details.last
        == "every 'expect' is '\(own)'; which threshold fits best can be told where some pairs are "
        + "'\(other)'")
  }

  @Test func upToTenLinesAreListed() {
    let pairs =
      (0..<12).map { (Double($0) / 100, ReferenceSet.Expectation.match) } + [(-0.5, .mismatch)]
    let details = ThresholdAdvice.misses(fit(pairs, at: 0.5)).details
    #expect(details.count == 12)
    #expect(details[0] == "line 1 expects a match, its similarity is 0")
    #expect(details[10] == "2 more")
    #expect(details[11] == "the threshold that fits best is -0.25: 0 of 13 expectations missed")
  }

  @Test func theGateSaysItInWarnings() throws {
    let lines = [pairLine([1, 0], [1, 0.1], #", "expect": "mismatch""#)] + SeededPairs.lines
    let set = try references(lines)
    func judge(_ threshold: Double?) throws -> Verdict {
      let model = try denseModel([[1, 0], [0, 1]])
      return try Gate(on: set, Limits(), threshold: threshold, jobs: 1).judge(
        [model], against: [model])
    }
    let missing = try judge(nil)
    #expect(missing.thresholdAdvice == .missing(expectations: 1))
    #expect(
      missing.warnings.contains(
        "1 pair has 'expect', but there is no threshold; nothing was expected"))
    let missed = try judge(0.5)
    #expect(
      missed.warnings.contains(
        "the baseline itself misses 1 of 1 expectations at the threshold 0.5"))
    #expect(missed.isPassed)
    #expect(try judge(0.999).thresholdAdvice == nil)
  }

  private enum SeededPairs {
    static let lines: [String] = {
      var generator = SeededGenerator(seed: 3)
      return generator.pairs(8, width: 2)
    }()
  }
}
