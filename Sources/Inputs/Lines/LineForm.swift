/// The form of the lines in a file of inputs.
enum LineForm: Equatable, Sendable {
  /// One JSON value on each line.
  case jsonLines
  /// A header, then records; fields are parted by this byte and may be quoted (RFC 4180).
  case table(separator: UInt8)
  /// One text on each line.
  case plainLines

  static let csv = LineForm.table(separator: UInt8(ascii: ","))
  static let tsv = LineForm.table(separator: UInt8(ascii: "\t"))

  /// The form that a file's name says; nil if it says nothing.
  init?(name: String) {
    switch name.split(separator: ".", omittingEmptySubsequences: false).last?.lowercased() {
    case "jsonl", "ndjson", "json": self = .jsonLines
    case "csv": self = .csv
    case "tsv", "tab": self = .tsv
    case "txt": self = .plainLines
    default: return nil
    }
  }

  /// The form that the first lines of a text look like.
  ///
  /// Only a header whose columns are known, or names above numbers, make a table; a line that begins
  /// as JSON does is JSON, and everything else is plain text.
  init(text: [UInt8]) {
    let start = TextLines.start(of: text)
    guard let first = text[start...].first(where: { $0 > 0x20 }) else {
      self = .jsonLines
      return
    }
    let isBrace = [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(first)
    if isBrace || first == UInt8(ascii: "\"") && TextLines.startsWithJSON(text) {
      self = .jsonLines
    } else if let table = [LineForm.tsv, .csv].first(where: { $0.hasClearHeader(text) }) {
      self = table
    } else {
      self = .plainLines
    }
  }

  /// The form's name in messages.
  var words: String {
    switch self {
    case .jsonLines: "JSON lines"
    case .csv: "CSV"
    case .table: "TSV"
    case .plainLines: "plain lines, one text each"
    }
  }

  private func hasClearHeader(_ text: [UInt8]) -> Bool {
    guard case .table(let separator) = self else { return false }
    var table = TableText(text, origin: "", separator: separator)
    guard let header = try? table.next(), header.fields.count > 1 || header.fields[0].text == "text"
    else { return false }
    if TableColumns.areKnown(header.fields.map(\.text)) { return true }
    // Names above numbers: features.
    guard let second = try? table.next(), second.fields.count == header.fields.count else {
      return false
    }
    return header.fields.allSatisfy { TableNumber.value(of: $0.text) == nil }
      && second.fields.allSatisfy { TableNumber.value(of: $0.text) != nil }
  }
}
