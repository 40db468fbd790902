import StrictJSON

/// Reads a file of inputs line by line, in any of its forms: the one grammar of reference sets,
/// calibration sets and inputs.
struct LineReader {
  let file: InputFile
  /// Most lines that are read.
  let maximum: Int
  /// What a blank line among plain lines is.
  var blankLines = BlankLines.refused

  /// A note on how a file was read.
  struct Reading: Equatable {
    /// Names of the features in the order of every input's values; nil if lines do not name them.
    var features: [String]?
    /// The decision about the form, for people; nil if the file name says JSON lines.
    var decision: String?
  }

  /// Hands on every line with the number it begins on.
  ///
  /// - Parameter body: throws errors whose lines count from the line itself.
  /// - Throws: `JSONError` with the place in the file.
  func read(
    _ body: (PlacedLine, Int) throws(JSONError) -> Void
  ) throws(JSONError) -> Reading {
    let (origin, text) = (file.origin, file.text)
    let form =
      file.isFormGuessed ? LineForm(naming: file.columns, in: text) ?? file.form : file.form
    switch form {
    case .jsonLines:
      try requireNoColumns(of: form)
      try JSONLines.parse(text, origin: origin, maximum: maximum) {
        (node, line) throws(JSONError) in
        let content = try JSONLineGrammar.line(node, origin: origin)
        try body(PlacedLine(content, node.position), line)
      }
      return Reading(decision: file.isFormGuessed && !text.isEmpty ? decision() : nil)
    case .plainLines:
      try requireNoColumns(of: form)
      return try readPlainLines(body)
    case .table(let separator): return try readTable(separator, body)
    }
  }

  private func requireNoColumns(of form: LineForm) throws(JSONError) {
    if file.areColumnsOfAnother { return }
    try file.columns.requireNone(of: form, origin: file.origin)
  }

  private func readPlainLines(
    _ body: (PlacedLine, Int) throws(JSONError) -> Void
  ) throws(JSONError) -> Reading {
    var blank: [Int] = []
    try TextLines.parse(
      file.text, origin: file.origin, maximum: maximum, skipping: { blank.append($0) }
    ) { (text, line) throws(JSONError) in
      if blankLines == .refused, let first = blank.first {
        throw JSONError(
          origin: file.origin, position: JSONPosition(line: first, column: 1),
          fault: "the line is blank")
      }
      let input = PlacedInput(.text(text), JSONPosition(line: 1, column: 1))
      try LineReader.placed(line) { () throws(JSONError) in
        try body(PlacedLine(.single(input)), line)
      }
    }
    guard !blank.isEmpty else { return Reading(decision: decision()) }
    return Reading(
      decision: "\(decision()); \(Figures.count(blank.count, "blank line")) left out")
  }

  private func readTable(
    _ separator: UInt8, _ body: (PlacedLine, Int) throws(JSONError) -> Void
  ) throws(JSONError) -> Reading {
    let origin = file.origin
    var table = TableText(file.text, origin: origin, separator: separator)
    guard let header = try table.next() else { return Reading(decision: decision()) }
    var ahead = table
    let named =
      file.areColumnsOfAnother
      ? file.columns.there(in: header.fields.map(\.text)) : file.columns
    let columns = try TableColumns(
      header, first: try ahead.next(), naming: named, origin: origin)
    var count = 1
    while let record = try table.next() {
      count += 1
      try LineReader.placed(record.line) { () throws(JSONError) in
        try check(record, of: count, header)
        try body(PlacedLine(try columns.line(record, origin: origin)), record.line)
      }
    }
    var reading = Reading(decision: decision(columns))
    if case .features(_, let names, _, _, _) = columns { reading.features = names }
    return reading
  }

  private func check(
    _ record: TableText.Record, of count: Int, _ header: TableText.Record
  ) throws(JSONError) {
    func fault(_ fault: String) -> JSONError {
      JSONError(origin: file.origin, position: JSONPosition(line: 1, column: 1), fault: fault)
    }
    guard count <= maximum else { throw fault("the file has more than \(maximum) lines") }
    guard !record.isBlank else { throw fault("the line is blank") }
    guard record.fields.count == header.fields.count else {
      throw fault(
        "the record has \(Figures.count(record.fields.count, "field")), the header has "
          + "\(Figures.count(header.fields.count, "column"))")
    }
  }

  private func decision(_ columns: TableColumns? = nil) -> String {
    let form = columns != nil && file.form == .plainLines ? LineForm.csv : file.form
    return "\(file.origin): read as \(form.words)" + (columns.map { ": \($0.words)" } ?? "")
  }

  /// Runs `body` and shifts the lines of its errors, which then count from `line`.
  private static func placed(
    _ line: Int, _ body: () throws(JSONError) -> Void
  ) throws(JSONError) {
    do throws(JSONError) {
      try body()
    } catch {
      throw error.moved(toLine: line)
    }
  }
}

/// What a blank line among plain lines is.
package enum BlankLines: Sendable {
  /// A fault before a text, where each line becomes a row and the row's number says the line.
  case refused
  /// Nothing, where the texts alone count; those who read the file say how many there were.
  case skipped
}

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
  /// - Parameter skipped: told the number of each blank line, which is passed over then.
  /// - Throws: `JSONError` of a line that is blank (without `skipped`) or too long, or one too many.
  static func split(
    _ bytes: [UInt8], from begin: Int, origin: String, maximum: Int,
    skipping skipped: ((Int) -> Void)? = nil,
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
      let isBlank = bytes[start..<end].allSatisfy { [0x20, 0x09, 0x0D].contains($0) }
      if !isBlank {
        try body(start..<end, number)
      } else if let skipped {
        skipped(number)
      } else {
        throw fault("the line is blank", origin, number)
      }
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
      fault: fault, mend: mend)
  }
}
