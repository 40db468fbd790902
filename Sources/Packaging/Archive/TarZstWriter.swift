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
  ) throws(PackagingError) {
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
