import StrictJSON

/// Reads a file of inputs line by line, in any of its forms: the one grammar of reference sets,
/// calibration sets and inputs.
struct LineReader {
  let file: InputFile
  /// Most lines that are read.
  let maximum: Int

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
    switch file.form {
    case .jsonLines:
      try JSONLines.parse(text, origin: origin, maximum: maximum) {
        (node, line) throws(JSONError) in
        let content = try JSONLineGrammar.line(node, origin: origin)
        try body(PlacedLine(content, node.position), line)
      }
      return Reading(decision: file.isFormGuessed && !text.isEmpty ? decision() : nil)
    case .plainLines:
      try TextLines.parse(text, origin: origin, maximum: maximum) {
        (text, line) throws(JSONError) in
        let input = PlacedInput(.text(text), JSONPosition(line: 1, column: 1))
        try LineReader.placed(line) { () throws(JSONError) in
          try body(PlacedLine(.single(input)), line)
        }
      }
      return Reading(decision: decision())
    case .table(let separator): return try readTable(separator, body)
    }
  }

  private func readTable(
    _ separator: UInt8, _ body: (PlacedLine, Int) throws(JSONError) -> Void
  ) throws(JSONError) -> Reading {
    let origin = file.origin
    var table = TableText(file.text, origin: origin, separator: separator)
    guard let header = try table.next() else { return Reading(decision: decision()) }
    var ahead = table
    let columns = try TableColumns(header, first: try ahead.next(), origin: origin)
    var count = 1
    while let record = try table.next() {
      count += 1
      try LineReader.placed(record.line) { () throws(JSONError) in
        try check(record, of: count, header)
        try body(PlacedLine(try columns.line(record, origin: origin)), record.line)
      }
    }
    var reading = Reading(decision: decision(columns))
    if case .features(_, let names, _, _) = columns { reading.features = names }
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
    "\(file.origin): read as \(file.form.words)" + (columns.map { ": \($0.words)" } ?? "")
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
