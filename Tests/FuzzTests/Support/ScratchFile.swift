import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// One file in a folder of its own, written anew for every input; for parsers that take a path.
final class ScratchFile {
  let path: String
  private let folder: TemporaryFolder
  private let descriptor: Int32

  init(_ name: String) throws {
    // Memory where there is such a folder: a disk would take most of the time.
    folder = try TemporaryFolder(in: TemporaryFolder.memory)
    path = folder.path(name)
    descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    if descriptor < 0 { throw NotWritten(path: path) }
  }

  deinit { close(descriptor) }

  /// Replaces the content; whoever mapped the old one must be done with it.
  func write(_ bytes: [UInt8]) throws {
    let count = pwrite(descriptor, bytes, bytes.count, 0)
    guard count == bytes.count, ftruncate(descriptor, off_t(count)) == 0 else {
      throw NotWritten(path: path)
    }
  }

  struct NotWritten: Error {
    let path: String
  }
}
