import StrictJSON

/// The one byte form of JSON inside packages: compact, sorted keys, ASCII only.
enum CanonicalJSON {
  /// The bytes of a value, which must not hold `.double`s.
  static func bytes(of value: JSONValue) -> [UInt8] {
    var text = ""
    for scalar in value.compact.unicodeScalars {
      text += scalar.value < 0x80 ? String(scalar) : scalar.escaped(asASCII: false)
    }
    return Array(text.utf8)
  }
}

extension Unicode.Scalar {
  /// The scalar as `\uXXXX` (a pair of them beyond the first plane) unless it is printable ASCII.
  ///
  /// - Parameter asASCII: whether control characters are escaped, too.
  func escaped(asASCII: Bool) -> String {
    if value < 0x80 && (!asASCII || (0x20..<0x7F) ~= value) { return String(self) }
    return String(self).utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }
}
