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
  package var compact: String { String(decoding: compactBytes, as: UTF8.self) }

  /// The same as UTF-8.
  package var compactBytes: [UInt8] {
    var text: [UInt8] = []
    write(to: &text, indent: nil, level: 0)
    return text
  }

  /// The text over several lines, indented by two spaces, ending in a newline.
  package var pretty: String {
    var text: [UInt8] = []
    write(to: &text, indent: 2, level: 0)
    return String(decoding: text, as: UTF8.self) + "\n"
  }

  /// Values in all, as `JSONParser` counts them: this one, and those in it.
  package var valueCount: Int {
    switch self {
    case .null, .bool, .integer, .double, .string: 1
    case .array(let elements): elements.reduce(1) { $0 + $1.valueCount }
    case .object(let members): members.values.reduce(1) { $0 + $1.valueCount }
    }
  }

  private func write(to text: inout [UInt8], indent: Int?, level: Int) {
    switch self {
    case .null: text += "null".utf8
    case .bool(let value): text += (value ? "true" : "false").utf8
    case .integer(let value): text += String(value).utf8
    case .double(let value): text += (value.isFinite ? "\(value)" : "null").utf8
    case .string(let value): JSONValue.quote(value, into: &text)
    case .array(let elements):
      JSONValue.writeList(elements, "[", "]", to: &text, indent, level) { element, text in
        element.write(to: &text, indent: indent, level: level + 1)
      }
    case .object(let members):
      let sorted = members.sorted { $0.key.bytesPrecede($1.key) }
      JSONValue.writeList(sorted, "{", "}", to: &text, indent, level) { member, text in
        JSONValue.quote(member.key, into: &text)
        text.append(UInt8(ascii: ":"))
        if indent != nil { text.append(UInt8(ascii: " ")) }
        member.value.write(to: &text, indent: indent, level: level + 1)
      }
    }
  }

  private static func writeList<Element>(
    _ elements: [Element], _ open: Unicode.Scalar, _ close: Unicode.Scalar, to text: inout [UInt8],
    _ indent: Int?, _ level: Int, _ body: (Element, inout [UInt8]) -> Void
  ) {
    func newLine(_ level: Int) {
      guard let indent else { return }
      text.append(UInt8(ascii: "\n"))
      text += repeatElement(UInt8(ascii: " "), count: indent * level)
    }
    text.append(UInt8(ascii: open))
    for (index, element) in elements.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      newLine(level + 1)
      body(element, &text)
    }
    if !elements.isEmpty { newLine(level) }
    text.append(UInt8(ascii: close))
  }

  /// Appends a string in quotes, escaped where it must be.
  static func quote(_ value: String, into text: inout [UInt8]) {
    text.append(UInt8(ascii: "\""))
    defer { text.append(UInt8(ascii: "\"")) }
    // Nearly always nothing needs an escape, and a whole text is far quicker than its scalars.
    let start = text.count
    text += value.utf8
    if text[start...].allSatisfy({ isPlain($0) }) { return }
    text.removeSubrange(start...)
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\"".utf8
      case "\\": text += "\\\\".utf8
      case "\n": text += "\\n".utf8
      case "\r": text += "\\r".utf8
      case "\t": text += "\\t".utf8
      case "\u{0}"..<"\u{20}", "\u{7F}": text += scalar.jsonEscape.utf8
      default: text += String(scalar).utf8
      }
    }
  }

  /// Whether a byte of a text is written as it is.
  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }
}

extension String {
  /// Whether it comes before another one by the bytes of UTF-8.
  package func bytesPrecede(_ other: String) -> Bool {
    let quick = unsafe utf8.withContiguousStorageIfAvailable { left in
      unsafe other.utf8.withContiguousStorageIfAvailable { right in
        unsafe left.lexicographicallyPrecedes(right)
      }
    }
    return (quick ?? nil) ?? utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// Whether it has the same bytes of UTF-8 as another one.
  package func hasBytes(of other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let quick = unsafe utf8.withContiguousStorageIfAvailable { left in
      unsafe other.utf8.withContiguousStorageIfAvailable { right in
        unsafe left.elementsEqual(right)
      }
    }
    return (quick ?? nil) ?? utf8.elementsEqual(other.utf8)
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
    let text = value.compactBytes
    // Nearly always nothing needs an escape.
    if text.allSatisfy({ $0 < 0x80 }) { return text }
    var bytes: [UInt8] = []
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      if scalar.isASCII {
        bytes.append(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        bytes += scalar.jsonEscape.utf8
      }
    }
    return bytes
  }
}
