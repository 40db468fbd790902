import StrictJSON

/// The one byte form of JSON inside packages: compact, sorted keys, ASCII only.
enum CanonicalJSON {
  /// The bytes of a value, which must not hold `.double`s.
  static func bytes(of value: JSONValue) -> [UInt8] {
    var text = ""
    for scalar in value.compact.unicodeScalars {
      text += scalar.value < 0x80 ? String(scalar) : scalar.jsonEscape
    }
    return Array(text.utf8)
  }
}
