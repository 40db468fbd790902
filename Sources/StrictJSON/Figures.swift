/// Numbers as people read them, in the same form on every machine.
package enum Figures {
  /// Decimals of the metrics in a receipt; see `rounded`.
  package static let receiptDecimals = 4

  /// A number with at most `decimals` decimals, without trailing zeros: `0.83`, `-1`, `12.5`.
  package static func text(_ value: Double, decimals: Int) -> String {
    guard value.isFinite else { return value.isNaN ? "not a number" : "infinite" }
    guard decimals <= 9, value.magnitude < 1e9 else { return "\(value)" }
    var text = fixed(value, decimals)
    guard decimals > 0 else { return text }
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text
  }

  /// A number with a fixed count of decimals, rounded half away from zero: `0.830`.
  package static func fixed(_ value: Double, _ decimals: Int) -> String {
    guard value.isFinite else { return "\(value)" }
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (value.magnitude * scale).rounded()
    guard scaled < 9e18 else { return "\(value)" }
    let digits = String(Int(scaled))
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    let sign = value < 0 && scaled > 0 ? "-" : ""
    if decimals == 0 { return sign + padded }
    return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
  }

  /// A number cut to six decimals, so that nothing less than 1 is shown as 1.
  package static func cut(_ value: Double) -> Double { (value * 1e6).rounded(.down) / 1e6 }

  /// A number with as many decimals, `fewest` or more, as show that it is not `other`.
  package static func text(_ value: Double, unlike other: Double, fewest: Int = 3) -> String {
    guard value != other else { return text(value, decimals: fewest) }
    for decimals in fewest...9 {
      let short = text(value, decimals: decimals)
      if short != text(other, decimals: decimals) && short != plain(other) { return short }
    }
    return plain(value)
  }

  /// Two numbers with an arrow between: `0.83 → 0.41`.
  package static func change(_ before: Double, _ after: Double) -> String {
    let decimals = decimals(before, after)
    return "\(text(before, decimals: decimals)) → \(text(after, decimals: decimals))"
  }

  /// The number of decimals, at least two, that shows two numbers to differ; two if none does.
  package static func decimals(_ before: Double, _ after: Double) -> Int {
    (2...9).first { text(before, decimals: $0) != text(after, decimals: $0) } ?? 2
  }

  /// The shortest decimal that reads back as the same number, without an exponent.
  package static func plain(_ value: Double) -> String {
    guard value.isFinite else { return value.isNaN ? "not a number" : "infinite" }
    guard value != 0 else { return "0" }
    let parts = "\(value.magnitude)".split(separator: "e")
    let mantissa = parts[0].split(separator: ".")
    let whole = String(mantissa[0])
    let fraction = mantissa.count > 1 && mantissa[1] != "0" ? String(mantissa[1]) : ""
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let magnitude = shifted(whole + fraction, point: whole.count + exponent)
    return value < 0 ? "-" + magnitude : magnitude
  }

  // Digits with a decimal point after the first `point` of them; `point` may lie outside.
  private static func shifted(_ digits: String, point: Int) -> String {
    if point <= 0 { return "0." + String(repeating: "0", count: -point) + digits }
    if point >= digits.count {
      return digits + String(repeating: "0", count: point - digits.count)
    }
    return String(digits.prefix(point)) + "." + String(digits.dropFirst(point))
  }

  /// A number as a receipt records it.
  ///
  /// Machines with other vector units differ in the last bits of a float; four decimals keep
  /// those out of the bytes of a package.
  package static func recorded(_ value: Double) -> String {
    value.magnitude < 1e9 ? text(value, decimals: receiptDecimals) : plain(value)
  }

  /// The value of the text that `recorded` gives for a number.
  package static func rounded(_ value: Double) -> Double {
    value.isFinite ? Double(recorded(value)) ?? .nan : value
  }

  /// A number of any size with some four digits that count: `0.91`, `334.8`, `0.000012`.
  package static func short(_ value: Double) -> String {
    guard value.isFinite, value != 0, value.magnitude < 1e9 else { return plain(value) }
    var decimals = 4, size = value.magnitude
    while size < 0.1, decimals < 9 {
      size *= 10
      decimals += 1
    }
    return text(value, decimals: decimals)
  }

  /// Four significant digits, for values of any size: `0.009100`, `1.234e-7`.
  package static func significant(_ value: Double) -> String {
    guard value.isFinite, value != 0 else { return value == 0 ? "0" : "\(value)" }
    var exponent = 0
    var rest = value.magnitude
    while rest >= 10 { (rest, exponent) = (rest / 10, exponent + 1) }
    while rest < 1 { (rest, exponent) = (rest * 10, exponent - 1) }
    if (-4...6).contains(exponent) { return fixed(value, max(0, 3 - exponent)) }
    return (value < 0 ? "-" : "") + fixed(rest, 3) + "e\(exponent)"
  }

  /// A number that is not negative, with one decimal below 1000 and without from there on: `12.0`.
  package static func tenths(_ value: Double) -> String {
    guard value < 1e15 else { return "\(value)" }
    let tenths = (value * 10).rounded()
    guard tenths < 10000 else { return "\(Int(value.rounded()))" }
    return "\(Int(tenths) / 10).\(Int(tenths) % 10)"
  }

  /// A share as a percentage.
  package static func percent(_ share: Double) -> String { tenths(share * 100) + " %" }

  /// The shortest decimal that reads back as the same number: `70000`, `-1.5e+20`.
  package static func text(_ value: Float) -> String {
    let text = "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// A count of bytes in B, kB, MB or GB (powers of 1000).
  package static func bytes(_ count: Int) -> String {
    switch count {
    case ..<1000: "\(count) B"
    case ..<1_000_000: "\(fixed(Double(count) / 1e3, 1)) kB"
    case ..<1_000_000_000: "\(fixed(Double(count) / 1e6, 1)) MB"
    default: "\(fixed(Double(count) / 1e9, 2)) GB"
    }
  }

  /// The bytes that a text counts: a number and B, kB, MB, GB or TB (powers of 1000); nil for anything
  /// else, and for more than an integer holds. Parts of a byte are left off.
  package static func byteCount(_ text: String) -> Int? {
    let digits = text.utf8.prefix {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".")
    }
    let units = ["": 1.0, "B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12]
    let unit = String(text.dropFirst(digits.count)).uppercased()
    guard let number = Double(String(decoding: digits, as: UTF8.self)), let scale = units[unit],
      number * scale < 0x1p62
    else { return nil }
    return Int(number * scale)
  }

  /// Up to five names in quotes, and how many more there are.
  package static func list(_ names: [String]) -> String { list(words: names.map { "'\($0)'" }) }

  /// `3, 5 and 7 more`: words as they are.
  package static func list(words: [String]) -> String {
    let shown = words.prefix(5).joined(separator: ", ")
    return words.count > 5 ? "\(shown) and \(words.count - 5) more" : shown
  }

  /// `1 pair`, `3 pairs`.
  package static func count(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }

  /// What follows "there": `is 1 tree`, `are 3 trees`.
  package static func are(_ count: Int, _ noun: String) -> String {
    "\(count == 1 ? "is" : "are") \(self.count(count, noun))"
  }
}
