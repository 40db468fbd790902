import TestSupport
import Testing

@testable import WeightCompression

struct SortedValuesTests {
  /// Sums of every prefix, and sums of every 64th prefix with the rest added up.
  @Test(arguments: [1, 2, 100, 1 << 15, 1 << 15 + 1, 40_000])
  func momentsAreThoseOfTheValues(_ count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    let sorted = SortedValues(sorting: Samples.integers.values(count, &random))
    for _ in 0..<50 {
      let low = Int.random(in: 0..<count, using: &random)
      let high = Int.random(in: low + 1...min(count, low + 200), using: &random)
      let values = sorted.values[low..<high].map { Double($0) }
      let mean = values.reduce(0, +) / Double(values.count)
      let cost = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      let left = sorted.moments(before: low)
      let right = sorted.moments(before: high)
      #expect(right.weight - left.weight == Double(high - low))
      #expect((right.mean(since: left) + sorted.offset - mean).magnitude <= 1e-9 * (1 + mean))
      // Squares of integers up to 20000² · 40000 are exact in Double.
      #expect((right.cost(since: left) - cost).magnitude <= 1e-4)
    }
  }

  @Test func aHugeValueLeavesTheOthersTheirDigits() {
    let values: [Float] = [-3e38, 0.5, 1, 2, 4, 3e38]
    let sorted = SortedValues(ascending: values)
    #expect(sorted.moments(before: 3).cost(since: sorted.moments(before: 1)) == 0.125)
    #expect(sorted.moments(before: 5).cost(since: sorted.moments(before: 3)) == 2)
  }

  @Test func findsPositions() {
    let sorted = SortedValues(ascending: [1, 2, 2, 2, 3])
    #expect(sorted.firstPosition(notBelow: 2, in: 0..<5) == 1)
    #expect(sorted.firstPosition(notBelow: 2.5, in: 0..<5) == 4)
    #expect(sorted.firstPosition(notBelow: 9, in: 0..<5) == 5)
    #expect(sorted.firstPosition(notBelow: 2, in: 2..<5) == 2)
  }
}
