#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file that appears whole under its final name or not at all.
///
/// Bytes go to a sibling file; `commit()` makes them durable and renames it. Without a commit the
/// file is deleted when the value goes out of scope.
package struct AtomicFile: ~Copyable {
  /// Prefix of the names of unfinished files; a killed process leaves one.
  package static let temporaryPrefix = ".ingot-"

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
    let folder = Folder.parent(of: path)
    let sibling = UnfinishedWork.make(in: folder, prefix: AtomicFile.temporaryPrefix) {
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

  /// Appends zeros until the file has `byteCount` bytes.
  package mutating func extend(to byteCount: Int) throws(FileError) {
    try file.extend(to: byteCount)
  }

  /// Replaces bytes written before.
  package func overwrite(_ bytes: [UInt8], at offset: Int) throws(FileError) {
    try file.overwrite(bytes, at: offset)
  }

  /// Makes the bytes durable and gives the file its final name, replacing an existing file.
  package consuming func commit() throws(FileError) {
    let path = path
    try commit(as: path)
  }

  /// Makes the bytes durable and gives the file a name that depends only on its content, on the
  /// same file system, replacing an existing file.
  package consuming func commit(as path: String) throws(FileError) {
    try file.synchronize()
    try ShortenedFiles.requireNone()
    guard unsafe rename(temporaryPath, path) == 0 else {
      throw .failed(doing: "write", path: path, reason: System.lastError)
    }
    let folder = unsafe open(Folder.parent(of: path), O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return }
    defer { close(folder) }
    // Some file systems keep names without being asked, and say that they cannot be asked.
    guard fsync(folder) == 0 || errno == EINVAL else {
      throw .failed(doing: "write", path: path, reason: System.lastError)
    }
  }

  /// Writes a whole file at once.
  package static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    var file = try AtomicFile(path: path)
    try file.write(bytes)
    try file.commit()
  }
}
