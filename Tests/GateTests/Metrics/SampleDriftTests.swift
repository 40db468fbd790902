import Graph
import Testing

@testable import Gate
@testable import Inputs

struct SampleDriftTests {
  private func matrix(_ rows: [[Float]]) -> OutputMatrix {
    OutputMatrix(rowCount: rows.count, width: rows[0].count, values: rows.flatMap { $0 })
  }

  @Test func probabilitiesAreComparedAsTheyAre() {
    let drift = SampleDrift(
      baseline: matrix([[0.25, 0.75], [1, 0]]), candidate: matrix([[0.5, 0.5], [1, 0]]),
      unit: .absolute)
    #expect(drift.spread == .init(mean: 0.125, max: 0.25))
    #expect(drift.changes == [0.25, 0])
  }

  @Test func numbersAreRelativeToTheRangeOfTheirColumn() {
    let drift = SampleDrift(
      baseline: matrix([[0, 100], [10, 100], [5, 300]]),
      candidate: matrix([[1, 100], [10, 110], [5, 300]]), unit: .ownRange)
    #expect(drift.spread.max == 0.1)
    #expect((drift.spread.mean - (0.1 + 0.05) / 6).magnitude < 1e-15)
  }

  @Test func theOutputWhoseRanksChangeMostIsReported() throws {
    let baseline = matrix([[0, 3], [1, 1], [1, 2], [2, 0], [4, 5]])
    let candidate = matrix([[0.1, 3], [0.3, 1], [0.2, 2], [0.3, 0.5], [0.25, 6]])
    let drift = SampleDrift(baseline: baseline, candidate: candidate, unit: .absolute)
    // scipy.stats.spearmanr([0, 1, 1, 2, 4], [0.1, 0.3, 0.2, 0.3, 0.25]); the other output keeps its ranks.
    #expect((try #require(drift.rankCorrelation) - 0.5526315789473686).magnitude < 1e-12)
    let same = SampleDrift(baseline: baseline, candidate: baseline, unit: .absolute)
    #expect(same.rankCorrelation == 1)
    let flat = SampleDrift(
      baseline: matrix([[1], [1]]), candidate: matrix([[1], [2]]), unit: .absolute)
    #expect(flat.rankCorrelation == nil)
  }

  @Test func numbersWithoutARangeAreRelativeToThemselves() {
    let drift = SampleDrift(
      baseline: matrix([[50], [50]]), candidate: matrix([[55], [50]]), unit: .ownRange)
    #expect(drift.spread == .init(mean: 0.05, max: 0.1))
    let zero = SampleDrift(baseline: matrix([[0]]), candidate: matrix([[1]]), unit: .ownRange)
    #expect(zero.spread == .init(mean: 1e12, max: 1e12))
    let same = SampleDrift(baseline: matrix([[0]]), candidate: matrix([[0]]), unit: .ownRange)
    #expect(same.spread == .init(mean: 0, max: 0))
  }

  @Test func oneExtremeInputDoesNotHideADrift() {
    var baseline = (0..<96).map { [Float($0)] }
    let candidate = baseline.map { [$0[0] + 400] }
    baseline.append([1e9])
    let drift = SampleDrift(
      baseline: matrix(baseline), candidate: matrix(candidate + [[1e9]]), unit: .ownRange)
    // Percentiles 9.6 and 86.4 are 76.8 apart, four times that is 307.2.
    #expect((drift.spread.max - 400 / 307.2).magnitude < 1e-6)
  }

  @Test func scoresAreRelativeToTheWidestRange() {
    // The second column hardly changes; in its own range the same drift would be all of it.
    let baseline = matrix([[0, 50], [100, 50.1]]), candidate = matrix([[1, 51], [100, 50.1]])
    let drift = SampleDrift(baseline: baseline, candidate: candidate, unit: .widestRange)
    #expect(drift.spread == .init(mean: 0.005, max: 0.01))
    #expect(
      DriftUnit(.classes(labels: ["a", "b"], width: 2, scale: .scores)).sizes(of: baseline) == [
        100, 100,
      ])
    #expect(DriftUnit(.classes(labels: ["a", "b"], width: 2)).sizes(of: baseline) == [1, 1])
    #expect(DriftUnit(nil).sizes(of: baseline)[0] == 100)
  }

  @Test func decisionsAndTheirMargins() {
    #expect(Decision([0.5], threshold: 0.5) == Decision([0.75], threshold: 0.75))
    #expect(Decision([0.5], threshold: 0.5).label == 1)
    #expect(Decision([0.25], threshold: 0.5).label == 0)
    #expect(Decision([0.25], threshold: 0.5).margin == 0.25)
    #expect(Decision([0.25, 0.75], threshold: 0).label == 1)
    #expect(Decision([0.25, 0.75], threshold: 0).margin == 0.25)
    #expect(Decision([0.25, 0.25, 0.25], threshold: 0).label == 0)
    #expect(Decision([0.5, 0.125, 0.375], threshold: 0).margin == 0.0625)
  }
}
