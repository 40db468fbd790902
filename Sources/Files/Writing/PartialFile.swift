#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file that is written piece by piece over several runs of a program, and keeps what it has between them.
package final class PartialFile: Sendable {
  package let path: String
  private let descriptor: Int32

  /// Opens a file at its end, making it where it is not there.
  package init(path: String) throws(FileError) {
    self.path = path
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw .failed(doing: "write", path: path, reason: System.lastError)
    }
  }

  deinit { close(descriptor) }

  /// Bytes that it has.
  package func byteCount() throws(FileError) -> Int {
    let end = lseek(descriptor, 0, SEEK_END)
    guard end >= 0 else { throw .failed(doing: "read", path: path, reason: System.lastError) }
    return Int(end)
  }

  /// Drops what it has.
  package func clear() throws(FileError) {
    guard ftruncate(descriptor, 0) == 0 else {
      throw .failed(doing: "write", path: path, reason: System.lastError)
    }
  }

  /// Appends bytes.
  package func write(_ bytes: [UInt8]) throws(FileError) {
    guard unsafe System.writeAll(bytes.span.bytes, to: descriptor) else {
      throw .failed(doing: "write", path: path, reason: System.lastError)
    }
  }
}
