/// The path of a file inside a package: ASCII segments that are safe on every file system.
///
/// A segment matches `[A-Za-z0-9_][A-Za-z0-9._-]*`, which leaves out `.`, `..` and hidden names;
/// the whole path has at most 99 bytes, so that it fits the name field of a ustar header.
package struct PackagePath: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Most bytes a path may have.
  package static let maximumLength = 99

  package let string: String

  package var description: String { string }

  /// The path as file systems see it that ignore case.
  var folded: String { string.lowercased() }

  /// Checks a path, byte by byte.
  package init(_ string: String) throws(PackagingError) {
    guard string.utf8.count <= PackagePath.maximumLength else {
      throw .badPath(
        string, fault: "has \(string.utf8.count) bytes, at most \(Self.maximumLength) fit")
    }
    for segment in string.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    {
      guard PackagePath.isSegment(segment) else {
        throw .badPath(
          string, fault: "each part must match [A-Za-z0-9_][A-Za-z0-9._-]*")
      }
    }
    self.string = string
  }

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

  package static func < (left: PackagePath, right: PackagePath) -> Bool {
    left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
  }
}
