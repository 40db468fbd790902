import Files

/// Moments as OpenSSH writes them into lists of signers: `YYYYMMDD`, `YYYYMMDDHHMM` or
/// `YYYYMMDDHHMMSS`, in UTC with a `Z` (or `UTC`) behind, otherwise in local time.
enum ValidityTime {
  /// Ranges of the fields after the year; as with `strptime`, no month is asked how long it is.
  private static let ranges = [1...12, 1...31, 0...23, 0...59, 0...61]

  /// Seconds since 1970 of such a text; nil for another text and for moments up to 1970.
  static func seconds(_ text: [UInt8]) -> Int? {
    var digits = text[...]
    let isUTC = dropSuffix("Z", &digits) || dropSuffix("UTC", &digits)
    guard [8, 12, 14].contains(digits.count), let year = number(digits.prefix(4)) else {
      return nil
    }
    var fields = [1, 1, 0, 0, 0]
    for (index, start) in stride(from: 4, to: digits.count, by: 2).enumerated() {
      let part = digits.dropFirst(start).prefix(2)
      guard let value = number(part), ranges[index].contains(value) else { return nil }
      fields[index] = value
    }
    let seconds = System.seconds(
      year: year, month: fields[0], day: fields[1], hour: fields[2], minute: fields[3],
      second: fields[4], isUTC: isUTC)
    return seconds.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Drops a suffix, in capitals or not; there must be something before it.
  private static func dropSuffix(_ suffix: String, _ text: inout ArraySlice<UInt8>) -> Bool {
    let end = text.suffix(suffix.utf8.count)
    guard text.count > suffix.utf8.count, Ascii.lower(end) == Ascii.lower(suffix.utf8) else {
      return false
    }
    text.removeLast(suffix.utf8.count)
    return true
  }

  /// A decimal number; like OpenSSH's reader, spaces before it are passed over.
  private static func number(_ text: ArraySlice<UInt8>) -> Int? {
    let digits = text.drop { $0 == UInt8(ascii: " ") }
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39) ~= $0 }) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}

/// Letter case of ASCII.
enum Ascii {
  static func lower(_ text: some Sequence<UInt8>) -> [UInt8] {
    text.map { (0x41...0x5A) ~= $0 ? $0 | 0x20 : $0 }
  }
}
