/// Paths that are safe on every file system: parts of ASCII that match `[A-Za-z0-9_][A-Za-z0-9._-]*`, which
/// leaves out `.`, `..` and hidden names.
package enum SafePath {
  /// Whether some bytes can be one part of a path.
  package static func isSegment(_ bytes: some Sequence<UInt8>) -> Bool {
    var isFirst = true
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        break
      case UInt8(ascii: "."), UInt8(ascii: "-"):
        if isFirst { return false }
      default: return false
      }
      isFirst = false
    }
    return !isFirst
  }

  /// Whether a path stays inside its folder wherever it is unpacked.
  package static func isSafe(_ path: String) -> Bool {
    path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .allSatisfy { isSegment($0) }
  }
}
