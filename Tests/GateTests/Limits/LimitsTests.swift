import ModelFixtures
import StrictJSON
import TestSupport
import Testing

@testable import Gate
@testable import Inputs

struct LimitsTests {
  /// Metrics that keep every limit of `strict` exactly.
  static func metrics(
    mean: Double = 0.999, min: Double = 0.995, drift: Double = 0.005, driftMax: Double = 0.02,
    overlap: Double = 0.95, pairs: Int = 8
  ) -> DriftMetrics {
    DriftMetrics(
      drift: .embeddings(
        .init(
          cosine: .init(mean: mean, p1: 0.996, min: min),
          similarityDrift: .init(mean: drift, max: driftMax), neighbourOverlap: overlap,
          topOneAgreement: 1, spearman: nil, normDrift: 0.01)),
      flips: 0, inputs: 2 * pairs, pairs: pairs)
  }

  @Test func theTableIsTheDesigns() throws {
    let table: [(Limits.Profile, [Double])] = [
      (.strict, [0.999, 0.995, 0.005, 0.02, 0.95, .infinity]),
      (.standard, [0.99, 0.97, 0.01, 0.05, 0.9, .infinity]),
      (.lenient, [0.95, 0.8, 0.03, 0.15, 0.8, .infinity]),
    ]
    for (profile, values) in table {
      let limits = try Limits(profile: profile)
      #expect(Limits.Key.allCases.map { limits[$0] } == values)
      #expect(limits.overridden == [])
    }
    #expect(try Limits().profile == .standard)
  }

  @Test func aValueEqualToItsLimitPasses() throws {
    #expect(Self.misses(try Limits(profile: .strict), Self.metrics()) == [])
  }

  /// The limits that metrics miss, as sentences.
  static func misses(_ limits: Limits, _ metrics: DriftMetrics) -> [String] {
    limits.misses(metrics).map {
      RefusalReason.limit($0, limits.source(of: $0.key)).sentence
    }
  }

  struct Case: Sendable {
    let metrics: DriftMetrics
    let miss: String
  }

  @Test(arguments: [
    Case(
      metrics: metrics(mean: (0.999).nextDown),
      miss: "cosine mean 0.9989999999999999 is below 0.999 (strict)"),
    Case(metrics: metrics(min: 0.412), miss: "cosine min 0.412 is below 0.995 (strict)"),
    Case(metrics: metrics(min: -1), miss: "cosine min -1 is below 0.995 (strict)"),
    Case(
      metrics: metrics(drift: 0.0051), miss: "similarity drift mean 0.0051 is above 0.005 (strict)"),
    Case(
      metrics: metrics(driftMax: 0.0204),
      miss: "similarity drift max 0.0204 is above 0.02 (strict)"),
    Case(
      metrics: metrics(overlap: 0.94), miss: "neighbour overlap 0.94 is below 0.95 (strict)"),
    Case(
      metrics: metrics(mean: .nan),
      miss: "cosine mean is not a number, the limit is 0.999 (strict)"),
    Case(
      metrics: metrics(min: .nan), miss: "cosine min is not a number, the limit is 0.995 (strict)"),
    Case(
      metrics: metrics(drift: .nan),
      miss: "similarity drift mean is not a number, the limit is 0.005 (strict)"),
    Case(
      metrics: metrics(driftMax: .nan),
      miss: "similarity drift max is not a number, the limit is 0.02 (strict)"),
    Case(
      metrics: metrics(driftMax: .infinity),
      miss: "similarity drift max is infinite, the limit is 0.02 (strict)"),
    Case(
      metrics: metrics(overlap: .nan),
      miss: "neighbour overlap is not a number, the limit is 0.95 (strict)"),
  ])
  func everyLimitIsLookedAt(_ test: Case) throws {
    #expect(Self.misses(try Limits(profile: .strict), test.metrics) == [test.miss])
  }

  @Test func outputsAreUnderTheLimitsOfSimilarityDrift() throws {
    func metrics(_ mean: Double, _ max: Double) -> DriftMetrics {
      DriftMetrics(drift: .outputs(.init(mean: mean, max: max)), flips: 0, inputs: 9, pairs: 0)
    }
    let limits = try Limits(profile: .standard)
    #expect(Self.misses(limits, metrics(0.01, 0.05)) == [])
    #expect(
      Self.misses(limits, metrics(0.011, .nan)) == [
        "output drift mean 0.011 is above 0.01 (standard)",
        "output drift max is not a number, the limit is 0.05 (standard)",
      ])
  }

  @Test func overridesReplaceSingleLimits() throws {
    let limits = try Limits(profile: .lenient, overrides: ["cosineMin": 0.9, "cosineMean": 0.95])
    #expect(limits[.cosineMin] == 0.9)
    #expect(limits[.similarityDriftMax] == 0.15)
    #expect(limits.overridden == [.cosineMin])
    #expect(
      Self.misses(limits, Self.metrics(min: 0.85)) == [
        "cosine min 0.85 is below 0.9 (lenient, overridden)"
      ])
  }

  /// The name of limits follows from their values, not from the name they started from.
  @Test func whatIsNotTheProfilesOwnIsSaid() throws {
    #expect(try Limits(profile: .strict).words == "strict")
    let weak = try Limits(
      profile: .strict, overrides: ["cosineMean": 0, "similarityDriftMax": 2])
    #expect(weak.words == "strict, weakened: cosine mean 0, similarity drift max 2")
    #expect(weak.weakened == [.cosineMean, .similarityDriftMax] && weak.tightened.isEmpty)
    let both = try Limits(
      profile: .lenient, overrides: ["neighbourOverlap": 0.9, "cosineMin": 0.5])
    #expect(both.words == "lenient, weakened: cosine min 0.5; tightened: neighbour overlap 0.9")
    let same = try Limits(profile: .lenient, overrides: ["cosineMin": 0.8])
    #expect(same.words == "lenient")
  }

  @Test func limitsAreComparedAndNotTheirNames() throws {
    let (strict, lenient) = (try Limits(profile: .strict), try Limits(profile: .lenient))
    #expect(strict.weaker(than: lenient).isEmpty)
    #expect(lenient.weaker(than: strict) == Limits.Key.allCases.filter { $0 != .calibrationError })
    let renamed = try Limits(
      profile: .lenient, overrides: strict.texts.compactMapValues(Double.init))
    #expect(renamed.weaker(than: strict).isEmpty && strict.weaker(than: renamed).isEmpty)
  }

  @Test(
    arguments: [
      (
        ["cosinemin": 0.9],
        "unknown limit 'cosinemin'; known: cosineMean, cosineMin, similarityDriftMean, "
          + "similarityDriftMax, neighbourOverlap, calibrationError"
      ),
      (
        ["b": 1, "a": 2],
        "unknown limits 'a', 'b'; known: cosineMean, cosineMin, similarityDriftMean, "
          + "similarityDriftMax, neighbourOverlap, calibrationError"
      ),
      (
        ["cosineMin": .nan],
        "the limit 'cosineMin' is not a number, expected a number from -1 to 1"
      ),
      (["cosineMean": 1.1], "the limit 'cosineMean' is 1.1, expected a number from -1 to 1"),
      (
        ["similarityDriftMax": .infinity],
        "the limit 'similarityDriftMax' is infinite, expected a number from 0 to 2"
      ),
      (
        ["similarityDriftMean": -0.1],
        "the limit 'similarityDriftMean' is -0.1, expected a number from 0 to 2"
      ),
      (
        ["calibrationError": .infinity],
        "the limit 'calibrationError' is infinite, expected a number from 0 to 1"
      ),
      (["neighbourOverlap": 2], "the limit 'neighbourOverlap' is 2, expected a number from 0 to 1"),
    ] as [([String: Double], String)])
  func badOverridesAreRefused(_ test: (overrides: [String: Double], fault: String)) {
    #expect(refusal { _ = try Limits(profile: .strict, overrides: test.overrides) } == test.fault)
  }

  @Test func roundedMetricsKeepRoundedLimits() throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<2_000 {
      let floor = Double.random(in: 0...1, using: &generator)
      let limits = try Limits(profile: .strict, overrides: ["cosineMin": floor])
      let min = floor + Double.random(in: 0...0.0001, using: &generator)
      let metrics = Self.metrics(min: min)
      #expect(limits.misses(metrics).isEmpty)
      #expect(limits.forRecorded.misses(Self.metrics(min: Figures.rounded(min))).isEmpty)
    }
  }
}
