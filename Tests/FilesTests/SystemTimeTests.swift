import Testing

@testable import Files

@Suite struct SystemTimeTests {
  @Test(
    arguments: [
      ((1970, 1, 1, 0, 0, 0), 0), ((2026, 1, 1, 0, 0, 0), 1_767_225_600),
      ((2024, 2, 29, 23, 59, 59), 1_709_251_199), ((2023, 2, 29, 0, 0, 0), 1_677_628_800),
      ((2100, 12, 31, 0, 0, 0), 4_133_894_400), ((10_000, 1, 1, 0, 0, 0), nil),
      ((-1, 1, 1, 0, 0, 0), nil),
    ] as [((Int, Int, Int, Int, Int, Int), Int?)])
  func knowsMoments(_ parts: (Int, Int, Int, Int, Int, Int), _ seconds: Int?) {
    #expect(
      System.seconds(
        year: parts.0, month: parts.1, day: parts.2, hour: parts.3, minute: parts.4,
        second: parts.5, isUTC: true) == seconds)
  }
}
