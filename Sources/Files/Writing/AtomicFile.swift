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
    unsafe try file.overwrite(bytes.span.bytes, at: offset)
  }

  /// Replaces bytes written before.
  package func overwrite(_ bytes: RawSpan, at offset: Int) throws(FileError) {
    try file.overwrite(bytes, at: offset)
  }

  /// Makes the bytes durable and gives the file its final name, replacing an existing file.
  ///
  /// - Parameter isDurable: whether its bytes and its name must have reached the disk; otherwise the
  ///   caller sees to that, or nobody needs the file after a crash.
  package consuming func commit(isDurable: Bool = true) throws(FileError) {
    let path = path
    try commit(as: path, isDurable: isDurable)
  }

  /// Makes the bytes durable and gives the file a name that depends only on its content, on the
  /// same file system, replacing an existing file.
  ///
  /// - Parameter isDurable: as of `commit()`.
  package consuming func commit(as path: String, isDurable: Bool = true) throws(FileError) {
    if isDurable { try file.synchronize() }
    try ShortenedFiles.requireNone()
    guard unsafe rename(temporaryPath, path) == 0 else {
      throw .failed(doing: "write", path: path, reason: System.lastError)
    }
    guard isDurable else { return }
    let folder = unsafe open(Folder.parent(of: path), O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return }
    defer { close(folder) }
    // Some file systems keep names without being asked, and say that they cannot be asked.
    guard fsync(folder) == 0 || errno == EINVAL else {
      throw .failed(doing: "write", path: path, reason: System.lastError)
    }
  }

  /// Writes a whole file at once.
  ///
  /// - Parameter isDurable: as of `commit()`.
  package static func write(
    _ bytes: [UInt8], to path: String, isDurable: Bool = true
  ) throws(FileError) {
    var file = try AtomicFile(path: path)
    try file.write(bytes)
    try file.commit(isDurable: isDurable)
  }
}

/// A file being written that does not have its name yet; see `AtomicFile` and `AtomicFolder`.
package struct OutputFile: ~Copyable {
  /// The name the file will have, for messages.
  package let path: String
  /// The file's path until then.
  package let temporaryPath: String
  /// Bytes appended so far.
  package private(set) var byteCount = 0
  private let descriptor: Int32

  init(path: String, temporaryPath: String, descriptor: Int32) {
    self.path = path
    self.temporaryPath = temporaryPath
    self.descriptor = descriptor
  }

  /// Makes a new file under its final name, for a folder that is itself work in progress; the
  /// file stays if the value goes away.
  package static func create(at path: String) throws(FileError) -> OutputFile {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw .failed(doing: "write", path: path, reason: System.lastError)
    }
    return OutputFile(path: path, temporaryPath: path, descriptor: descriptor)
  }

  deinit { close(descriptor) }

  /// Appends bytes.
  package mutating func write(_ bytes: RawSpan) throws(FileError) {
    guard System.writeAll(bytes, to: descriptor) else {
      throw .failed(doing: "write", path: path, reason: System.lastError)
    }
    byteCount += bytes.byteCount
  }

  /// Appends bytes.
  package mutating func write(_ bytes: [UInt8]) throws(FileError) {
    unsafe try write(bytes.span.bytes)
  }

  /// Appends zeros until the file has `byteCount` bytes.
  package mutating func extend(to byteCount: Int) throws(FileError) {
    precondition(byteCount >= self.byteCount, "no fewer bytes than there are")
    guard ftruncate(descriptor, off_t(byteCount)) == 0,
      lseek(descriptor, off_t(byteCount), SEEK_SET) >= 0
    else { throw .failed(doing: "write", path: path, reason: System.lastError) }
    self.byteCount = byteCount
  }

  /// Replaces bytes written before.
  package func overwrite(_ bytes: [UInt8], at offset: Int) throws(FileError) {
    unsafe try overwrite(bytes.span.bytes, at: offset)
  }

  /// Replaces bytes written before.
  package func overwrite(_ bytes: RawSpan, at offset: Int) throws(FileError) {
    precondition(offset >= 0 && offset <= byteCount - bytes.byteCount, "bytes written before")
    var start = 0
    while start < bytes.byteCount {
      let count = unsafe bytes.withUnsafeBytes { all in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: all[start...])
        return unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + start))
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        throw .failed(doing: "write", path: path, reason: System.lastError)
      }
      start += count
    }
  }

  /// Makes the bytes durable.
  func synchronize() throws(FileError) {
    guard fsync(descriptor) == 0 else {
      throw .failed(doing: "write", path: path, reason: System.lastError)
    }
  }

  /// Closes the file.
  ///
  /// - Parameter isDurable: whether its bytes must have reached the disk.
  package consuming func finish(isDurable: Bool = true) throws(FileError) {
    if isDurable { try synchronize() }
  }
}
