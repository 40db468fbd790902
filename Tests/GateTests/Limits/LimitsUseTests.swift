import Testing

@testable import Gate

/// The part of what limits allow that metrics use.
struct LimitsUseTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let metrics: DriftMetrics
    let use: Double
    let expected: Double
    var testDescription: String { name }
  }

  private static let none = (mean: 1.0, min: 1.0, drift: 0.0, driftMax: 0.0, overlap: 1.0)

  private static func metrics(_ change: (inout (Double, Double, Double, Double, Double)) -> Void)
    -> DriftMetrics
  {
    var values = (none.mean, none.min, none.drift, none.driftMax, none.overlap)
    change(&values)
    return LimitsTests.metrics(
      mean: values.0, min: values.1, drift: values.2, driftMax: values.3, overlap: values.4)
  }

  /// Half of what `strict` allows of one metric: of a cosine half of its limit, of others a quarter.
  @Test(arguments: [
    Case(name: "cosine mean", metrics: metrics { $0.0 = 0.9995 }, use: 0.5, expected: 0.525),
    Case(name: "cosine min", metrics: metrics { $0.1 = 0.9975 }, use: 0.5, expected: 0.6),
    Case(name: "drift mean", metrics: metrics { $0.2 = 0.0025 }, use: 0.25, expected: 0.275),
    Case(name: "drift max", metrics: metrics { $0.3 = 0.01 }, use: 0.25, expected: 0.3),
    // Of 200 pairs that drift by 0.002 one is likely to by 0.011424.
    Case(
      name: "drift max by the mean",
      metrics: LimitsTests.metrics(
        mean: 1, min: 1, drift: 0.002, driftMax: 0.01, overlap: 1, pairs: 200),
      use: 0.25, expected: 0.391494043604),
    Case(name: "neighbours", metrics: metrics { $0.4 = 0.975 }, use: 0.25, expected: 0.3375),
    Case(name: "nothing", metrics: metrics { _ in }, use: 0, expected: 0),
  ])
  func otherReferencesMayShowMore(_ given: Case) throws {
    let limits = try Limits(profile: .strict)
    #expect(abs(limits.use(given.metrics) - given.use) < 1e-9)
    #expect(abs(limits.expectedUse(given.metrics) - given.expected) < 1e-9)
  }

  @Test func whatIsNoNumberUsesEverything() throws {
    let limits = try Limits(profile: .strict)
    let metrics = Self.metrics { $0.2 = .nan }
    #expect(limits.use(metrics) == .infinity && limits.expectedUse(metrics) == .infinity)
  }
}
