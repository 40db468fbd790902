#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An unnamed file on disk for data too large for memory: written from its start, then read as a
/// mapped file. It disappears with its last reader, however the process ends.
package final class SpilledFile {
  /// A name for it, for messages.
  package let path: String
  /// Size of the whole file.
  package let byteCount: Int
  private let folder: String
  private let descriptor: Int32
  private var filled = 0

  /// The folder of such files: `$TMPDIR`, or `/var/tmp`, which is on disk even if `/tmp` is memory.
  package static var folder: String {
    if let named = System.environment("TMPDIR"), !named.isEmpty { return named }
    return Folder.kind(of: "/var/tmp") == .folder ? "/var/tmp" : "/tmp"
  }

  /// Makes a file of `byteCount` zeros, which take no room yet.
  ///
  /// - Parameters:
  ///   - path: a name for it, for messages.
  ///   - free: bytes that may be written in the folder; nil if unknown.
  /// - Throws: `FileError` if it does not fit on the disk, or the folder takes no files.
  package init(
    path: String, byteCount: Int, in folder: String = SpilledFile.folder, free: Int?
  ) throws(FileError) {
    precondition(byteCount >= 0, "no file has a negative size")
    self.path = path
    self.byteCount = byteCount
    self.folder = folder
    guard byteCount <= free ?? .max else {
      throw SpilledFile.fault(
        path, folder, "it needs \(byteCount) bytes there, \(free ?? 0) are free")
    }
    let made = UnfinishedWork.make(in: folder, prefix: AtomicFile.temporaryPrefix) { place in
      unsafe open(place, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    }
    guard let made else { throw SpilledFile.fault(path, folder, System.lastError) }
    descriptor = made.result
    unsafe unlink(made.path)
    UnfinishedWork.end(made.path)
    guard ftruncate(descriptor, off_t(byteCount)) == 0 else {
      throw SpilledFile.fault(path, folder, System.lastError)
    }
  }

  deinit { close(descriptor) }

  private static func fault(_ path: String, _ folder: String, _ reason: String) -> FileError {
    .failed(
      doing: "unpack into '\(folder)'", path: path,
      reason: "\(reason); name a folder with room in TMPDIR")
  }

  /// Appends bytes, which must fit. The file already holds the zeros.
  package func write(_ bytes: RawSpan) throws(FileError) {
    precondition(bytes.byteCount <= byteCount - filled, "more bytes than the file has")
    let isWritten = unsafe bytes.withUnsafeBytes { source in
      unsafe source.allSatisfy { $0 == 0 } || write(source)
    }
    guard isWritten else { throw SpilledFile.fault(path, folder, System.lastError) }
    filled += bytes.byteCount
  }

  /// - Returns: whether all was written; if not, `errno` says why.
  private func write(_ source: UnsafeRawBufferPointer) -> Bool {
    var done = 0
    while done < source.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: source[done...])
      let count = unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(filled + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }

  /// The file as it was filled; it must be written no more.
  package func finish() throws(FileError) -> MappedFile {
    guard byteCount > 0 else { return unsafe MappedFile(path: path, base: nil, byteCount: 0) }
    let mapping = unsafe mmap(nil, byteCount, PROT_READ, MAP_PRIVATE, descriptor, 0)
    guard let mapping = unsafe mapping, unsafe mapping != MAP_FAILED else {
      throw .failed(doing: "map", path: path, reason: System.lastError)
    }
    return unsafe MappedFile(path: path, base: mapping, byteCount: byteCount, isOnDisk: true)
  }
}
