import Graph
import TestSupport
import Testing
import Weights

@testable import WeightCompression

struct WeightedClusteringTests {
  /// Squared error of a run of sorted values from its own mean.
  private func cost(_ values: [Float], _ weights: [Float], _ run: Range<Int>) -> Double {
    let weight = run.reduce(0) { $0 + Double(weights[$1]) }
    let mean = run.reduce(0) { $0 + Double(weights[$1]) * Double(values[$1]) } / weight
    return run.reduce(0) {
      let error = Double(values[$1]) - mean
      return $0 + Double(weights[$1]) * error * error
    }
  }

  /// Least squared error in `parts` runs, by trying each.
  private func minCost(_ values: [Float], _ weights: [Float], parts: Int) -> Double {
    func minimum(from start: Int, parts: Int) -> Double {
      if parts == 1 { return cost(values, weights, start..<values.count) }
      return (start + 1...values.count - parts + 1).reduce(.infinity) { best, cut in
        min(best, cost(values, weights, start..<cut) + minimum(from: cut, parts: parts - 1))
      }
    }
    return minimum(from: 0, parts: parts)
  }

  private func error(_ values: [Float], _ weights: [Float], _ entries: [Float]) -> Double {
    zip(values, weights).reduce(0) { sum, pair in
      let minimum = entries.map { (Double($0) - Double(pair.0)).magnitude }.min() ?? 0
      return sum + minimum * minimum * Double(pair.1)
    }
  }

  @Test(arguments: Samples.allCases)
  func isAsGoodAsTryingAll(_ samples: Samples) {
    var random = SeededGenerator(seed: 121)
    for _ in 0..<40 {
      let count = Int.random(in: 3...11, using: &random)
      let values = samples.values(count, &random)
      let weights = randomWeights(count, &random)
      let order = values.indices.filter { weights[$0] > 0 }.sorted { values[$0] < values[$1] }
      guard order.count > 2 else { continue }
      let (kept, heavy) = (order.map { values[$0] }, order.map { weights[$0] })
      for parts in 2...min(order.count - 1, 5) {
        let sorted = SortedValues(sorting: values, weights: weights)
        let cuts = ScalarClustering.cuts(sorted, entries: parts)
        let found = zip([0] + cuts, cuts + [kept.count]).reduce(0) {
          $0 + cost(kept, heavy, $1.0..<$1.1)
        }
        let minimum = minCost(kept, heavy, parts: parts)
        let scale = zip(kept, heavy).reduce(0) {
          $0 + Double($1.0) * Double($1.0) * Double($1.1)
        }
        #expect(found <= minimum * (1 + 1e-12) + 1e-13 * scale, "\(kept) \(heavy) \(parts)")
      }
    }
  }

  @Test(arguments: Samples.allCases)
  func certifiedIsAsGoodAsTheReference(_ samples: Samples) {
    var random = SeededGenerator(seed: 122)
    for _ in 0..<60 {
      let count = Int.random(in: 3...500, using: &random)
      let sorted = SortedValues(
        sorting: samples.values(count, &random), weights: randomWeights(count, &random))
      let distinct = distinctCount(sorted)
      guard distinct > 2 else { continue }
      let parts = Int.random(in: 2...min(distinct - 1, 64), using: &random)
      let starts = ScalarClustering.distinctStarts(sorted, limit: sorted.count)
      let places = (starts + [sorted.count]).map { sorted.moments(before: $0) }
      let reference = ExactPartition.cuts(places, parts: parts).map { starts[$0] }
      let minimum = CutDescent.cost(sorted, reference)
      let partition = CertifiedPartition(sorted, parts: parts)
      let cost = CutDescent.cost(sorted, partition.cuts)
      let squares = (0..<sorted.count).reduce(0) {
        $0 + sorted.weight($1) * sorted.centred($1) * sorted.centred($1)
      }
      #expect(cost <= minimum * (1 + 1e-12) + 0x1p-44 * squares, "\(samples) \(count) \(parts)")
    }
  }

  /// A value of weight n is n values.
  @Test(arguments: Samples.allCases, [4, 16, 100])
  func wholeWeightsAreRepetitions(_ samples: Samples, _ entries: Int) {
    var random = SeededGenerator(seed: 123)
    let values = samples.values(600, &random)
    let counts = values.map { _ in Int.random(in: 0...5, using: &random) }
    let repeated = zip(values, counts).flatMap { [Float](repeating: $0, count: $1) }
    let weighted = ScalarClustering(values, weights: counts.map { Float($0) }, entries: entries)
    let plain = ScalarClustering(repeated, entries: entries)
    let ones = repeated.map { _ in Float(1) }
    let minimum = error(repeated, ones, plain.centroids)
    let squares = repeated.reduce(0) { $0 + Double($1) * Double($1) }
    #expect(weighted.centroids.count == plain.centroids.count)
    #expect(
      (error(repeated, ones, weighted.centroids) - minimum).magnitude
        <= 1e-6 * minimum + 1e-13 * squares)
  }

  @Test func weightsWithoutAnyAreNone() {
    var random = SeededGenerator(seed: 124)
    let values = Samples.gaussian.values(300, &random)
    let zeros = [Float](repeating: 0, count: 300)
    #expect(
      ScalarClustering(values, weights: zeros, entries: 8).centroids
        == ScalarClustering(values, entries: 8).centroids)
    #expect(ScalarClustering([], weights: [], entries: 8).centroids.isEmpty)
  }

  @Test func oneFactorOfAllWeightsChangesNothing() {
    var random = SeededGenerator(seed: 125)
    let values = Samples.heavyTailed.values(2000, &random)
    let weights = randomWeights(2000, &random)
    let plain = ScalarClustering(values, weights: weights, entries: 16)
    for exponent in [-60, 3, 60] {
      let factor = Float(sign: .plus, exponent: exponent, significand: 1)
      let other = ScalarClustering(values, weights: weights.map { $0 * factor }, entries: 16)
      #expect(other.centroids == plain.centroids)
    }
  }

  /// Values without weight are in no cluster, but take the nearest entry.
  @Test(arguments: [FloatType.float32, .float16])
  func everyValueTakesItsNearestEntry(_ floats: FloatType) throws {
    var random = SeededGenerator(seed: 126)
    let values = Samples.gaussian.values(16 * 40, &random)
    let reference = WeightReference("t", [16, 40], role: .tokenTable)
    let importance = Importance(inputs: randomWeights(40, &random))
    let codes = Palettizer.palettize(
      values, reference, PaletteScheme(bits: 3, granularity: .perGroup(size: 4)), floats,
      importance: importance, jobs: 2)
    let tensor = try CompressedTensor(
      reference, .palette(codes), floats: floats, relativeError: 0)
    for (i, (value, other)) in zip(values, tensor.dequantized()).enumerated() {
      let table = codes.palettes[i / 160 * 8..<i / 160 * 8 + 8]
      let nearest = table.map { ($0 - value).magnitude }.min()
      #expect((other - value).magnitude == nearest)
    }
  }

  /// Columns that never count cost nothing.
  @Test func onlyWhatCountsIsFitted() throws {
    let values: [Float] = [1, 50, 2, 60, 3, 70, 4, 80]
    let reference = WeightReference("t", [4, 2], role: .tokenTable)
    let codes = Palettizer.palettize(
      values, reference, PaletteScheme(bits: 2, granularity: .perTensor), .float32,
      importance: Importance(inputs: [1, 0]), jobs: 1)
    #expect(codes.palettes == [1, 2, 3, 4])
    #expect(BitPacking.unpack(codes.indices, bits: 2, count: 8) == [0, 3, 1, 3, 2, 3, 3, 3])
  }
}
