/// Writes a zip of stored files.
final class ZipWriter: EntryWriter {
  private let time: DOSTime
  private let file: ArchiveFile
  private var offset = 0
  private var entries: [Zip.Entry] = []

  init(time: Timestamp, to file: ArchiveFile) {
    self.time = DOSTime(time)
    self.file = file
  }

  func begin(_ path: PackagePath, size: Int, checksum: () throws -> UInt32) throws {
    let entry = Zip.Entry(
      path: path, size: size, checksum: try checksum(), offset: offset, time: time)
    entries.append(entry)
    offset += entry.byteCount
    try unsafe file.write(entry.header.bytes.span.bytes)
  }

  func append(_ bytes: RawSpan) throws { try file.write(bytes) }

  func finish() throws {
    let directory = entries.flatMap(\.listing.bytes)
    let end = Zip.end(
      entryCount: entries.count, directory: offset..<offset + directory.count)
    try unsafe file.write((directory + end.bytes).span.bytes)
  }
}
