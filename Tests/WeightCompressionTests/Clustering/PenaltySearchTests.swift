import TestSupport
import Testing

@testable import WeightCompression

struct PenaltySearchTests {
  @Test(arguments: Samples.allCases)
  func findsEveryNumberOfClusters(_ samples: Samples) {
    var random = SeededGenerator(seed: 41)
    let sorted = SortedValues(sorting: samples.values(50, &random))
    let starts = ScalarClustering.distinctStarts(sorted, limit: 50)
    let places = (starts + [50]).map { sorted.moments(before: $0) }
    let all = sorted.moments(before: 50).cost(since: sorted.moments(before: 0))
    for parts in stride(from: 2, to: starts.count, by: 1) {
      for guess in [all, all / 1000, 1e-200] {
        let search = PenaltySearch(CutGraph(positions: places), parts: parts, guess: guess)
        #expect(search.path.count == parts + 1)
        let cuts = search.path.dropFirst().dropLast().map { starts[$0] }
        let cost = CutDescent.cost(sorted, Array(cuts))
        let minimum = referenceCost(sorted, parts: parts)
        #expect(cost <= minimum * (1 + 1e-12) + all * 1e-13, "\(samples) \(parts)")
      }
    }
  }

  @Test func splicesPathsOfMoreAndOfFewerClusters() {
    let many = [0, 2, 4, 6, 8, 10, 12]
    let few = [0, 5, 12]
    for parts in 2...6 {
      let path = PenaltySearch.splice(many, few, parts: parts)
      #expect(path.count == parts + 1)
      #expect(path.first == 0 && path.last == 12)
      #expect(zip(path, path.dropFirst()).allSatisfy { $0 < $1 })
    }
  }
}
