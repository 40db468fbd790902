import TestSupport
import Testing

@testable import WeightCompression

struct RadixSortTests {
  @Test(arguments: Samples.allCases)
  func sortsAsTheLibraryDoes(_ samples: Samples) {
    var random = SeededGenerator(seed: 2)
    for count in [0, 1, 2, 33, 5000] {
      let values = samples.values(count, &random)
      #expect(RadixSort.ascending(values) == values.sorted())
    }
  }

  @Test func ordersAllKindsOfFiniteValues() {
    let tiny = Float.leastNonzeroMagnitude
    let large = Float.greatestFiniteMagnitude
    let sorted: [Float] = [-large, -1, -.leastNormalMagnitude, -tiny, 0, tiny, 1, 65504, large]
    #expect(RadixSort.ascending(sorted.reversed()) == sorted)
  }

  @Test func turnsNegativeZeroIntoZero() {
    let sorted = RadixSort.ascending([-0.0, 0, -0.0])
    #expect(sorted.map(\.bitPattern) == [0, 0, 0])
  }
}
