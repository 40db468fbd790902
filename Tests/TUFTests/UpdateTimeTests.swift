import Testing

@testable import TUF

@Suite struct UpdateTimeTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2000-02-29T23:59:59Z", 951_868_799),
    ("2026-11-21T00:00:00Z", 1_795_219_200), ("2038-01-19T03:14:08Z", 2_147_483_648),
    ("2100-03-01T00:00:00Z", 4_107_542_400), ("9999-12-31T23:59:59Z", 253_402_300_799),
  ])
  func momentsAreReadAndWritten(_ text: String, _ seconds: Int) {
    #expect(UpdateTime(text)?.seconds == seconds)
    #expect(UpdateTime(seconds: seconds).description == text)
  }

  @Test(arguments: [
    "2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
    "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z",
    "2026-01-01T00:00:00", "2026-01-01T00:00:00+00:00", "2026-01-01 00:00:00Z",
    "1969-12-31T23:59:59Z",
    "", "２026-01-01T00:00:00Z",
  ])
  func otherTextsAreNot(_ text: String) { #expect(UpdateTime(text) == nil) }

  @Test func everyDayOfFourCenturiesReadsBack() {
    for day in stride(from: 0, to: 146_097, by: 1) {
      let time = UpdateTime(seconds: day * 86_400 + 5)
      #expect(UpdateTime(time.description) == time)
    }
  }
}
