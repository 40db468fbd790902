import Files
import Weights
import Zstd

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

/// The header of a tar entry, read without trust.
struct TarHeader: EntryHeader {
  let path: PackagePath
  let size: Int
  /// Seconds since 1970.
  let time: Int
  private let block: [UInt8]

  /// Reads a header, refusing what packages never hold.
  ///
  /// - Parameter index: number of the entry, from 1, for messages.
  init(_ block: [UInt8], index: Int) throws(ArchiveFault) {
    precondition(block.count == Tar.blockSize, "a header is one block")
    guard TarHeader.number(block[148..<156]) == Tar.checksum(of: block) else {
      throw .headerChecksum(entry: index)
    }
    self.block = block
    let prefix = block[345..<500].prefix { $0 != 0 }
    let name = block[0..<100].prefix { $0 != 0 }
    let whole = (prefix.isEmpty ? [] : prefix + [UInt8(ascii: "/")]) + name
    let quoted = String(decoding: name, as: UTF8.self).asciiEscaped
    guard block[156] == UInt8(ascii: "0") else {
      throw .notRegular(path: quoted, type: TarHeader.words(forType: block[156]))
    }
    do throws(PackagingError) {
      path = try PackagePath(String(decoding: whole, as: UTF8.self))
    } catch {
      throw .badPath(path: quoted)
    }
    guard path.ustarFields.prefix.utf8.elementsEqual(prefix) else {
      throw .nonCanonicalHeader(path: quoted)
    }
    guard let size = TarHeader.number(block[124..<136]),
      let time = TarHeader.number(block[136..<148])
    else { throw .nonCanonicalHeader(path: path.string) }
    self.size = size
    self.time = time
    try checkField("mode", 100..<108, expected: 0o644)
    try checkField("user id", 108..<116, expected: 0)
    try checkField("group id", 116..<124, expected: 0)
  }

  /// Checks that the header is, byte for byte, the one a package has for such a file.
  func checkForm(time expected: Timestamp) throws(ArchiveFault) {
    guard time == expected.seconds else {
      throw .headerField(
        path: path.string, field: "time", found: "\(time)", expected: "\(expected.seconds)")
    }
    guard block == Tar.header(path: path, size: size, time: expected) else {
      throw .nonCanonicalHeader(path: path.string)
    }
  }

  private func checkField(
    _ field: String, _ range: Range<Int>, expected: Int
  ) throws(ArchiveFault) {
    let found = TarHeader.number(block[range])
    guard found == expected else {
      throw .headerField(
        path: path.string, field: field, found: found.map { "0" + String($0, radix: 8) } ?? "none",
        expected: "0" + String(expected, radix: 8))
    }
  }

  /// Octal digits up to a space or a zero byte; nil for anything else.
  private static func number(_ field: ArraySlice<UInt8>) -> Int? {
    var value = 0
    let digits = field.prefix { $0 != 0 && $0 != UInt8(ascii: " ") }
    guard !digits.isEmpty else { return nil }
    for digit in digits {
      guard UInt8(ascii: "0")...UInt8(ascii: "7") ~= digit else { return nil }
      value = value * 8 + Int(digit - UInt8(ascii: "0"))
    }
    return value
  }

  private static func words(forType type: UInt8) -> String {
    switch type {
    case UInt8(ascii: "1"): "a hard link"
    case UInt8(ascii: "2"): "a symbolic link"
    case UInt8(ascii: "3"), UInt8(ascii: "4"): "a device"
    case UInt8(ascii: "5"): "a folder"
    case UInt8(ascii: "6"): "a pipe"
    case UInt8(ascii: "x"), UInt8(ascii: "g"): "a pax header"
    case UInt8(ascii: "L"), UInt8(ascii: "K"): "a GNU long name"
    case UInt8(ascii: "S"): "a sparse file"
    default: "of type \(type)"
    }
  }
}

/// The one form of ustar (IEEE Std 1003.1) that packages use: regular files with fixed owner and
/// mode, no folders, no padding beyond the last block.
enum Tar {
  /// Bytes of a header, and what content is padded to.
  static let blockSize = 512
  /// Two zero blocks end the stream.
  static let endByteCount = 2 * blockSize

  /// Bytes an entry takes, header and padding included.
  static func entryByteCount(_ size: Int) -> Int {
    blockSize + size + paddingByteCount(size)
  }

  /// Zero bytes that follow content of a size.
  static func paddingByteCount(_ size: Int) -> Int { (blockSize - size % blockSize) % blockSize }

  /// The header of a file as libarchive's ustar writer makes it.
  ///
  /// Fields, by offset: name 0, mode 100, uid 108, gid 116, size 124, mtime 136, checksum 148,
  /// type 156, magic and version 257, device numbers 329 and 337, start of a long name 345. Numbers
  /// are octal digits.
  static func header(path: PackagePath, size: Int, time: Timestamp) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: blockSize)
    func put(_ text: String, at offset: Int) {
      header.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
    }
    let (name, prefix) = path.ustarFields
    put(name, at: 0)
    put(prefix, at: 345)
    put("000644 ", at: 100)
    put("000000 ", at: 108)
    put("000000 ", at: 116)
    put(octal(size, digits: 11) + " ", at: 124)
    put(octal(time.seconds, digits: 11) + " ", at: 136)
    put("0", at: 156)
    put("ustar\0" + "00", at: 257)
    put("000000 ", at: 329)
    put("000000 ", at: 337)
    put(octal(checksum(of: header), digits: 6) + "\0 ", at: 148)
    return header
  }

  /// The sum of a header's bytes, those of the checksum itself counted as spaces.
  static func checksum(of header: [UInt8]) -> Int {
    header.indices.reduce(0) { sum, index in
      sum + ((148..<156).contains(index) ? 0x20 : Int(header[index]))
    }
  }

  private static func octal(_ number: Int, digits: Int) -> String {
    let text = String(number, radix: 8)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
