#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

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
    precondition(offset >= 0 && offset <= byteCount - bytes.count, "bytes written before")
    var start = 0
    while start < bytes.count {
      let count = unsafe bytes.span.bytes.withUnsafeBytes { all in
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
