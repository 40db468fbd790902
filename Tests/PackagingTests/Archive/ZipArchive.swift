@testable import Packaging

/// A zip archive in parts, to be put together wrong.
struct ZipArchive {
  struct Entry {
    var header: [UInt8]
    var content: [UInt8]
    var listing: [UInt8]

    /// Overwrites bytes in both records, at the offsets they have in the header.
    mutating func patchBoth(_ offset: Int, _ bytes: [UInt8]) {
      header.replaceSubrange(offset..<offset + bytes.count, with: bytes)
      listing.replaceSubrange(offset + 2..<offset + 2 + bytes.count, with: bytes)
    }

    mutating func patchHeader(_ offset: Int, _ bytes: [UInt8]) {
      header.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }

    mutating func patchListing(_ offset: Int, _ bytes: [UInt8]) {
      listing.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }

    /// Gives the entry another name in both records.
    mutating func rename(_ name: [UInt8]) {
      let length = [UInt8(name.count & 255), UInt8(name.count >> 8)]
      header = Array(header[..<30]) + name
      listing = Array(listing[..<46]) + name
      patchBoth(26, length)
    }
  }

  var entries: [Entry]
  var end: [UInt8]

  /// The sample package.
  init() throws { try self.init(of: try Tarball()) }

  /// The files of a tar stream, with sound records.
  init(of tar: Tarball) throws {
    var entries: [Entry] = []
    var offset = 0
    for file in tar.entries {
      var checksum = CRC32()
      unsafe checksum.update(file.content.span.bytes)
      let record = Zip.Entry(
        path: try PackagePath(Tarball.name(of: file)), size: file.content.count,
        checksum: checksum.value, offset: offset, time: DOSTime(try Sample.time(1_795_219_200)))
      entries.append(
        Entry(header: record.header.bytes, content: file.content, listing: record.listing.bytes))
      offset += record.byteCount
    }
    self.entries = entries
    let directory = entries.reduce(0) { $0 + $1.listing.count }
    end =
      Zip.end(entryCount: entries.count, directory: offset..<offset + directory).bytes
  }

  var bytes: [UInt8] { files + directory + end }
  var files: [UInt8] { entries.flatMap { $0.header + $0.content } }
  var directory: [UInt8] { entries.flatMap(\.listing) }
}
