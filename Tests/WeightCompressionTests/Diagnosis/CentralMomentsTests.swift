import TestSupport
import Testing

@testable import WeightCompression

struct CentralMomentsTests {
  /// Mean, standard deviation and excess kurtosis in two passes.
  private static func naive(_ values: [Float]) -> (mean: Double, deviation: Double, tails: Double) {
    let count = Double(values.count)
    let mean = values.reduce(0.0) { $0 + Double($1) } / count
    var squares = 0.0
    var fourths = 0.0
    for value in values {
      let d = Double(value) - mean
      squares += d * d
      fourths += d * d * d * d
    }
    return (mean, (squares / count).squareRoot(), count * fourths / (squares * squares) - 3)
  }

  private static func moments(_ values: [Float]) -> CentralMoments {
    values.withUnsafeBufferPointer { ValueRun($0).moments }
  }

  private func expectNear(_ found: Double, _ expected: Double, _ scale: Double, _ what: String) {
    #expect((found - expected).magnitude <= 1e-9 * scale, "\(what): \(found) for \(expected)")
  }

  private func expect(_ moments: CentralMoments, areThoseOf values: [Float], _ what: String) {
    let (mean, deviation, tails) = CentralMomentsTests.naive(values)
    #expect(moments.count == Double(values.count))
    expectNear(moments.mean, mean, max(mean.magnitude, deviation), "\(what) mean")
    expectNear(moments.standardDeviation, deviation, deviation, "\(what) deviation")
    expectNear(moments.excessKurtosis ?? .nan, tails, max(1, tails), "\(what) kurtosis")
  }

  @Test(arguments: Samples.allCases)
  func agreesWithTwoPasses(_ samples: Samples) {
    var random = SeededGenerator(seed: 11)
    let values = samples.values(1003, &random)
    expect(CentralMomentsTests.moments(values), areThoseOf: values, samples.rawValue)
  }

  @Test(arguments: Samples.allCases)
  func anyPartsMergeToTheWhole(_ samples: Samples) {
    var random = SeededGenerator(seed: 12)
    let values = samples.values(2000, &random)
    var merged = CentralMoments()
    var start = 0
    while start < values.count {
      let end = min(values.count, start + Int.random(in: 0...300, using: &random))
      merged.merge(CentralMomentsTests.moments(Array(values[start..<end])))
      start = end
    }
    expect(merged, areThoseOf: values, samples.rawValue)
  }

  @Test func aHugeFirstValueDoesNotSwallowTheOthers() {
    var random = SeededGenerator(seed: 13)
    let values = [Float(4e5)] + Samples.gaussian.values(4000, &random)
    expect(CentralMomentsTests.moments(values), areThoseOf: values, "outlier first")
  }

  @Test func valuesFarFromZeroKeepTheirDigits() {
    let values = (0..<100).map { Float(1e6) + Float($0 % 3) }
    expect(CentralMomentsTests.moments(values), areThoseOf: values, "far away")
  }

  @Test func equalValuesHaveNoTails() {
    let moments = CentralMomentsTests.moments([Float](repeating: 0.1, count: 77))
    #expect(moments.standardDeviation == 0)
    #expect(moments.excessKurtosis == nil)
    #expect(moments.mean == Double(Float(0.1)))
  }

  @Test func nothingHasNoMean() {
    var moments = CentralMoments()
    #expect(moments.standardDeviation.isNaN)
    #expect(moments.excessKurtosis == nil)
    moments.merge(CentralMoments())
    #expect(moments.count == 0)
    moments.merge(CentralMomentsTests.moments([2]))
    #expect(moments.mean == 2)
    #expect(moments.standardDeviation == 0)
  }

  /// Two values as often as each other: the least kurtosis there is.
  @Test func twoValuesHaveKurtosisMinusTwo() {
    #expect(CentralMomentsTests.moments([1, -1, 1, -1, 1, -1]).excessKurtosis == -2)
  }
}
