package import StrictJSON

/// A text of one JSON value per line.
package enum JSONLines {
  /// Bytes of one line at most; keeps what a hostile line costs to parse bounded.
  static let mostBytes = 1 << 20

  /// Parses every line and hands it on with its number, from 1.
  ///
  /// A newline ends a line, so one at the very end is not a blank line; any other blank line is an
  /// error, because rows of outputs are counted by lines.
  ///
  /// - Throws: `JSONError` whose place is the line in the whole file.
  package static func parse(
    _ bytes: [UInt8], origin: String, most: Int,
    _ body: (JSONNode, Int) throws(JSONError) -> Void
  ) throws(JSONError) {
    var number = 0
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      number += 1
      guard number <= most else {
        throw fault("the file has more than \(most) lines", origin, number)
      }
      guard end - start <= mostBytes else {
        throw fault(
          "the line has \(end - start) bytes, at most \(mostBytes) are read", origin, number)
      }
      guard bytes[start..<end].contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else {
        throw fault("the line is blank", origin, number)
      }
      do throws(JSONError) {
        let node = try JSONParser.parse(Array(bytes[start..<end]), origin: origin)
        try body(node, number)
      } catch {
        // A line is parsed on its own, as line 1.
        throw JSONError(
          origin: error.origin,
          position: JSONPosition(
            line: error.position.line + number - 1, column: error.position.column),
          fault: error.fault)
      }
      start = end + 1
    }
  }

  private static func fault(_ fault: String, _ origin: String, _ line: Int) -> JSONError {
    JSONError(origin: origin, position: JSONPosition(line: line, column: 1), fault: fault)
  }
}
