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
