import StrictJSON

/// Lines of a plain text.
enum TextLines {
  /// The start of a text: behind a byte order mark, which spreadsheets write.
  static func start(of text: [UInt8]) -> Int {
    text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// Whether the first line is a JSON value.
  static func startsWithJSON(_ text: [UInt8]) -> Bool {
    let line = text.prefix { $0 != UInt8(ascii: "\n") }
    guard line.count <= JSONLines.maxBytes else { return false }
    return (try? JSONParser.parse(Array(line), origin: "")) != nil
  }

  /// Hands on every line with its number, from 1; a line ends with a newline, or with a carriage
  /// return and a newline.
  ///
  /// - Parameter skipped: told the number of each blank line, which is passed over.
  /// - Throws: `JSONError` of a line that is too long or not UTF-8, or holds a carriage return.
  static func parse(
    _ text: [UInt8], origin: String, maximum: Int, skipping skipped: @escaping (Int) -> Void,
    _ body: (String, Int) throws(JSONError) -> Void
  ) throws(JSONError) {
    try JSONLines.split(
      text, from: start(of: text), origin: origin, maximum: maximum, skipping: skipped
    ) {
      (range, number) throws(JSONError) in
      var line = text[range]
      if line.last == carriageReturn { line.removeLast() }
      guard !line.contains(carriageReturn) else { throw loneReturn(origin: origin, line: number) }
      try body(try string(line, origin: origin, line: number), number)
    }
  }

  static let carriageReturn = UInt8(ascii: "\r")

  /// The fault of a carriage return alone, with which very old programs end lines: all lines would be
  /// one.
  static func loneReturn(origin: String, line: Int) -> JSONError {
    JSONError(
      origin: origin, position: JSONPosition(line: line, column: 1),
      fault: "there is a carriage return without a newline behind it; save the file with lines "
        + "that end in LF or CRLF")
  }

  /// A text of bytes.
  ///
  /// - Throws: `JSONError` of bytes that are not UTF-8, or hold a zero, as UTF-16 does.
  static func string(
    _ bytes: ArraySlice<UInt8>, origin: String, line: Int
  ) throws(JSONError) -> String {
    func fault(_ fault: String, from encoding: String) -> JSONError {
      JSONError(
        origin: origin, position: JSONPosition(line: line, column: 1), fault: fault,
        mend: "save the file again as UTF-8, which spreadsheets call 'CSV UTF-8', or convert it: "
          + "iconv -f \(encoding) -t UTF-8")
    }
    guard !bytes.contains(0) else {
      throw fault(
        "the line holds a zero byte, as UTF-16 has them; save the file as UTF-8", from: "UTF-16")
    }
    guard let text = String(utf8: bytes) else {
      throw fault("the line is not UTF-8", from: "WINDOWS-1252")
    }
    return text
  }
}
