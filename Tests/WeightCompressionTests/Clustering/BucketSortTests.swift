import TestSupport
import Testing

@testable import WeightCompression

struct BucketSortTests {
  /// Few values in many buckets, and many in few.
  @Test(arguments: Samples.allCases)
  func sortsAsTheOtherOne(_ samples: Samples) {
    var random = SeededGenerator(seed: 3)
    for count in [0, 1, 2, 33, 257, 5000, 60_000] {
      let values = samples.values(count, &random)
      #expect(BucketSort.ascending(values) == RadixSort.ascending(values))
    }
  }

  /// All keys in one bucket, told apart by every bit of the lower digits.
  @Test func sortsWithinOneBucket() {
    var random = SeededGenerator(seed: 4)
    let values = (0..<10_000).map { _ in
      Float(bitPattern: 0x3f80_0000 | UInt32.random(in: 0..<1 << 21, using: &random))
    }
    #expect(BucketSort.ascending(values) == values.sorted())
  }

  @Test func ordersAllKindsOfFiniteValues() {
    let tiny = Float.leastNonzeroMagnitude
    let large = Float.greatestFiniteMagnitude
    let sorted: [Float] = [-large, -1, -.leastNormalMagnitude, -tiny, 0, tiny, 1, 65504, large]
    #expect(BucketSort.ascending(sorted.reversed()) == sorted)
    #expect(BucketSort.ascending([-0.0, 0, -0.0]).map(\.bitPattern) == [0, 0, 0])
  }
}
