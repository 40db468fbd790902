import Files
import Weights

/// Reads the tar stream of an archive, accepting only what packages hold.
final class TarReader: EntryReader {
  private let zstd: ZstdReader
  private var hash = DigestStream()
  private var entryCount = 0
  /// The entry whose content comes next.
  private var current: TarHeader?

  var tarDigest: ContentDigest? { hash.finish() }

  init(_ file: MappedFile, _ decoder: ZstdDecoder) throws(ArchiveFault) {
    zstd = try ZstdReader(file, decoder)
  }

  /// The next header; nil at the end mark, after reading both its blocks.
  func nextHeader() throws -> (any EntryHeader)? {
    entryCount += 1
    let block = try read(Tar.blockSize, inside: "the header of entry \(entryCount)")
    guard block.contains(where: { $0 != 0 }) else {
      let second = try read(Tar.blockSize, inside: "its end mark")
      guard !second.contains(where: { $0 != 0 }) else { throw ArchiveFault.missingEndMark }
      return nil
    }
    let header = try TarHeader(block, index: entryCount)
    current = header
    return header
  }

  func readContent(_ body: (RawSpan) throws -> Void) throws {
    guard let header = current else { preconditionFailure("content without a header") }
    current = nil
    try stream(header.size, inside: "entry '\(header.path)'", body)
    let padding = try read(
      Tar.paddingByteCount(header.size), inside: "the padding of '\(header.path)'")
    guard !padding.contains(where: { $0 != 0 }) else {
      throw ArchiveFault.dirtyPadding(path: header.path.string)
    }
  }

  func checkEnd() throws { try zstd.checkEnd() }

  private func read(_ count: Int, inside place: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try stream(count, inside: place) { piece in
      unsafe piece.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }
    return bytes
  }

  private func stream(
    _ count: Int, inside place: String, _ body: (RawSpan) throws -> Void
  ) throws {
    var remaining = count
    while remaining > 0 {
      let taken = try zstd.next(atMost: remaining) { piece in
        hash.update(piece)
        try body(piece)
      }
      guard taken > 0 else { throw ArchiveFault.endsEarly(inside: place) }
      remaining -= taken
    }
  }
}
