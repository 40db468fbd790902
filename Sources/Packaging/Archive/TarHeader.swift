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
