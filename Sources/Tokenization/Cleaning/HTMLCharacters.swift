/// Characters of HTML written as `&name;` or `&#number;`.
///
/// Source: the standard's "named character references", as Python's `html` and ftfy apply them.
enum HTMLCharacters {
  private struct Named {
    let text: [UInt32]
    /// Whether the name also counts without a semicolon.
    let isBare: Bool
  }

  private static let named = table(EntityTables.named)
  private static let upperCase = table(CapitalEntityTable.names)
  private static let numbered = ScalarMapping(EntityTables.numbered)
  private static let dropped = Set(
    TableReader(EntityTables.dropped).flatMap { $0.first...$0.last })
  /// The most characters of a name that counts without a semicolon.
  private static let longestBare = named.reduce(0) { max($0, $1.value.isBare ? $1.key.count : 0) }

  private static func table(_ text: String) -> [[UInt32]: Named] {
    var names: [[UInt32]: Named] = [:]
    for item in text.utf8.split(whereSeparator: { $0 <= 0x20 }) {
      let parts = item.split(separator: UInt8(ascii: "="))
      guard parts.count == 2 else { continue }
      let isBare = parts[0].last == UInt8(ascii: "!")
      let name = parts[0].dropLast(isBare ? 1 : 0).map { UInt32($0) }
      let scalars = parts[1].split(separator: UInt8(ascii: ".")).map { digits in
        digits.reduce(0) { $0 << 4 | (value(UInt32($1), isHexadecimal: true) ?? 0) }
      }
      names[name] = Named(text: scalars, isBare: isBare)
    }
    return names
  }

  // MARK: As Python

  /// As `html.unescape`: with and without semicolon, names cut where the longest one ends.
  static func unescaped(_ text: [UInt32]) -> [UInt32] {
    replaced(text) { index in
      character(in: text, at: index)
    }
  }

  /// The scalars that a reference at an ampersand encodes, and the index behind it.
  private static func character(in text: [UInt32], at index: Int) -> ([UInt32], end: Int)? {
    let start = index + 1
    guard start < text.count else { return nil }
    if text[start] == 0x23 { return number(in: text, at: start + 1) }
    // Tab, line feed, form feed, space, <, &, #, ; end a name.
    let ends: [UInt32] = [0x09, 0x0A, 0x0C, 0x20, 0x3C, 0x26, 0x23, 0x3B]
    var end = start
    while end < text.count, end - start < 32, !ends.contains(text[end]) { end += 1 }
    guard end > start else { return nil }
    let name = Array(text[start..<end])
    if end < text.count, text[end] == 0x3B, let found = named[name] { return (found.text, end + 1) }
    for length in stride(from: min(name.count, longestBare), to: 1, by: -1) {
      if let found = named[Array(name[..<length])], found.isBare {
        return (found.text, start + length)
      }
    }
    return nil
  }

  private static func number(in text: [UInt32], at start: Int) -> ([UInt32], end: Int)? {
    let isHexadecimal = start < text.count && (text[start] == 0x58 || text[start] == 0x78)
    let first = isHexadecimal ? start + 1 : start
    var end = first
    var number: UInt32 = 0
    while end < text.count, let digit = value(text[end], isHexadecimal: isHexadecimal) {
      number = min(number * (isHexadecimal ? 16 : 10) + digit, 0x110000)
      end += 1
    }
    guard end > first else { return nil }
    if end < text.count, text[end] == 0x3B { end += 1 }
    return (scalars(of: number), end)
  }

  private static func scalars(of number: UInt32) -> [UInt32] {
    if let other = numbered.exact(number) { return other }
    if 0xD800...0xDFFF ~= number || number > 0x10FFFF { return [0xFFFD] }
    return dropped.contains(number) ? [] : [number]
  }

  private static func value(_ digit: UInt32, isHexadecimal: Bool) -> UInt32? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46 where isHexadecimal: digit - 0x37
    case 0x61...0x66 where isHexadecimal: digit - 0x57
    default: nil
    }
  }

  // MARK: As ftfy

  /// As `ftfy.fixes.unescape_html`: only with semicolon, names of at most 24 characters, and some
  /// additional names in capitals.
  static func unescapedStrictly(_ text: [UInt32]) -> [UInt32] {
    replaced(text) { index in
      var end = index + 1
      let isNumber = end < text.count && text[end] == 0x23
      if isNumber { end += 1 }
      let start = end
      while end < text.count, end - start < 25, isAlphanumeric(text[end]) { end += 1 }
      guard 1...24 ~= end - start, end < text.count, text[end] == 0x3B else { return nil }
      if isNumber {
        // The number must fill the whole name, and may not encode a semicolon.
        guard let (scalars, stop) = number(in: text, at: start), stop == end + 1,
          !scalars.contains(0x3B)
        else { return nil }
        return (scalars, end + 1)
      }
      let name = Array(text[start..<end])
      return (named[name] ?? upperCase[name]).map { ($0.text, end + 1) }
    }
  }

  private static func isAlphanumeric(_ scalar: UInt32) -> Bool {
    0x30...0x39 ~= scalar || 0x41...0x5A ~= scalar || 0x61...0x7A ~= scalar
  }

  /// Replaces each reference, which begins with an ampersand, where `replacement` knows it.
  private static func replaced(
    _ text: [UInt32], by replacement: (Int) -> ([UInt32], end: Int)?
  ) -> [UInt32] {
    guard var index = text.firstIndex(of: 0x26) else { return text }
    var result = Array(text[..<index])
    result.reserveCapacity(text.count)
    while index < text.count {
      if text[index] == 0x26, let (scalars, end) = replacement(index) {
        result += scalars
        index = end
      } else {
        result.append(text[index])
        index += 1
      }
    }
    return result
  }
}
