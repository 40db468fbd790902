import TestSupport
import Testing

@testable import WeightCompression

struct CertifiedPartitionTests {
  @Test(arguments: Samples.allCases)
  func isAsGoodAsTryingAll(_ samples: Samples) {
    var random = SeededGenerator(seed: 21)
    for _ in 0..<60 {
      let count = Int.random(in: 3...12, using: &random)
      let sorted = SortedValues(sorting: samples.values(count, &random))
      for parts in stride(from: 2, to: min(distinctCount(sorted), 7), by: 1) {
        let partition = CertifiedPartition(sorted, parts: parts)
        let cost = CutDescent.cost(sorted, partition.cuts)
        let minimum = minCost(sorted.values, parts: parts)
        let squares = (0..<count).reduce(0) { $0 + sorted.centred($1) * sorted.centred($1) }
        #expect(cost <= minimum * (1 + 1e-12) + 0x1p-48 * squares, "\(sorted.values) \(parts)")
      }
    }
  }

  @Test(arguments: Samples.allCases)
  func isAsGoodAsTheReference(_ samples: Samples) {
    var random = SeededGenerator(seed: 22)
    for _ in 0..<150 {
      check(samples, count: Int.random(in: 3...400, using: &random), maxParts: 64, &random)
    }
    for _ in 0..<4 {
      check(samples, count: Int.random(in: 400...12_000, using: &random), maxParts: 256, &random)
    }
  }

  private func check(
    _ samples: Samples, count: Int, maxParts: Int, _ random: inout SeededGenerator
  ) {
    let sorted = SortedValues(sorting: samples.values(count, &random))
    let distinct = distinctCount(sorted)
    guard distinct > 2 else { return }
    let parts = Int.random(in: 2...min(distinct - 1, maxParts), using: &random)
    let reference = referenceCost(sorted, parts: parts)
    let partition = CertifiedPartition(sorted, parts: parts)
    let tolerance = roundingTolerance(sorted, reference)
    let cost = squaredError(sorted.values, partition.cuts)
    #expect(cost <= reference + tolerance, "\(samples) \(count) \(parts)")
    #expect(!partition.lowerBounds.isEmpty)
    for bound in partition.lowerBounds {
      #expect(bound <= reference + tolerance, "\(samples) \(count) \(parts)")
    }
    #expect(partition.cuts.count == parts - 1)
    for cut in partition.cuts { #expect(sorted.values[cut - 1] < sorted.values[cut]) }
  }

  @Test(arguments: [16, 256])
  func provesItsResultOnALargeSample(_ parts: Int) throws {
    var random = SeededGenerator(seed: 23)
    let sorted = SortedValues(sorting: Samples.gaussian.values(300_000, &random))
    let partition = CertifiedPartition(sorted, parts: parts)
    let cost = CutDescent.cost(sorted, partition.cuts)
    let bound = try #require(partition.lowerBounds.last)
    #expect(cost - bound <= cost * 1e-10)
    #expect(bound - cost <= cost * 1e-10)
  }

  /// Many partitions are equally good: the number of clusters cannot be reached by a penalty.
  @Test(arguments: [(12, 5), (100, 7), (1000, 33), (5000, 64), (513, 256)])
  func findsTiedPartitions(_ count: Int, _ parts: Int) {
    let sorted = SortedValues(ascending: (0..<count).map { Float($0) })
    let cost = CutDescent.cost(sorted, CertifiedPartition(sorted, parts: parts).cuts)
    // Runs of m or m + 1 consecutive integers cost (m³ − m) / 12 each.
    let size = Double(count / parts)
    let longer = Double(count % parts)
    func run(_ m: Double) -> Double { (m * m * m - m) / 12 }
    let minimum = longer * run(size + 1) + (Double(parts) - longer) * run(size)
    #expect((cost - minimum).magnitude <= minimum * 1e-12)
  }

  @Test func cutsOffSingleValuesBesideLongRuns() {
    let values = [Float](repeating: 1, count: 5000) + [1.5, 2, 2.5, 3, 3.25]
    let sorted = SortedValues(ascending: values)
    let partition = CertifiedPartition(sorted, parts: 5)
    #expect(partition.cuts == [5000, 5001, 5002, 5003])
  }
}
