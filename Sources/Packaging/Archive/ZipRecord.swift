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
