import Files
import Weights

/// Reads a zip archive from its first byte to its last, accepting only what packages hold.
///
/// Most readers of zip look for the directory at the end and let it say where the files are. This one
/// reads the files, each right behind the other, and demands that the directory says just what it
/// found.
final class ZipReader: EntryReader {
  private let file: MappedFile
  private var offset = 0
  private var entries: [Zip.Entry] = []

  var tarDigest: ContentDigest? { nil }

  init(_ file: MappedFile) throws(ArchiveFault) {
    guard file.byteCount <= Zip.byteLimit else {
      throw .zipTooLarge(bytes: file.byteCount, limit: Zip.byteLimit)
    }
    self.file = file
  }

  func nextHeader() throws -> (any EntryHeader)? {
    let place = "the header of entry \(entries.count + 1)"
    switch Zip.Signature(rawValue: ZipRecord.number(try bytes(4, at: offset, inside: place))) {
    case .header where entries.count < Zip.entryLimit: break
    case .header: throw ArchiveFault.strayBytes(offset: offset)
    case .listing, .end: return nil
    case nil: throw ArchiveFault.strayBytes(offset: offset)
    }
    let header = try header(inside: place)
    entries.append(header.entry)
    offset += header.entry.byteCount - header.entry.size
    return header
  }

  private func header(inside place: String) throws(ArchiveFault) -> ZipHeader {
    let fixed = try bytes(Zip.headerByteCount, at: offset, inside: place)
    func number(_ range: Range<Int>) -> UInt32 { ZipRecord.number(fixed[range]) }
    let length = Int(number(26..<28))
    let name = try bytes(length, at: offset + fixed.count, inside: place)
    let quoted = String(decoding: name.prefix(PackagePath.maximumLength), as: UTF8.self)
      .asciiEscaped
    let path: PackagePath
    do throws(PackagingError) {
      path = try PackagePath(String(decoding: name, as: UTF8.self))
    } catch {
      throw .badPath(path: quoted)
    }
    let entry = Zip.Entry(
      path: path, size: Int(number(22..<26)), checksum: number(14..<18), offset: offset,
      time: DOSTime(
        date: UInt16(truncatingIfNeeded: number(12..<14)),
        time: UInt16(truncatingIfNeeded: number(10..<12))))
    try entry.header.check(fixed + name, name: "the header of entry '\(path)'")
    return ZipHeader(entry: entry)
  }

  func readContent(_ body: (RawSpan) throws -> Void) throws {
    guard let entry = entries.last else { preconditionFailure("content without a header") }
    guard entry.size <= file.byteCount - offset else {
      throw ArchiveFault.cutShort(inside: "entry '\(entry.path)'")
    }
    var checksum = CRC32()
    let end = offset + entry.size
    while offset < end {
      let piece = offset..<min(offset + (1 << 17), end)
      try file.withBytes(in: piece) { bytes in
        checksum.update(bytes)
        try body(bytes)
      }
      file.letGo(of: piece)
      offset = piece.upperBound
    }
    guard checksum.value == entry.checksum else {
      throw ArchiveFault.contentChecksum(
        path: entry.path.string, found: CRC32.words(checksum.value),
        header: CRC32.words(entry.checksum))
    }
  }

  func checkEnd() throws {
    let start = offset
    for (index, entry) in entries.enumerated() {
      let place = "the directory"
      let signature = ZipRecord.number(try bytes(4, at: offset, inside: place))
      guard signature != Zip.Signature.end.rawValue else {
        throw ArchiveFault.directoryCount(listed: index, entries: entries.count)
      }
      let record = entry.listing
      let byteCount = Zip.listingByteCount + entry.path.string.utf8.count
      try record.check(
        try bytes(byteCount, at: offset, inside: place),
        name: "the directory's record of entry '\(entry.path)'")
      offset += byteCount
    }
    let end = try bytes(Zip.endByteCount, at: offset, inside: "its end record")
    guard ZipRecord.number(end.prefix(4)) != Zip.Signature.listing.rawValue else {
      throw ArchiveFault.directoryCount(listed: entries.count + 1, entries: entries.count)
    }
    try Zip.end(entryCount: entries.count, directory: start..<offset)
      .check(end, name: "the end record")
    let rest = file.byteCount - offset - end.count
    guard rest == 0 else { throw ArchiveFault.bytesBehindEnd(count: rest) }
  }

  private func bytes(
    _ count: Int, at offset: Int, inside place: String
  ) throws(ArchiveFault) -> [UInt8] {
    guard count <= file.byteCount - offset else { throw .cutShort(inside: place) }
    return file.withBytes(in: offset..<offset + count) { bytes in
      unsafe bytes.withUnsafeBytes { unsafe Array($0) }
    }
  }
}

/// The header of an entry of a zip archive, already held to the one form but for its time.
private struct ZipHeader: EntryHeader {
  let entry: Zip.Entry

  var path: PackagePath { entry.path }
  var size: Int { entry.size }

  func checkForm(time: Timestamp) throws(ArchiveFault) {
    let expected = DOSTime(time)
    guard entry.time == expected else {
      throw .headerField(
        path: path.string, field: "date and time", found: entry.time.words,
        expected: expected.words)
    }
  }
}
