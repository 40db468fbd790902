package import StrictJSON

/// The bytes that a signature of update metadata is made of: OLPC's canonical JSON, as securesystemslib
/// writes it. Keys are in the order of their UTF-8, strings hold every character raw but `"` and `\`, and
/// numbers are integers.
package enum CanonicalForm {
  /// - Parameter origin: the file, for messages.
  /// - Throws: `JSONError` naming a number that is not an integer.
  package static func bytes(of node: JSONNode, origin: String) throws(JSONError) -> [UInt8] {
    var bytes: [UInt8] = []
    try write(node, origin, to: &bytes)
    return bytes
  }

  private static func write(
    _ node: JSONNode, _ origin: String, to bytes: inout [UInt8]
  ) throws(JSONError) {
    switch node.content {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .number:
      guard let value = node.plainInteger else {
        throw JSONError(
          origin: origin, position: node.position,
          fault: "\(node.kind) cannot be signed; only integers of 64 bits can")
      }
      bytes += String(value).utf8
    case .string(let text): quote(text, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        try write(element, origin, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let object):
      bytes.append(UInt8(ascii: "{"))
      let members = object.members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        quote(member.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        try write(member.value, origin, to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func quote(_ text: String, to bytes: inout [UInt8]) {
    let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
    bytes.append(quote)
    for byte in text.utf8 {
      if byte == quote || byte == backslash { bytes.append(backslash) }
      bytes.append(byte)
    }
    bytes.append(quote)
  }
}
