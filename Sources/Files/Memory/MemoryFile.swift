#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file that never touches a disk: memory that is filled from its start and then read as a mapped
/// file. The unfilled part reads as zeros and takes no memory.
@safe package struct MemoryFile: ~Copyable {
  /// A name for it, for messages.
  package let path: String
  /// Size of the whole file.
  package let byteCount: Int
  private var filled = 0
  /// Start of the mapping; `nil` for an empty file, and once that is handed over.
  private var base: UnsafeMutableRawPointer?

  /// Reserves the space for a file.
  ///
  /// - Throws: `FileError` if the system lacks the memory.
  package init(path: String, byteCount: Int) throws(FileError) {
    precondition(byteCount >= 0, "no file has a negative size")
    self.path = path
    self.byteCount = byteCount
    guard byteCount > 0 else {
      unsafe base = nil
      return
    }
    let mapping = unsafe mmap(
      nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | systemAnonymous | MAP_NORESERVE, -1, 0)
    guard let mapping = unsafe mapping, unsafe mapping != MAP_FAILED else {
      throw .failed(doing: "hold", path: path, reason: System.lastError)
    }
    unsafe base = unsafe mapping
  }

  deinit {
    if let base = unsafe base { unsafe munmap(base, byteCount) }
  }

  /// Appends bytes, which must have room.
  package mutating func write(_ bytes: RawSpan) {
    precondition(bytes.byteCount <= byteCount - filled, "more bytes than the file has")
    guard let base = unsafe base, bytes.byteCount > 0 else { return }
    unsafe bytes.withUnsafeBytes { source in
      guard let start = source.baseAddress else { return }
      unsafe (base + filled).copyMemory(from: start, byteCount: source.count)
    }
    filled += bytes.byteCount
  }

  /// The file as it was filled; it can be written no more.
  package consuming func finish() -> MappedFile {
    let mapping = unsafe base
    unsafe base = nil
    return unsafe MappedFile(path: path, base: mapping, byteCount: byteCount)
  }
}

#if canImport(Darwin)
  private let systemAnonymous = MAP_ANON
#else
  private let systemAnonymous = MAP_ANONYMOUS
#endif
