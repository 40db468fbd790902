import Files

/// Paths of a report for another machine, relative to the folder the program runs in.
enum ReportPath {
  /// The path without that folder in front, and without `./`; any other path as it is.
  static func relative(_ path: String) -> String {
    var rest = path[...]
    if path.hasPrefix("/"), let here = try? Folder.resolved("."), path.hasPrefix(here + "/") {
      rest = rest.dropFirst(here.count + 1)
    }
    while rest.hasPrefix("./") { rest = rest.dropFirst(2) }
    return String(rest)
  }

  /// A path as a URI reference (RFC 3986): relative where the path is.
  static func uri(_ path: String) -> String {
    let relative = relative(path)
    var text = relative.hasPrefix("/") ? "file://" : ""
    for byte in relative.utf8 {
      if isPlain(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        text += "%" + (digits.utf8.count == 1 ? "0" : "") + digits
      }
    }
    return text
  }

  // The unreserved characters and the slash; a colon would make a scheme of what is before it.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~/".utf8.contains(byte)
    }
  }
}
