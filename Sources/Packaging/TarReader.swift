import Files
import Weights

/// Reads the tar stream of an archive, accepting only what packages hold.
final class TarReader {
  private let zstd: ZstdReader
  private var hash = DigestStream()
  private var entryCount = 0

  /// SHA-256 of the stream as far as it was read.
  var digest: ContentDigest { hash.finish() }

  init(_ file: MappedFile) throws(ArchiveFault) { zstd = try ZstdReader(file) }

  /// The next header; nil at the end mark, both blocks of which are read.
  func nextHeader() throws -> TarHeader? {
    entryCount += 1
    let block = try read(Tar.blockSize, inside: "the header of entry \(entryCount)")
    guard block.contains(where: { $0 != 0 }) else {
      let second = try read(Tar.blockSize, inside: "its end mark")
      guard !second.contains(where: { $0 != 0 }) else { throw ArchiveFault.missingEndMark }
      return nil
    }
    return try TarHeader(block, index: entryCount)
  }

  /// Reads the header of the entry that must come next.
  ///
  /// - Parameter seen: folded paths so far; the entry's is added.
  func beginEntry(_ entry: FileEntry, of manifest: Manifest, seen: inout Set<String>) throws {
    guard let header = try nextHeader() else {
      throw ArchiveFault.missingEntry(path: entry.path.string)
    }
    guard header.path == entry.path else {
      throw TarReader.fault(found: header.path, expected: entry.path, manifest, seen)
    }
    seen.insert(entry.path.folded)
    guard header.size == entry.size else {
      throw ArchiveFault.entrySize(
        path: entry.path.string, found: header.size, manifest: entry.size)
    }
    try header.checkForm(time: manifest.build.time)
  }

  /// Checks that nothing follows the last entry.
  func checkEnd(of manifest: Manifest, seen: Set<String>) throws {
    if let header = try nextHeader() {
      throw seen.contains(header.path.folded)
        ? ArchiveFault.duplicateEntry(path: header.path.string)
        : ArchiveFault.unlistedEntry(path: header.path.string)
    }
    try zstd.checkEnd()
  }

  private static func fault(
    found: PackagePath, expected: PackagePath, _ manifest: Manifest, _ seen: Set<String>
  ) -> ArchiveFault {
    if seen.contains(found.folded) { return .duplicateEntry(path: found.string) }
    let isListed = manifest.files.contains { $0.path == found }
    return isListed
      ? .missingEntry(path: expected.string) : .unlistedEntry(path: found.string)
  }

  /// The content of an entry whose size was checked.
  func readContent(of header: TarHeader) throws -> [UInt8] {
    let bytes = try read(header.size, inside: "entry '\(header.path)'")
    try skipPadding(of: header.path, size: header.size)
    return bytes
  }

  /// The content of a file whose size was checked, its digest checked.
  func readContent(of entry: FileEntry) throws -> [UInt8] {
    let bytes = try read(entry.size, inside: "entry '\(entry.path)'")
    try check(ContentDigest(of: bytes), of: entry)
    try skipPadding(of: entry.path, size: entry.size)
    return bytes
  }

  /// Streams the content of a file by, checking its digest.
  func checkContent(of entry: FileEntry) throws {
    var content = DigestStream()
    try stream(entry.size, inside: "entry '\(entry.path)'") { content.update($0) }
    try check(content.finish(), of: entry)
    try skipPadding(of: entry.path, size: entry.size)
  }

  private func check(_ digest: ContentDigest, of entry: FileEntry) throws(ArchiveFault) {
    guard digest == entry.sha256 else {
      throw .entryDigest(
        path: entry.path.string, found: digest.hex, manifest: entry.sha256.hex)
    }
  }

  private func skipPadding(of path: PackagePath, size: Int) throws {
    let padding = try read(Tar.paddingByteCount(size), inside: "the padding of '\(path)'")
    guard !padding.contains(where: { $0 != 0 }) else {
      throw ArchiveFault.dirtyPadding(path: path.string)
    }
  }

  private func read(_ count: Int, inside place: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try stream(count, inside: place) { piece in
      unsafe piece.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }
    return bytes
  }

  private func stream(
    _ count: Int, inside place: String, _ body: (RawSpan) -> Void
  ) throws {
    var remaining = count
    while remaining > 0 {
      let taken = try zstd.next(atMost: remaining) { piece in
        hash.update(piece)
        body(piece)
      }
      guard taken > 0 else { throw ArchiveFault.endsEarly(inside: place) }
      remaining -= taken
    }
  }
}
