/// The one byte form of JSON inside packages: compact, sorted keys, ASCII only.
package enum CanonicalJSON {
  /// The bytes of a value, which must not hold `.double`s.
  package static func bytes(of value: JSONValue) -> [UInt8] {
    let text = value.compact
    // Nearly always nothing needs an escape.
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return Array(text.utf8) }
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        bytes.append(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        bytes += scalar.jsonEscape.utf8
      }
    }
    return bytes
  }
}
