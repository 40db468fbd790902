/// A moment as seconds since 1970, the only clock that packages know.
package struct Timestamp: Hashable, Sendable, CustomStringConvertible {
  /// Latest moment a ustar header can hold.
  package static let maximum = 0o77777777777

  package let seconds: Int

  /// 1970.
  package static let epoch = Timestamp()

  private init() { seconds = 0 }

  /// A moment between 1970 and what a ustar header can hold; nil outside.
  package init?(seconds: Int) {
    guard (0...Timestamp.maximum) ~= seconds else { return nil }
    self.seconds = seconds
  }

  /// Reads the value of `SOURCE_DATE_EPOCH`; without one, or with an empty one, 1970.
  package init(sourceDateEpoch text: String?) throws(PackagingError) {
    guard let text, !text.isEmpty else {
      self = .epoch
      return
    }
    let isPlain = text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    guard isPlain, let value = Int(text), let time = Timestamp(seconds: value) else {
      throw .badField(
        field: "SOURCE_DATE_EPOCH", found: text,
        expected: "seconds since 1970, at most \(Timestamp.maximum)")
    }
    self = time
  }

  /// The day in UTC, months and days counted from 1.
  ///
  /// Days become a date by counting years from March, as in Howard Hinnant's "chrono-Compatible
  /// Low-Level Date Algorithms" (`civil_from_days`).
  var date: (year: Int, month: Int, day: Int) {
    let shifted = seconds / 86_400 + 719_468
    let (era, dayOfEra) = (shifted / 146_097, shifted % 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    )
  }

  /// The time of that day in UTC.
  var timeOfDay: (hour: Int, minute: Int, second: Int) {
    let time = seconds % 86_400
    return (time / 3600, time / 60 % 60, time % 60)
  }

  /// The moment in UTC: `2026-11-21T00:00:00Z`.
  package var description: String {
    let (date, time) = (date, timeOfDay)
    return "\(pad(date.year, 4))-\(pad(date.month, 2))-\(pad(date.day, 2))"
      + "T\(pad(time.hour, 2)):\(pad(time.minute, 2)):\(pad(time.second, 2))Z"
  }

  private func pad(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
