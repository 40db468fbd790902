/// A name from a file in single quotes, fit for a message on one line.
///
/// Control characters, which could move a terminal's cursor, and other invisible scalars are written
/// as `\u{1b}`; a text longer than `limit` scalars is cut and ends in `…`.
package func quoted(_ text: String, limit: Int = 80) -> String { "'\(printable(text, limit))'" }

/// A text from a file without anything a terminal would act on.
func printable(_ text: String, _ limit: Int) -> String {
  var result = ""
  for (index, scalar) in text.unicodeScalars.enumerated() {
    if index == limit { return result + "…" }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
      .privateUse:
      result += "\\u{\(String(scalar.value, radix: 16))}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}

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
