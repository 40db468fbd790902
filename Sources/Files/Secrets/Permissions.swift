#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The permissions of a file: who may read, write and run it.
package struct Permissions: Equatable, Sendable, CustomStringConvertible {
  /// The nine bits `rwxrwxrwx`.
  package let mode: Int

  /// The permissions of the file at a path, following symbolic links; nil if it does not exist.
  package init?(of path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    mode = Int(status.st_mode & 0o777)
  }

  /// Whether anyone but the owner may do anything.
  package var areOpen: Bool { mode & 0o077 != 0 }

  /// Four octal digits: `0600`.
  package var description: String {
    let digits = String(mode, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// Whether this process may write here: a folder, or a file.
  package static func canWrite(_ path: String) -> Bool { unsafe access(path, W_OK) == 0 }
}
