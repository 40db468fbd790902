/// The one form of zip (PKWARE's APPNOTE 6.3.10) that packages use: stored files with a fixed mode,
/// no extra fields, no comments, no Zip64, no sizes behind the content.
enum Zip {
  /// Largest archive, in bytes: the next number means Zip64.
  static let byteLimit = 0xFFFF_FFFE
  /// Most entries, for the same reason.
  static let entryLimit = 0xFFFE
  static let endByteCount = 22

  /// The fields of an entry's records.
  struct Entry {
    let path: PackagePath
    /// Bytes of the content.
    let size: Int
    /// CRC-32 of the content.
    let checksum: UInt32
    /// Where the entry starts in the archive.
    let offset: Int
    let time: DOSTime

    /// The record before the content (4.3.7).
    var header: ZipRecord {
      ZipRecord(
        [.init("signature", 4, Signature.header.rawValue)] + shared
          + [.init("length of extra fields", 2, 0)], path: path)
    }

    /// The record in the directory (4.3.12).
    var listing: ZipRecord {
      ZipRecord(
        [
          .init("signature", 4, Signature.listing.rawValue),
          // Version 2.0 on Unix, so that the mode counts.
          .init("version of the writer", 2, 0x0314),
        ] + shared + [
          .init("length of extra fields", 2, 0), .init("length of the comment", 2, 0),
          .init("disk", 2, 0), .init("internal attributes", 2, 0),
          .init("external attributes", 4, 0o100644 << 16), .init("offset", 4, offset),
        ], path: path)
    }

    /// Bytes that header and content take.
    var byteCount: Int { Zip.headerByteCount + path.string.utf8.count + size }

    /// The fields that both records have.
    private var shared: [ZipRecord.Field] {
      [
        .init("version to read it", 2, 10), .init("flags", 2, 0), .init("method", 2, 0),
        .init("time", 2, time.time), .init("date", 2, time.date),
        .init("checksum", 4, checksum), .init("stored size", 4, size), .init("size", 4, size),
        .init("length of the path", 2, path.string.utf8.count),
      ]
    }
  }

  enum Signature: UInt32 {
    case header = 0x0403_4B50
    case listing = 0x0201_4B50
    case end = 0x0605_4B50
  }

  /// Bytes of an entry's header without the path.
  static let headerByteCount = 30
  /// Bytes of an entry's record in the directory without the path.
  static let listingByteCount = 46

  /// The last record of an archive (4.3.16).
  static func end(entryCount: Int, directory: Range<Int>) -> ZipRecord {
    ZipRecord([
      .init("signature", 4, Signature.end.rawValue), .init("disk", 2, 0),
      .init("disk of the directory", 2, 0), .init("number of entries on this disk", 2, entryCount),
      .init("number of entries", 2, entryCount), .init("size of the directory", 4, directory.count),
      .init("offset of the directory", 4, directory.lowerBound),
      .init("length of the comment", 2, 0),
    ])
  }

  /// Bytes of the archive of a package.
  ///
  /// - Parameter manifestBytes: size of the manifest's own entry.
  static func byteCount(of manifest: Manifest, manifestBytes: Int) -> Int {
    let paths = manifest.files.map(\.path.string.utf8.count) + [Manifest.entryName.utf8.count]
    return paths.reduce(manifest.installedBytes + manifestBytes + endByteCount) {
      $0 + headerByteCount + listingByteCount + 2 * $1
    }
  }
}

/// A moment as zip archives hold it, here always in UTC: two seconds exact, from 1980 to 2107.
struct DOSTime: Equatable {
  let date: UInt16
  let time: UInt16

  init(date: UInt16, time: UInt16) {
    self.date = date
    self.time = time
  }

  /// The last such moment at or before another, or the nearest there is.
  init(_ moment: Timestamp) {
    let (year, month, day) = moment.date
    let (hour, minute, second) = moment.timeOfDay
    if year < 1980 {
      self.init(date: 1 << 5 | 1, time: 0)
    } else if year > 2107 {
      self.init(date: 127 << 9 | 12 << 5 | 31, time: 23 << 11 | 59 << 5 | 29)
    } else {
      self.init(
        date: UInt16((year - 1980) << 9 | month << 5 | day),
        time: UInt16(hour << 11 | minute << 5 | second / 2))
    }
  }

  /// Both numbers, for messages.
  var words: String { "\(date).\(time)" }
}

/// A record of a zip archive: numbers, least byte first, and perhaps a path behind them.
///
/// The same list of fields is written and is compared with what an archive holds.
struct ZipRecord {
  struct Field {
    let name: String
    /// 2 or 4.
    let byteCount: Int
    let value: UInt32

    /// - Parameter value: must fit.
    init(_ name: String, _ byteCount: Int, _ value: some BinaryInteger) {
      self.name = name
      self.byteCount = byteCount
      self.value = UInt32(value)
    }
  }

  let fields: [Field]
  let path: PackagePath?

  init(_ fields: [Field], path: PackagePath? = nil) {
    self.fields = fields
    self.path = path
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for field in fields {
      for index in 0..<field.byteCount {
        bytes.append(UInt8(truncatingIfNeeded: field.value >> (8 * UInt32(index))))
      }
    }
    if let path { bytes += path.string.utf8 }
    return bytes
  }

  /// Checks that bytes, as many as the record has, are the record.
  ///
  /// - Parameter name: the record's name, for messages.
  func check(_ bytes: [UInt8], name: String) throws(ArchiveFault) {
    var offset = 0
    for field in fields {
      let found = ZipRecord.number(bytes[offset..<offset + field.byteCount])
      guard found == field.value else {
        throw .zipField(
          record: name, field: field.name, found: "\(found)", expected: "\(field.value)")
      }
      offset += field.byteCount
    }
    guard let path, !bytes[offset...].elementsEqual(path.string.utf8) else { return }
    let found = String(decoding: bytes[offset...], as: UTF8.self)
    throw .zipField(
      record: name, field: "path", found: "'\(found.asciiEscaped)'", expected: "'\(path)'")
  }

  /// At most four bytes as a number.
  static func number(_ bytes: some Collection<UInt8>) -> UInt32 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
