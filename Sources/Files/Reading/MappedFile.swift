import CFiles

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A regular file mapped read-only into memory, shared by everything that reads it.
///
/// The mapping is private and read-only. Reading a file that another process shortens meanwhile is a
/// bus error, which `ShortenedFiles` turns into a message; Ingot itself only ever replaces files by
/// renaming. A small file is copied instead: no other process changes the copy.
@safe package final class MappedFile: Sendable {
  /// The path it was opened by.
  package let path: String
  /// Size of the whole file.
  package let byteCount: Int
  /// Start of the mapping or of the copy; read-only for the life of the object and given back in
  /// `deinit`, so it may be shared between threads. `nil` for an empty file.
  private nonisolated(unsafe) let base: UnsafeMutableRawPointer?
  /// The note of `ShortenedFiles` about the mapping; nil if they are not watched.
  private nonisolated(unsafe) let noted: UnsafeMutableRawPointer?
  /// Whether a file on disk backs the mapping and can supply its bytes again.
  private let isOnDisk: Bool
  /// Whether it is a copy, in memory that was allocated.
  private let isCopy: Bool

  /// Largest file that is copied, in bytes: below, asking the system for a mapping takes longer.
  private static let copiedByteCount = 8 << 10

  /// Maps a whole file, or copies a small one.
  ///
  /// - Throws: `FileError`, with `.shortened` for a small file that ends while it is copied.
  package init(path: String) throws(FileError) {
    let file = try RegularFile(path: path)
    self.path = path
    byteCount = file.byteCount
    isCopy = byteCount <= Self.copiedByteCount
    isOnDisk = !isCopy
    if isCopy {
      unsafe base = try file.copy(named: path)
      unsafe noted = nil
      return
    }
    let mapping = unsafe mmap(nil, byteCount, PROT_READ, MAP_PRIVATE, file.descriptor, 0)
    guard let mapping = unsafe mapping, unsafe mapping != MAP_FAILED else {
      throw .failed(doing: "map", path: path, reason: System.lastError)
    }
    unsafe base = unsafe mapping
    unsafe noted = unsafe ingot_note_mapping(mapping, byteCount, path, file.descriptor)
  }

  /// Takes over memory that readers use like a file, without a path.
  ///
  /// - Parameters:
  ///   - path: a name for it, for messages.
  ///   - base: a mapping of `byteCount` bytes that is no longer written to; nil if empty.
  ///   - isOnDisk: whether a file on disk backs the mapping.
  init(path: String, base: UnsafeMutableRawPointer?, byteCount: Int, isOnDisk: Bool = false) {
    self.path = path
    self.byteCount = byteCount
    self.isOnDisk = isOnDisk
    isCopy = false
    unsafe self.base = unsafe base
    unsafe noted = nil
  }

  /// A copy of bytes that were never a file.
  ///
  /// - Parameter path: a name for it, for messages.
  package init(path: String, copying bytes: [UInt8]) {
    self.path = path
    byteCount = bytes.count
    (isOnDisk, isCopy) = (false, true)
    unsafe noted = nil
    guard !bytes.isEmpty else {
      unsafe base = nil
      return
    }
    let copy = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 16)
    unsafe copy.copyMemory(from: bytes, byteCount: bytes.count)
    unsafe base = unsafe copy
  }

  deinit {
    guard let base = unsafe base else { return }
    if isCopy { return unsafe base.deallocate() }
    unsafe ingot_forget_mapping(noted)
    unsafe munmap(base, byteCount)
  }

  /// Whether the path leads to a file of the very bytes that were read; false also of a file that is
  /// mapped, which shows what is in it now.
  package var isSurelyAsRead: Bool {
    guard isCopy, let now = try? MappedFile(path: path), now.isCopy else { return false }
    return withBytes { old in
      now.withBytes { new in
        unsafe old.withUnsafeBytes { old in
          unsafe new.withUnsafeBytes { unsafe old.elementsEqual($0) }
        }
      }
    }
  }

  /// Lends the bytes of a range, which must lie inside the file.
  package func withBytes<Result, Failure>(
    in range: Range<Int>, _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(range.lowerBound >= 0 && range.upperBound <= byteCount, "range outside the file")
    let slice = unsafe UnsafeRawBufferPointer(
      start: base.map { unsafe UnsafeRawPointer($0) + range.lowerBound }, count: range.count)
    return try unsafe body(slice.bytes)
  }

  /// Lends the bytes of the whole file.
  package func withBytes<Result, Failure>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withBytes(in: 0..<byteCount, body)
  }

  /// Lends a range piece by piece, in order, and releases the memory behind each piece.
  ///
  /// Reading through a large file this way keeps the process small; the pieces stay in the
  /// system's cache.
  package func forEachPiece(
    in range: Range<Int>, of pieceByteCount: Int = 1 << 20, _ body: (RawSpan) -> Void
  ) {
    var start = range.lowerBound
    while start < range.upperBound {
      let end = min(start + pieceByteCount, range.upperBound)
      withBytes(in: start..<end, body)
      letGo(of: start..<end)
      start = end
    }
  }

  /// Bytes around one that is read that the system may map with it: Linux maps 64 kB, or all of what its cache
  /// holds as one piece, which begins at a multiple of its size, at most 2 MB.
  private static let mappedAround = 1 << 21

  /// Tells the system that the memory behind a range may be reclaimed; its bytes stay readable.
  package func letGo(of range: Range<Int>) {
    guard isOnDisk, let base = unsafe base, !range.isEmpty else { return }
    // Reading the first byte brought those before it back.
    let before = max(0, range.lowerBound - MappedFile.mappedAround / 16)
    let start = before / MappedFile.mappedAround * MappedFile.mappedAround
    unsafe madvise(base + start, range.upperBound - start, MADV_DONTNEED)
  }

  /// Reads a small text file whole.
  ///
  /// - Parameter limit: largest size accepted, in bytes.
  package static func contents(of path: String, limit: Int) throws(FileError) -> [UInt8] {
    let file = try MappedFile(path: path)
    guard file.byteCount <= limit else {
      throw .tooLarge(path: path, bytes: file.byteCount, limit: limit)
    }
    return file.start(file.byteCount)
  }

  /// The first bytes of the file, or all where there are fewer.
  package func start(_ count: Int) -> [UInt8] {
    withBytes(in: 0..<min(count, byteCount)) { span in
      unsafe span.withUnsafeBytes { unsafe Array($0) }
    }
  }
}

/// A regular file that is open for reading; closed with the value.
struct RegularFile: ~Copyable {
  let descriptor: Int32
  let byteCount: Int
  /// The lower nine bits of its mode.
  let rights: Int

  /// Opens a regular file, refusing anything else.
  init(path: String) throws(FileError) {
    // Without O_NONBLOCK, opening a pipe would wait for a writer instead of being refused below.
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw .failed(doing: "open", path: path, reason: System.lastError)
    }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      let reason = System.lastError
      close(descriptor)
      throw .failed(doing: "examine", path: path, reason: reason)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .notAFile(path: path, found: Folder.kind(ofMode: status.st_mode))
    }
    byteCount = Int(status.st_size)
    rights = Int(status.st_mode & 0o777)
  }

  deinit { close(descriptor) }

  /// A copy of all bytes, to be deallocated by the caller; nil of an empty file.
  ///
  /// - Throws: `FileError.shortened` if there are fewer than when it was opened.
  borrowing func copy(named path: String) throws(FileError) -> UnsafeMutableRawPointer? {
    guard byteCount > 0 else { return nil }
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 16)
    var done = 0
    while done < byteCount {
      let count = unsafe pread(descriptor, bytes + done, byteCount - done, off_t(done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let reason = System.lastError
        unsafe bytes.deallocate()
        throw count == 0
          ? .shortened(path: path, was: byteCount, now: done)
          : .failed(doing: "read", path: path, reason: reason)
      }
      done += count
    }
    return unsafe bytes
  }
}
