import CArchive
import Zstd

/// Writes a tar stream in a zstd frame.
final class TarZstWriter: EntryWriter {
  private let tar: TarWriter
  private let zstd: ZstdWriter
  private let file: ArchiveFile

  /// - Parameters:
  ///   - byteCount: size of the whole tar stream.
  ///   - zstd: begins a frame here.
  init(
    byteCount: Int, time: Timestamp, _ zstd: ZstdWriter, to file: ArchiveFile
  ) throws {
    tar = try TarWriter(time: time)
    try zstd.begin(byteCount: byteCount)
    self.zstd = zstd
    self.file = file
  }

  func begin(_ path: PackagePath, size: Int, checksum: () throws -> UInt32) throws {
    try tar.begin(path, size: size)
  }

  func append(_ bytes: RawSpan) throws {
    try tar.append(bytes)
    try drain(isLast: false)
  }

  func finish() throws {
    try tar.finish()
    try drain(isLast: true)
  }

  private func drain(isLast: Bool) throws {
    try tar.drain { bytes in
      try zstd.compress(bytes, isLast: isLast) { try file.write($0) }
    }
  }
}

/// Writes a tar stream through libarchive; the only type that knows that library.
///
/// Bytes are collected and lent out by `drain`, so that nothing can go wrong inside a callback
/// of the library.
@safe final class TarWriter {
  /// Where the callback leaves its bytes.
  private final class Buffer {
    var bytes: [UInt8] = []
  }

  private let archive: OpaquePointer
  private let buffer = Buffer()
  private let time: Timestamp

  /// The version of the library at run time.
  static var libraryVersion: String {
    let words = unsafe String(cString: archive_version_string()).split(separator: " ")
    return words.last.map(String.init) ?? "unknown"
  }

  /// Begins a stream.
  ///
  /// - Parameter time: the time that every entry gets.
  init(time: Timestamp) throws(PackagingError) {
    guard let archive = unsafe archive_write_new() else {
      throw .library(doing: "make a tar writer", reason: "out of memory")
    }
    unsafe self.archive = unsafe archive
    self.time = time
    try check("set up the tar writer", unsafe archive_write_set_format_ustar(archive))
    // With a callback the library would pad the end to 10,240 bytes.
    try check("set up the tar writer", unsafe archive_write_set_bytes_in_last_block(archive, 1))
    let opened = unsafe archive_write_open2(
      archive, Unmanaged.passUnretained(buffer).toOpaque(), nil,
      { _, context, bytes, count in
        guard let context = unsafe context, let bytes = unsafe bytes else { return -1 }
        let buffer = unsafe Unmanaged<Buffer>.fromOpaque(context).takeUnretainedValue()
        unsafe buffer.bytes.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
        return count
      }, nil, nil)
    try check("set up the tar writer", opened)
  }

  deinit { unsafe archive_write_free(archive) }

  /// Begins an entry; exactly `size` bytes must follow.
  func begin(_ path: PackagePath, size: Int) throws(PackagingError) {
    guard let entry = unsafe archive_entry_new() else {
      throw .library(doing: "make a tar entry", reason: "out of memory")
    }
    defer { unsafe archive_entry_free(entry) }
    // Every field is set by hand; nothing comes from a file system.
    unsafe archive_entry_set_pathname(entry, path.string)
    unsafe archive_entry_set_size(entry, Int64(size))
    unsafe archive_entry_set_filetype(entry, UInt32(0o100000))
    unsafe archive_entry_set_perm(entry, 0o644)
    unsafe archive_entry_set_uid(entry, 0)
    unsafe archive_entry_set_gid(entry, 0)
    unsafe archive_entry_set_mtime(entry, time.seconds, 0)
    try check("write the tar entry '\(path)'", unsafe archive_write_header(archive, entry))
  }

  /// Appends to the content of the current entry.
  func append(_ bytes: RawSpan) throws(PackagingError) {
    let written = unsafe bytes.withUnsafeBytes { all in
      unsafe archive_write_data(archive, all.baseAddress, all.count)
    }
    guard written == bytes.byteCount else {
      throw .library(doing: "write a tar entry", reason: lastError)
    }
  }

  /// Ends the stream.
  func finish() throws(PackagingError) {
    try check("end the tar stream", unsafe archive_write_close(archive))
  }

  /// Lends the bytes made since the last call.
  func drain(_ body: (RawSpan) throws -> Void) throws {
    try unsafe buffer.bytes.withUnsafeBytes { try unsafe body($0.bytes) }
    buffer.bytes.removeAll(keepingCapacity: true)
  }

  private var lastError: String {
    guard let text = unsafe archive_error_string(archive) else { return "unknown" }
    return unsafe String(cString: text)
  }

  private func check(_ doing: String, _ status: Int32) throws(PackagingError) {
    guard status == ARCHIVE_OK else { throw .library(doing: doing, reason: lastError) }
  }
}
