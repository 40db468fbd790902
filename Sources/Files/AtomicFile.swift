#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file that appears whole under its final name or not at all.
///
/// Bytes go to a sibling file; `commit()` makes them durable and renames. What was not committed is
/// deleted when the value goes out of scope.
package struct AtomicFile: ~Copyable {
  private var file: OutputFile

  /// The name the file will have.
  package var path: String { file.path }
  /// The sibling that holds the bytes until then.
  package var temporaryPath: String { file.temporaryPath }
  /// Bytes written so far.
  package var byteCount: Int { file.byteCount }

  /// Opens a sibling of `path` for writing; the folder must exist.
  ///
  /// The file gets the access rights the user's umask leaves of `rw-rw-rw-`.
  package init(path: String) throws(FileError) {
    let sibling = UnfinishedWork.make(in: Folder.parent(of: path), prefix: ".ingot-") {
      unsafe open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    }
    guard let sibling else {
      throw .failed(doing: "write", path: path, reason: System.lastError)
    }
    file = OutputFile(path: path, temporaryPath: sibling.path, descriptor: sibling.result)
  }

  deinit {
    unsafe unlink(temporaryPath)
    UnfinishedWork.end(temporaryPath)
  }

  /// Appends bytes.
  package mutating func write(_ bytes: RawSpan) throws(FileError) { try file.write(bytes) }

  /// Appends bytes.
  package mutating func write(_ bytes: [UInt8]) throws(FileError) { try file.write(bytes) }

  /// Makes the bytes durable and gives the file its final name, replacing what was there.
  package consuming func commit() throws(FileError) {
    try file.synchronize()
    guard unsafe rename(temporaryPath, path) == 0 else {
      throw .failed(doing: "write", path: path, reason: System.lastError)
    }
    let folder = unsafe open(Folder.parent(of: path), O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  /// Writes a whole file at once.
  package static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    var file = try AtomicFile(path: path)
    try file.write(bytes)
    try file.commit()
  }
}
