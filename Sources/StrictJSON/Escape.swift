extension Unicode.Scalar {
  /// The scalar as JSON escapes it: `\u` and four hexadecimal digits, twice (a surrogate pair)
  /// beyond the first plane.
  package var jsonEscape: String {
    String(self).utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }
}
