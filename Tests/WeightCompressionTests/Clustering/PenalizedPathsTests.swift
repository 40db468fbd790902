import TestSupport
import Testing

@testable import WeightCompression

struct PenalizedPathsTests {
  /// Cheapest costs by trying every last step.
  private func costs(_ graph: CutGraph, _ penalty: Double) -> [Double] {
    var costs = [0.0]
    for node in 1..<graph.count {
      var best = Double.infinity
      for source in 0..<node {
        let isSameCell = graph.places[source] == graph.places[node]
        let step = isSameCell ? 0 : graph.entering[node].cost(since: graph.leaving[source])
        best = min(best, costs[source] + step + penalty)
      }
      costs.append(best)
    }
    return costs
  }

  private func places(
    _ sorted: SortedValues, _ random: inout SeededGenerator
  ) -> [ClosedRange<Int>] {
    var cells: [ClosedRange<Int>] = []
    var start = 1
    while start < sorted.count {
      let end = min(sorted.count, start + Int.random(in: 1...6, using: &random))
      if Bool.random(using: &random) || Bool.random(using: &random) {
        cells.append(start...end - 1)
      }
      start = end
    }
    return cells
  }

  @Test(arguments: Samples.allCases)
  func areTheCheapest(_ samples: Samples) {
    var random = SeededGenerator(seed: 31)
    for _ in 0..<40 {
      let sorted = SortedValues(sorting: samples.values(60, &random))
      let all = sorted.moments(before: 60).cost(since: sorted.moments(before: 0))
      let plain = CutGraph(positions: (0...60).map { sorted.moments(before: $0) })
      let bounds = CutGraph(places: places(sorted, &random), of: sorted)
      for graph in [plain, bounds] {
        let penalty = all / Double.random(in: 4...5000, using: &random) + 1e-300
        let paths = PenalizedPaths(graph, penalty: penalty)
        let expected = costs(graph, penalty)
        for (cost, minimum) in zip(paths.costs, expected) {
          #expect((cost - minimum).magnitude <= 1e-12 * (all + minimum), "\(samples)")
        }
        let mirrored = PenalizedPaths(graph.mirrored, penalty: penalty)
        #expect((mirrored.total - paths.total).magnitude <= 1e-12 * (all + paths.total))
      }
    }
  }

  /// The bound of every cell is at most the cost of every partition that cuts in it.
  @Test(arguments: Samples.allCases)
  func boundEveryPartitionThroughACell(_ samples: Samples) {
    var random = SeededGenerator(seed: 32)
    for _ in 0..<60 {
      let count = Int.random(in: 4...40, using: &random)
      let sorted = SortedValues(sorting: samples.values(count, &random))
      let step = Int.random(in: 1...5, using: &random)
      let places = stride(from: 1, to: count, by: step).map { $0...min($0 + step, count) - 1 }
      let graph = CutGraph(places: places, of: sorted)
      let all = sorted.moments(before: count).cost(since: sorted.moments(before: 0))
      let penalty = all / Double.random(in: 4...500, using: &random) + 1e-300
      let forward = PenalizedPaths(graph, penalty: penalty)
      let backward = PenalizedPaths(graph.mirrored, penalty: penalty)
      for _ in 0..<20 {
        let cuts = (1..<count).filter { _ in Int.random(in: 0..<6, using: &random) == 0 }
        let cost = CutDescent.cost(sorted, cuts) + penalty * Double(cuts.count + 1)
        for cut in cuts {
          let nodes = graph.places.indices.filter { graph.places[$0] == (cut - 1) / step + 1 }
          let bounds = nodes.map { forward.costs[$0] + backward.costs[graph.count - 1 - $0] }
          let bound = bounds.min() ?? .infinity
          #expect(bound <= cost * (1 + 1e-12) + all * 1e-13, "\(samples) \(cuts)")
        }
      }
    }
  }
}
