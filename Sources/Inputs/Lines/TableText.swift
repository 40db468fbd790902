import StrictJSON

/// A text of records whose fields may be quoted, as RFC 4180 says.
///
/// A quote begins a quoted field only as its first byte; elsewhere it is a quote. In a quoted field two
/// quotes are one, and separators and newlines are text. A carriage return alone neither ends a
/// record nor may be part of an unquoted field.
struct TableText {
  /// One field of a record, and where it begins.
  struct Field {
    let text: String
    /// The line counts from the record's first.
    let position: JSONPosition
  }

  /// One record.
  struct Record {
    let fields: [Field]
    /// The line it begins on, from 1.
    let line: Int
    /// Whether its line is empty.
    let isBlank: Bool
  }

  private let bytes: [UInt8]
  private let origin: String
  private let separator: UInt8
  private var offset: Int
  private var line = 1

  private static let quote = UInt8(ascii: "\""), newline = UInt8(ascii: "\n")

  init(_ bytes: [UInt8], origin: String, separator: UInt8) {
    self.bytes = bytes
    self.origin = origin
    self.separator = separator
    offset = TextLines.start(of: bytes)
  }

  /// The next record; nil at the end.
  ///
  /// - Throws: `JSONError` with the line.
  mutating func next() throws(JSONError) -> Record? {
    guard offset < bytes.count else { return nil }
    let start = offset, first = line
    var fields: [Field] = []
    var lineStart = offset
    repeat {
      let position = JSONPosition(line: line - first + 1, column: offset - lineStart + 1)
      let text = try field(from: start, lineStart: &lineStart)
      fields.append(Field(text: text, position: position))
    } while takeSeparator()
    let end = offset
    takeNewline()
    return Record(fields: fields, line: first, isBlank: end == start)
  }

  private mutating func takeSeparator() -> Bool {
    guard offset < bytes.count, bytes[offset] == separator else { return false }
    offset += 1
    return true
  }

  private mutating func takeNewline() {
    if offset < bytes.count, bytes[offset] == TextLines.carriageReturn { offset += 1 }
    if offset < bytes.count {
      offset += 1
      line += 1
    }
  }

  /// Whether a record ends here: with a newline, alone or behind a carriage return, or with the text.
  private func endsRecord(_ place: Int) -> Bool {
    guard place < bytes.count else { return true }
    if bytes[place] == TableText.newline { return true }
    return bytes[place] == TextLines.carriageReturn
      && (place + 1 == bytes.count || bytes[place + 1] == TableText.newline)
  }

  private mutating func field(
    from start: Int, lineStart: inout Int
  ) throws(JSONError) -> String {
    guard offset < bytes.count, bytes[offset] == TableText.quote else {
      let begin = offset
      while !endsRecord(offset), bytes[offset] != separator { offset += 1 }
      try checkLength(from: start)
      guard !bytes[begin..<offset].contains(TextLines.carriageReturn) else {
        throw TextLines.loneReturn(origin: origin, line: line)
      }
      return try TextLines.string(bytes[begin..<offset], origin: origin, line: line)
    }
    return try quoted(from: start, lineStart: &lineStart)
  }

  private mutating func quoted(
    from start: Int, lineStart: inout Int
  ) throws(JSONError) -> String {
    let first = line
    var content: [UInt8] = []
    offset += 1
    while true {
      guard offset < bytes.count else {
        throw fault("a quoted field begins here and does not end", line: first)
      }
      let byte = bytes[offset]
      offset += 1
      if byte == TableText.quote {
        guard offset < bytes.count, bytes[offset] == TableText.quote else { break }
        offset += 1
      } else if byte == TableText.newline {
        line += 1
        lineStart = offset
      }
      content.append(byte)
      try checkLength(from: start, line: first)
    }
    guard endsRecord(offset) || bytes[offset] == separator else {
      if bytes[offset] == TextLines.carriageReturn {
        throw TextLines.loneReturn(origin: origin, line: line)
      }
      throw fault("text follows the closing quote of a field; a quote in a field is written twice")
    }
    return try TextLines.string(content[...], origin: origin, line: first)
  }

  private func checkLength(from start: Int, line: Int? = nil) throws(JSONError) {
    guard offset - start <= JSONLines.maxBytes else {
      throw fault("the record has more than \(JSONLines.maxBytes) bytes", line: line)
    }
  }

  private func fault(_ fault: String, line: Int? = nil) -> JSONError {
    JSONError(
      origin: origin, position: JSONPosition(line: line ?? self.line, column: 1), fault: fault)
  }
}
