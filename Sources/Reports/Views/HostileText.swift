import Mustache

/// Escapes everything that a template shows: texts, names and paths come from files of strangers.
///
/// The library's own escape looks at characters as people see them, and passes over a quote or an
/// angle bracket that a combining mark follows. This one looks at scalars, and also writes out what
/// steers: control characters, and marks that turn the direction of the text around it.
struct HostileText: MustacheContentType {
  /// The name by which templates ask for it.
  static let name = "INGOT"

  func escapeText(_ text: String) -> String {
    var safe = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "<": safe += "&lt;"
      case ">": safe += "&gt;"
      case "&": safe += "&amp;"
      case "\"": safe += "&quot;"
      case "'": safe += "&#39;"
      case "`": safe += "&#96;"
      case _ where HostileText.steers(scalar):
        safe += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      default: safe.unicodeScalars.append(scalar)
      }
    }
    return safe
  }

  /// Controls but the newline and the tab, marks of direction, what no character has, and the marks
  /// that an HTML reader replaces.
  private static func steers(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF,
      0xE0000...0xE007F:
      true
    default: scalar.value & 0xFFFE == 0xFFFE
    }
  }

  /// At most so many scalars of a text, and a mark where it was cut.
  static func cut(_ text: String, to longest: Int) -> String {
    let scalars = text.unicodeScalars
    guard
      let end = scalars.index(scalars.startIndex, offsetBy: longest, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return text }
    return String(scalars[..<end]) + "…"
  }
}

/// Base64 with padding (RFC 4648), for pictures inside the page.
enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let rest = bytes[start..<min(start + 3, bytes.count)]
      let word = rest.enumerated().reduce(0) { $0 | Int($1.element) << (16 - 8 * $1.offset) }
      for place in 0..<4 {
        text.append(
          place <= rest.count ? digits[word >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
