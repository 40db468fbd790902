import StrictJSON

/// A text of one JSON value per line.
enum JSONLines {
  /// Longest line in bytes; bounds the cost of parsing a hostile one.
  static let maxBytes = 1 << 20

  /// Parses every line and hands it on with its number, from 1.
  ///
  /// A newline ends a line, so one at the very end is not a blank line; any other blank line is an
  /// error, because rows of outputs are counted by lines.
  ///
  /// - Throws: `JSONError` whose place is the line in the whole file.
  static func parse(
    _ bytes: [UInt8], origin: String, maximum: Int,
    _ body: (JSONNode, Int) throws(JSONError) -> Void
  ) throws(JSONError) {
    try split(bytes, from: 0, origin: origin, maximum: maximum) {
      (range, number) throws(JSONError) in
      do throws(JSONError) {
        let node = try JSONParser.parse(Array(bytes[range]), origin: origin)
        try body(node, number)
      } catch {
        // A line is parsed on its own, as line 1.
        throw error.moved(toLine: number)
      }
    }
  }

  /// Hands on the bytes of every line with its number, from 1.
  ///
  /// - Throws: `JSONError` of a line that is blank or too long, or one too many.
  static func split(
    _ bytes: [UInt8], from begin: Int, origin: String, maximum: Int,
    _ body: (Range<Int>, Int) throws(JSONError) -> Void
  ) throws(JSONError) {
    var number = 0
    var start = begin
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      number += 1
      guard number <= maximum else {
        throw fault("the file has more than \(maximum) lines", origin, number)
      }
      guard end - start <= maxBytes else {
        throw fault(
          "the line has \(end - start) bytes, at most \(maxBytes) are read", origin, number)
      }
      guard bytes[start..<end].contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else {
        throw fault("the line is blank", origin, number)
      }
      try body(start..<end, number)
      start = end + 1
    }
  }

  private static func fault(_ fault: String, _ origin: String, _ line: Int) -> JSONError {
    JSONError(origin: origin, position: JSONPosition(line: line, column: 1), fault: fault)
  }
}

extension JSONError {
  /// The same fault in a whole file, its lines having been counted from line `number` of that.
  func moved(toLine number: Int) -> JSONError {
    JSONError(
      origin: origin,
      position: JSONPosition(line: position.line + number - 1, column: position.column),
      fault: fault)
  }
}
