import Testing

@testable import Gate

struct StatisticsTests {
  @Test func percentilesInterpolateAsNumpyDoes() {
    #expect(Statistics.percentile([3, 1, 2], 0.5) == 2)
    #expect(Statistics.percentile([1, 2], 0.01) == 1.01)
    #expect(Statistics.percentile([5], 0.01) == 5)
    #expect(Statistics.percentile((0...100).map(Double.init), 0.01) == 1)
  }

  @Test func extremesOfValuesThatAreNoNumbersAreNoNumbers() {
    for values in [[.nan, 1, 2], [1, .nan, 2], [1, 2, .nan]] as [[Double]] {
      #expect(Statistics.max(values).isNaN)
      #expect(Statistics.min(values).isNaN)
      #expect(Statistics.mean(values).isNaN)
      #expect(Statistics.percentile(values, 0.01).isNaN)
    }
    #expect(Statistics.max([-2, -1]) == -1)
    #expect(Statistics.min([2, 1]) == 1)
  }

  @Test func tiesShareTheirMeanRank() {
    #expect(Statistics.ranks([10, 20, 10, 30]) == [1.5, 3, 1.5, 4])
    #expect(Statistics.ranks([1, 1, 1]) == [2, 2, 2])
    #expect(Statistics.ranks([]) == [])
  }

  @Test func spearmanOfKnownValues() throws {
    #expect(Statistics.spearman([1, 2, 3], [10, 20, 15]) == 0.5)
    #expect(Statistics.spearman([1, 2, 3], [1, 4, 9]) == 1)
    #expect(Statistics.spearman([1, 2, 3], [9, 4, 1]) == -1)
    // scipy.stats.spearmanr([1, 2, 2, 4], [3, 1, 4, 4])
    let tied = try #require(Statistics.spearman([1, 2, 2, 4], [3, 1, 4, 4]))
    #expect((tied - 0.5).magnitude < 1e-12)
  }

  @Test func spearmanOfNothingToRankIsNil() {
    #expect(Statistics.spearman([], []) == nil)
    #expect(Statistics.spearman([1], [2]) == nil)
    #expect(Statistics.spearman([1, 1], [1, 2]) == nil)
    #expect(Statistics.spearman([1, 2], [5, 5]) == nil)
  }
}
