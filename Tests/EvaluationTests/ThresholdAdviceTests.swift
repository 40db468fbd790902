import Testing

@testable import Evaluation

struct ThresholdAdviceTests {
  private func fit(
    _ pairs: [(Double, ReferenceSet.Expectation)], at threshold: Double
  ) -> ThresholdFit {
    ThresholdFit(
      pairs.enumerated().map { index, pair in
        ThresholdFit.Expected(line: index + 1, similarity: pair.0, expectation: pair.1)
      }, threshold: threshold)
  }

  @Test func theBestThresholdIsTheMiddleOfTheWidestGap() {
    let pairs: [(Double, ReferenceSet.Expectation)] = [
      (0.9, .match), (0.8, .match), (0.3, .mismatch), (0.2, .mismatch),
    ]
    let fit = fit(pairs, at: 0.85)
    #expect(fit.misses.map(\.line) == [2])
    #expect((fit.best.threshold - 0.55).magnitude < 1e-12)
    #expect(fit.best.misses == 0)
  }

  @Test func noThresholdIsWithoutMisses() {
    let fit = fit([(0.9, .mismatch), (0.8, .match), (0.2, .mismatch), (0.1, .match)], at: 0.85)
    #expect(fit.misses.map(\.line) == [1, 2, 4])
    // Above all of them, or between the second and the third, two are missed; so is it at the bottom.
    #expect(fit.best.misses == 2)
  }

  @Test func allOfOneKindFitBelowOrAbove() {
    let matches = fit([(0.5, .match), (0.7, .match)], at: 0.6)
    #expect(matches.best.misses == 0)
    #expect(matches.best.threshold < 0.5)
    let mismatches = fit([(0.5, .mismatch), (0.7, .mismatch)], at: 0.6)
    #expect(mismatches.best.misses == 0)
    #expect(mismatches.best.threshold > 0.7)
    let equal = fit([(0.5, .match), (0.5, .mismatch)], at: 0.5)
    #expect(equal.best.misses == 1)
  }

  @Test func upToTenLinesAreListed() {
    let pairs = (0..<12).map { (Double($0) / 100, ReferenceSet.Expectation.match) }
    let details = ThresholdAdvice.misses(fit(pairs, at: 0.5)).details
    #expect(details.count == 12)
    #expect(details[0] == "line 1 expects a match, its similarity is 0")
    #expect(details[10] == "2 more")
    #expect(details[11] == "the threshold that fits best is -0.5: 0 of 12 expectations missed")
  }

  @Test func theGateSaysItInWarnings() throws {
    let lines = [pairLine([1, 0], [1, 0.1], #", "expect": "mismatch""#)] + SeededPairs.lines
    let set = try references(lines)
    func judge(_ threshold: Double?) throws -> Judgement {
      let model = try denseModel([[1, 0], [0, 1]])
      return try Gate.judge(
        baseline: model, candidate: model, references: set, limits: try Limits(),
        threshold: threshold, jobs: 1)
    }
    let missing = try judge(nil)
    #expect(missing.thresholdAdvice == .missing(expectations: 1))
    #expect(
      missing.warnings.contains(
        "'expect' stands on 1 pair, but there is no threshold; nothing was expected"))
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
