/// A moment in seconds since 1970, written `2026-11-21T00:00:00Z`, the one form that metadata has.
package struct UpdateTime: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let seconds: Int

  /// The latest moment that has the written form: the end of the year 9999.
  private static let last = 253_402_300_799

  /// - Parameter seconds: before 1970 and behind 9999 the nearest moment that can be written.
  package init(seconds: Int) { self.seconds = min(max(0, seconds), UpdateTime.last) }

  /// Reads the written form; nil for anything else, and for days that no month has.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    let form = Array("0000-00-00T00:00:00Z".utf8)
    guard bytes.count == form.count else { return nil }
    var fields: [Int] = [0]
    for (byte, kind) in zip(bytes, form) {
      if kind == UInt8(ascii: "0") {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        fields[fields.count - 1] = fields[fields.count - 1] * 10 + Int(byte - kind)
      } else {
        guard byte == kind else { return nil }
        fields.append(0)
      }
    }
    let (year, month, day) = (fields[0], fields[1], fields[2])
    guard year >= 1970, (1...12).contains(month), day >= 1,
      day <= UpdateTime.days(of: month, year), fields[3] < 24, fields[4] < 60, fields[5] < 60
    else { return nil }
    let days = UpdateTime.days(before: year, month) + day - 1
    seconds = ((days * 24 + fields[3]) * 60 + fields[4]) * 60 + fields[5]
  }

  package static func < (left: UpdateTime, right: UpdateTime) -> Bool {
    left.seconds < right.seconds
  }

  /// The moment some days later.
  package func adding(days: Int) -> UpdateTime { UpdateTime(seconds: seconds + days * 86_400) }

  package var description: String {
    let day = seconds / 86_400
    var (year, month) = (1970 + day / 366, 12)
    while UpdateTime.days(before: year + 1, 1) <= day { year += 1 }
    while UpdateTime.days(before: year, month) > day { month -= 1 }
    let rest = seconds % 86_400
    let date = [month, day - UpdateTime.days(before: year, month) + 1].map(UpdateTime.two)
    let time = [rest / 3600, rest / 60 % 60, rest % 60].map(UpdateTime.two)
    return "\(year)-\(date.joined(separator: "-"))T\(time.joined(separator: ":"))Z"
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  private static func days(of month: Int, _ year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days from 1970 to the first of a month.
  private static func days(before year: Int, _ month: Int) -> Int {
    let past = year - 1
    let leaps = past / 4 - past / 100 + past / 400 - (1969 / 4 - 1969 / 100 + 1969 / 400)
    return (year - 1970) * 365 + leaps + (1..<month).reduce(0) { $0 + days(of: $1, year) }
  }
}
