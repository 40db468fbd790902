/// A JSON value to be written; always in one byte form: sorted keys, shortest numbers.
package indirect enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  /// Written in the shortest form that reads back the same; a non-finite number becomes null.
  case double(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The text in one line, without spaces, ending without a newline.
  package var compact: String {
    var text = ""
    write(to: &text, indent: nil, level: 0)
    return text
  }

  /// The text over several lines, indented by two spaces, ending in a newline.
  package var pretty: String {
    var text = ""
    write(to: &text, indent: "  ", level: 0)
    return text + "\n"
  }

  /// Values in all, as `JSONParser` counts them: this one, and those in it.
  package var valueCount: Int {
    switch self {
    case .null, .bool, .integer, .double, .string: 1
    case .array(let elements): elements.reduce(1) { $0 + $1.valueCount }
    case .object(let members): members.values.reduce(1) { $0 + $1.valueCount }
    }
  }

  private func write(to text: inout String, indent: String?, level: Int) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .double(let value): text += value.isFinite ? "\(value)" : "null"
    case .string(let value): JSONValue.quote(value, into: &text)
    case .array(let elements):
      JSONValue.writeList(elements, "[", "]", to: &text, indent, level) { element, text in
        element.write(to: &text, indent: indent, level: level + 1)
      }
    case .object(let members):
      let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      JSONValue.writeList(sorted, "{", "}", to: &text, indent, level) { member, text in
        JSONValue.quote(member.key, into: &text)
        text += indent == nil ? ":" : ": "
        member.value.write(to: &text, indent: indent, level: level + 1)
      }
    }
  }

  private static func writeList<Element>(
    _ elements: [Element], _ open: String, _ close: String, to text: inout String,
    _ indent: String?, _ level: Int, _ body: (Element, inout String) -> Void
  ) {
    text += open
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      if let indent { text += "\n" + String(repeating: indent, count: level + 1) }
      body(element, &text)
    }
    if let indent, !elements.isEmpty { text += "\n" + String(repeating: indent, count: level) }
    text += close
  }

  /// Appends a string in quotes, escaped where it must be.
  static func quote(_ value: String, into text: inout String) {
    text += "\""
    defer { text += "\"" }
    // Nearly always nothing needs an escape, and a whole text is far quicker than its scalars.
    if value.utf8.allSatisfy({ isPlain($0) }) {
      text += value
      return
    }
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{0}"..<"\u{20}", "\u{7F}": text += scalar.jsonEscape
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  /// Whether a byte of a text is written as it is.
  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(integerLiteral value: Int) { self = .integer(value) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements) { _, last in last })
  }
}

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
