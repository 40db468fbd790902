/// Names of others in a page of Markdown and in lines of Swift.
enum Quotation {
  /// A literal of Swift for the very text.
  static func swift(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar -> String in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      default: String(scalar).printable(keepsLines: false)
      }
    }
    return "\"" + scalars.joined() + "\""
  }

  private static let backtick = UInt8(ascii: "`")

  /// Code within a line of Markdown, between more backticks than the text has in a row.
  static func code(_ text: String) -> String {
    let line = text.printable(keepsLines: false)
    let runs = line.utf8.split { $0 != backtick }
    let fence = String(repeating: "`", count: (runs.map(\.count).max() ?? 0) + 1)
    let space = [line.utf8.first, line.utf8.last].contains(backtick) ? " " : ""
    return fence + space + line + space + fence
  }
}
