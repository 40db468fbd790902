import Files
package import StrictJSON
import Weights

/// A file of inputs as it was given, and the text in it.
///
/// The digest of a set is that of the bytes as given; a `.gz` is inflated for reading only.
package struct InputFile: Sendable {
  /// The path that means standard input.
  package static let standardInput = "-"

  /// The file, for messages.
  package let origin: String
  /// The bytes as they were given.
  package let bytes: [UInt8]
  /// The text: the bytes, inflated if they were compressed.
  let text: [UInt8]
  /// The form of its lines.
  let form: LineForm
  /// Whether the form was guessed from the text because the name says nothing.
  let isFormGuessed: Bool
  /// Columns that are no features, where it is a table.
  package var columns = NamedColumns.none
  /// Whether the columns were named for a file beside this one: it need not have them, or be a table.
  package var areColumnsOfAnother = false

  /// Whether a file's name says that it is a table, compressed or not.
  package static func isTable(named path: String) -> Bool {
    let name = Folder.name(of: path)
    guard case .table = LineForm(name: name.hasSuffix(".gz") ? String(name.dropLast(3)) : name)
    else { return false }
    return true
  }

  /// Reads a file.
  ///
  /// - Parameter limit: most bytes, before and after inflating.
  /// - Throws: `FileError`, or `JSONError` for a file that cannot be inflated.
  package init(path: String, limit: Int) throws {
    try self.init(
      bytes: try MappedFile.contents(of: path, limit: limit), origin: path, limit: limit)
  }

  /// Reads the file that a command's option names, or standard input to its end.
  ///
  /// - Throws: as `init(path:limit:)`.
  package init(argument: String, limit: Int) throws {
    guard argument == InputFile.standardInput else {
      try self.init(path: argument, limit: limit)
      return
    }
    try self.init(
      bytes: try StandardInput.contents(limit: limit), origin: StandardInput.name, limit: limit)
  }

  /// Takes bytes that were read.
  package init(bytes: [UInt8], origin: String, limit: Int) throws(JSONError) {
    self.origin = origin
    self.bytes = bytes
    var name = Folder.name(of: origin)
    if name.hasSuffix(".gz") || Gzip.isGzip(bytes) {
      if name.hasSuffix(".gz") { name.removeLast(3) }
      do throws(WeightsError) {
        text = try Gzip.inflate(bytes, origin: origin, limit: limit)
      } catch {
        throw JSONError(
          origin: origin, position: JSONPosition(line: 1, column: 1), fault: error.fault)
      }
    } else {
      text = bytes
    }
    let told = LineForm(name: name)
    form = told ?? LineForm(text: text)
    isFormGuessed = told == nil
  }
}

extension WeightsError {
  /// The fault without its place.
  fileprivate var fault: String {
    if case .malformed(_, let fault) = self { fault } else { "\(self)" }
  }
}

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

  /// The form of a text whose header has some columns; nil if there are none, or the text has no such header.
  init?(naming columns: NamedColumns, in text: [UInt8]) {
    guard !columns.isEmpty else { return nil }
    for case .table(let separator) in [LineForm.tsv, .csv] {
      var table = TableText(text, origin: "", separator: separator)
      if let header = try? table.next(), columns.areAll(in: header.fields.map(\.text)) {
        self = .table(separator: separator)
        return
      }
    }
    return nil
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
      && TableNumber.areNumbers(second)
  }
}

/// The standard input as a file of inputs.
enum StandardInput {
  /// Its name in messages.
  static let name = "standard input"

  /// Reads it to its end.
  ///
  /// - Throws: `FileError` if it is longer than `limit` bytes, or cannot be read.
  static func contents(limit: Int) throws(FileError) -> [UInt8] {
    try System.readAll(from: 0, name: name, limit: limit)
  }
}
