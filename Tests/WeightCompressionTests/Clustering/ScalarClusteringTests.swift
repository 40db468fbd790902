import TestSupport
import Testing

@testable import WeightCompression

struct ScalarClusteringTests {
  /// Forty fp16 values with the optimum that coremltools' kmeans1d finds for four entries.
  @Test func agreesWithCoreMLTools() {
    let values: [Float] = [
      -1.45703125, -0.958984375, -0.84033203125, -0.82470703125, -0.81396484375, -0.68115234375,
      -0.66552734375, -0.638671875, -0.51220703125, -0.470458984375, -0.42822265625,
      -0.406494140625, -0.35205078125, -0.319580078125, -0.184814453125, -0.154541015625,
      -0.11395263671875, -0.0499267578125, 0.06756591796875, 0.11669921875, 0.2186279296875,
      0.2236328125, 0.232177734375, 0.2890625, 0.365478515625, 0.36865234375, 0.412841796875,
      0.430908203125, 0.5322265625, 0.54296875, 0.6162109375, 0.63134765625, 0.650390625,
      0.6787109375, 0.7431640625, 0.87158203125, 0.87841796875, 1.12890625, 1.22265625,
      2.142578125,
    ]
    let clustering = ScalarClustering(values.reversed(), entries: 4)
    let expected: [Float] = [-0.669_241_77, 0.158_743_72, 0.772_416_55, 2.142_578_1]
    #expect(clustering.centroids == expected)
    #expect(clustering.lowerBounds == [-0.184814453125, 0.5322265625, 2.142578125])
  }

  @Test(arguments: Samples.allCases)
  func givesEachValueItsNearestEntry(_ samples: Samples) {
    var random = SeededGenerator(seed: 51)
    for entries in [2, 4, 16, 64] {
      let values = samples.values(3000, &random)
      let clustering = ScalarClustering(values, entries: entries)
      let count = min(entries, Set(values).count)
      #expect(clustering.centroids.count == count)
      #expect(clustering.lowerBounds.count == count - 1)
      #expect(clustering.centroids == clustering.centroids.sorted())
      for value in values {
        let cluster = clustering.lowerBounds.count { $0 <= value }
        let distance = (Double(value) - Double(clustering.centroids[cluster])).magnitude
        for other in [cluster - 1, cluster + 1] where clustering.centroids.indices.contains(other) {
          let rival = Double(clustering.centroids[other])
          // Entries are rounded to Float, by half of their last digit.
          let rounding = 2 * rival.magnitude * 0x1p-24 + 0x1p-149
          #expect(distance <= (Double(value) - rival).magnitude + rounding + distance * 1e-6)
        }
      }
    }
  }

  @Test(arguments: [1, 2, 3, 15, 16])
  func isLosslessForFewDistinctValues(_ distinct: Int) {
    var random = SeededGenerator(seed: 52)
    let values = (0..<distinct).map { _ in Float.random(in: -1...1, using: &random) }.sorted()
    let repeated = (0..<1000).map { values[$0 % distinct] }
    let clustering = ScalarClustering(repeated, entries: 16)
    #expect(clustering.centroids == values)
    #expect(clustering.lowerBounds == Array(values.dropFirst()))
  }

  @Test func standsExtremes() {
    let large = Float.greatestFiniteMagnitude
    #expect(ScalarClustering([], entries: 4).centroids.isEmpty)
    #expect(ScalarClustering([7], entries: 2).centroids == [7])
    #expect(ScalarClustering([0, -0.0], entries: 2).centroids == [0])
    #expect(ScalarClustering([large, -large, 1], entries: 4).centroids == [-large, 1, large])
    let pair = ScalarClustering([large, large.nextDown, -large, 0, 1, 2], entries: 2)
    #expect(pair.centroids.allSatisfy { $0.isFinite })
  }

  @Test(arguments: [2, 4, 16])
  func isolatesHugeValuesWithoutSpoilingTheRest(_ entries: Int) {
    var random = SeededGenerator(seed: 53)
    let small = Samples.gaussian.values(500, &random)
    let with = ScalarClustering(small + [-3e38, 3e38], entries: entries + 2)
    let without = ScalarClustering(small, entries: entries)
    #expect(with.centroids.count == entries + 2)
    #expect(Array(with.centroids.dropFirst().dropLast()) == without.centroids)
  }
}
