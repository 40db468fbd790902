import TestSupport
import Testing

@testable import WeightCompression

struct ExactPartitionTests {
  @Test(arguments: Samples.allCases)
  func isAsGoodAsTryingAll(_ samples: Samples) {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<40 {
      let count = Int.random(in: 2...12, using: &random)
      let sorted = SortedValues(sorting: samples.values(count, &random))
      let distinct = distinctCount(sorted)
      for parts in stride(from: 1, to: min(distinct, 7), by: 1) {
        let cost = referenceCost(sorted, parts: parts)
        let minimum = minCost(sorted.values, parts: parts)
        #expect(
          (cost - minimum).magnitude <= tolerance(sorted, minimum), "\(sorted.values) \(parts)")
      }
    }
  }

  /// The tolerance for rounding of sums of squares.
  private func tolerance(_ sorted: SortedValues, _ minimum: Double) -> Double {
    let squares = (0..<sorted.count).reduce(0) { $0 + sorted.centred($1) * sorted.centred($1) }
    return 1e-12 * minimum + 0x1p-48 * squares
  }
}
