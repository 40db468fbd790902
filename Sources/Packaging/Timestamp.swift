/// A moment as seconds since 1970, the only clock that packages know.
package struct Timestamp: Hashable, Sendable, CustomStringConvertible {
  /// Latest moment a ustar header can hold.
  package static let maximum = 0o77777777777

  package let seconds: Int

  /// A moment between 1970 and what a ustar header can hold; nil outside.
  package init?(seconds: Int) {
    guard (0...Timestamp.maximum) ~= seconds else { return nil }
    self.seconds = seconds
  }

  /// Reads the value of `SOURCE_DATE_EPOCH`; without one, or with an empty one, 1970.
  package init(sourceDateEpoch text: String?) throws(PackagingError) {
    guard let text, !text.isEmpty else {
      seconds = 0
      return
    }
    let isPlain = text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    guard isPlain, let value = Int(text), let time = Timestamp(seconds: value) else {
      throw .badTerms(
        field: "SOURCE_DATE_EPOCH", found: text,
        expected: "seconds since 1970, at most \(Timestamp.maximum)")
    }
    self = time
  }

  /// The moment in UTC: `2026-11-21T00:00:00Z`.
  ///
  /// Days become a date by counting years from March, as in Howard Hinnant's "chrono-Compatible
  /// Low-Level Date Algorithms" (`civil_from_days`).
  package var description: String {
    let (days, time) = (seconds / 86_400, seconds % 86_400)
    let shifted = days + 719_468
    let (era, dayOfEra) = (shifted / 146_097, shifted % 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let date = "\(pad(year, 4))-\(pad(month, 2))-\(pad(day, 2))"
    return date + "T\(pad(time / 3600, 2)):\(pad(time / 60 % 60, 2)):\(pad(time % 60, 2))Z"
  }

  private func pad(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
