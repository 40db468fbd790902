/// Reads a JSON text (RFC 8259) strictly and within limits.
///
/// Refused: duplicate keys, lone surrogates, a byte order mark, control characters in strings,
/// invalid UTF-8, anything after the value, and texts that nest too deep or hold too many values.
package struct JSONParser {
  /// Bounds on the cost of parsing a text.
  package struct Limits: Sendable {
    /// Levels of arrays and objects within each other.
    package var depth = 64
    /// Values in the whole text; bounds memory for any text.
    package var values = 300_000

    package init(depth: Int = 64, values: Int = 300_000) {
      self.depth = depth
      self.values = values
    }
  }

  let bytes: [UInt8]
  private let origin: String
  private let limits: Limits
  var offset = 0
  private var line = 1
  private var lineStart = 0
  private var valueCount = 0

  private init(_ bytes: [UInt8], origin: String, limits: Limits) {
    self.bytes = bytes
    self.origin = origin
    self.limits = limits
  }

  /// Parses a whole text.
  ///
  /// - Parameter origin: the file the text came from, for messages.
  package static func parse(
    _ bytes: [UInt8], origin: String, limits: Limits = Limits()
  ) throws(JSONError) -> JSONNode {
    var parser = JSONParser(bytes, origin: origin, limits: limits)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw parser.error("the text starts with a byte order mark; save it as plain UTF-8")
    }
    parser.skipSpace()
    let node = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.offset == bytes.count else { throw parser.error("text after the value") }
    return node
  }

  /// Parses a text whose value must be an object.
  package static func parseObject(
    _ bytes: [UInt8], origin: String, limits: Limits = Limits()
  ) throws(JSONError) -> JSONObject {
    let node = try parse(bytes, origin: origin, limits: limits)
    guard let object = node.object else {
      throw JSONError(
        origin: origin, position: node.position, fault: "is \(node.kind), expected an object")
    }
    return object
  }

  private var position: JSONPosition {
    JSONPosition(line: line, column: offset - lineStart + 1)
  }

  /// An error at the current position.
  func error(_ fault: String) -> JSONError {
    JSONError(origin: origin, position: position, fault: fault)
  }

  /// The byte at this place; nil at the end.
  var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skipSpace() {
    while let byte = next {
      switch byte {
      case 0x0A:
        line += 1
        lineStart = offset + 1
      case 0x20, 0x09, 0x0D: break
      default: return
      }
      offset += 1
    }
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSONNode {
    let start = position
    valueCount += 1
    guard valueCount <= limits.values else {
      throw error("the text holds more than \(limits.values) values")
    }
    guard depth <= limits.depth else {
      throw error("values nest deeper than \(limits.depth) levels")
    }
    let content: JSONNode.Content
    switch next {
    case UInt8(ascii: "{"): content = .object(try object(depth: depth, start: start))
    case UInt8(ascii: "["): content = .array(try array(depth: depth))
    case UInt8(ascii: "\""): content = .string(try string())
    case UInt8(ascii: "t"): content = try word("true", .bool(true))
    case UInt8(ascii: "f"): content = try word("false", .bool(false))
    case UInt8(ascii: "n"): content = try word("null", .null)
    case nil: throw error("the text ends where a value is expected")
    case UInt8(ascii: "-"): content = try number()
    case let byte? where UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte: content = try number()
    default: throw error("a value is expected here")
    }
    return JSONNode(content: content, position: start)
  }

  private mutating func word(
    _ word: StaticString, _ content: JSONNode.Content
  ) throws(JSONError) -> JSONNode.Content {
    let text = Array("\(word)".utf8)
    guard bytes[offset...].starts(with: text) else { throw error("a value is expected here") }
    offset += text.count
    return content
  }

  private mutating func object(depth: Int, start: JSONPosition) throws(JSONError) -> JSONObject {
    offset += 1
    var keys = KeyTable()
    var members: [(key: String, value: JSONNode)] = []
    skipSpace()
    if next == UInt8(ascii: "}") {
      offset += 1
    } else {
      repeat {
        skipSpace()
        let key = try key(&keys, members)
        members.append((key, try value(depth: depth + 1)))
      } while try hasMore(closing: UInt8(ascii: "}"))
    }
    return JSONObject(origin: origin, position: start, members: members, keys: keys)
  }

  /// Reads a key with its colon, up to the value.
  private mutating func key(
    _ keys: inout KeyTable, _ members: [(key: String, value: JSONNode)]
  ) throws(JSONError) -> String {
    guard next == UInt8(ascii: "\"") else { throw error("a key in quotes is expected here") }
    let keyPosition = position
    let key = try string()
    guard keys.insert(key, members) else {
      throw JSONError(
        origin: origin, position: keyPosition,
        fault: "the key \(quoted(key)) appears twice in one object")
    }
    skipSpace()
    guard next == UInt8(ascii: ":") else { throw error("':' is expected after a key") }
    offset += 1
    skipSpace()
    return key
  }

  private mutating func array(depth: Int) throws(JSONError) -> [JSONNode] {
    offset += 1
    var elements: [JSONNode] = []
    skipSpace()
    if next == UInt8(ascii: "]") {
      offset += 1
      return elements
    }
    repeat {
      skipSpace()
      elements.append(try value(depth: depth + 1))
    } while try hasMore(closing: UInt8(ascii: "]"))
    return elements
  }

  /// Steps over `,` (true) or the closing byte (false).
  private mutating func hasMore(closing: UInt8) throws(JSONError) -> Bool {
    skipSpace()
    guard next == UInt8(ascii: ",") || next == closing else {
      throw error(
        next == nil
          ? "the text ends inside an object or array"
          : "',' or '\(Character(Unicode.Scalar(closing)))' is expected here")
    }
    offset += 1
    return bytes[offset - 1] != closing
  }

  private mutating func number() throws(JSONError) -> JSONNode.Content {
    let start = offset
    if next == UInt8(ascii: "-") { offset += 1 }
    let whole = try digits()
    if whole > 1 && bytes[offset - whole] == UInt8(ascii: "0") {
      throw error("a number must not start with 0")
    }
    if next == UInt8(ascii: ".") {
      offset += 1
      _ = try digits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      offset += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
      _ = try digits()
    }
    guard offset - start <= 1000 else { throw error("a number has more than 1000 digits") }
    return .number(String(decoding: bytes[start..<offset], as: UTF8.self))
  }

  private mutating func digits() throws(JSONError) -> Int {
    let start = offset
    while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { offset += 1 }
    guard offset > start else { throw error("a digit is expected here") }
    return offset - start
  }
}
