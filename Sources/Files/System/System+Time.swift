#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension System {
  /// Seconds since 1970 by the machine's clock; to judge what expires, never for content.
  package static var secondsSince1970: Int { time(nil) }

  /// Seconds since 1970 of a date and time of day.
  ///
  /// A day beyond the end of its month runs into the next one. Local time is that of the time zone
  /// without daylight saving.
  ///
  /// - Returns: nil if the system knows no such moment.
  package static func seconds(
    year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, isUTC: Bool
  ) -> Int? {
    guard (0...9999).contains(year) else { return nil }
    var parts = unsafe tm()
    unsafe parts.tm_year = Int32(year - 1900)
    unsafe parts.tm_mon = Int32(clamping: month - 1)
    unsafe parts.tm_mday = Int32(clamping: day)
    unsafe parts.tm_hour = Int32(clamping: hour)
    unsafe parts.tm_min = Int32(clamping: minute)
    unsafe parts.tm_sec = Int32(clamping: second)
    let seconds = unsafe isUTC ? timegm(&parts) : mktime(&parts)
    return seconds == -1 ? nil : Int(seconds)
  }
}
