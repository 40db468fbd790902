import CZlib

/// Zip archives, right and wrong ones.
package struct ZipBytes {
  /// One file of the archive; every field can be made to lie.
  package struct Member {
    package var name: [UInt8]
    package var content: [UInt8]
    package var method: UInt16 = 0
    package var localMethod: UInt16?
    package var localName: [UInt8]?
    package var flags: UInt16 = 0
    package var crc: UInt32?
    package var compressedCount: UInt32?
    package var byteCount: UInt32?
    package var headerOffset: UInt32?
    /// Bytes that are stored in place of the (deflated) content.
    package var stored: [UInt8]?

    package init(_ name: String, _ content: [UInt8], deflated: Bool = false) {
      self.name = Array(name.utf8)
      self.content = content
      method = deflated ? 8 : 0
    }

    /// This member, changed.
    package func with(_ change: (inout Member) -> Void) -> Member {
      var member = self
      change(&member)
      return member
    }
  }

  package var members: [Member]
  package var memberCount: UInt16?
  package var directoryByteCount: UInt32?
  package var directoryOffset: UInt32?
  package var disk: UInt16 = 0
  package var comment: [UInt8] = []
  /// Whether empty ZIP64 records follow the directory.
  package var hasLargeRecords = false

  package init(_ members: [Member]) { self.members = members }

  /// The archive.
  package var bytes: [UInt8] {
    var file: [UInt8] = []
    var directory: [UInt8] = []
    for member in members {
      let offset = UInt32(file.count)
      let stored =
        member.stored ?? (member.method == 8 ? deflated(member.content) : member.content)
      let crc = member.crc ?? checksum(member.content)
      let sizes =
        littleEndian(crc) + littleEndian(member.compressedCount ?? UInt32(stored.count))
        + littleEndian(member.byteCount ?? UInt32(member.content.count))
      let localName = member.localName ?? member.name
      file += littleEndian(0x0403_4B50 as UInt32) + littleEndian(20 as UInt16)
      file += littleEndian(member.flags) + littleEndian(member.localMethod ?? member.method)
      file += littleEndian(0 as UInt32) + sizes
      file += littleEndian(UInt16(localName.count)) + littleEndian(0 as UInt16)
      file += localName + stored
      directory += littleEndian(0x0201_4B50 as UInt32) + littleEndian(20 as UInt16)
      directory += littleEndian(20 as UInt16) + littleEndian(member.flags)
      directory += littleEndian(member.method) + littleEndian(0 as UInt32) + sizes
      directory += littleEndian(UInt16(member.name.count)) + [UInt8](repeating: 0, count: 12)
      directory += littleEndian(member.headerOffset ?? offset) + member.name
    }
    let start = UInt32(file.count)
    let count = memberCount ?? UInt16(members.count)
    file += directory
    if hasLargeRecords {
      file += littleEndian(0x0606_4B50 as UInt32) + [UInt8](repeating: 0, count: 52)
      file += littleEndian(0x0706_4B50 as UInt32) + [UInt8](repeating: 0, count: 16)
    }
    file += littleEndian(0x0605_4B50 as UInt32) + littleEndian(disk)
    file += littleEndian(0 as UInt16) + littleEndian(count) + littleEndian(count)
    file += littleEndian(directoryByteCount ?? UInt32(directory.count))
    file += littleEndian(directoryOffset ?? start)
    return file + littleEndian(UInt16(comment.count)) + comment
  }

  /// The CRC-32 of bytes.
  package static func checksum(_ bytes: [UInt8]) -> UInt32 {
    UInt32(crc32(0, bytes, UInt32(bytes.count)))
  }

  private func checksum(_ bytes: [UInt8]) -> UInt32 { ZipBytes.checksum(bytes) }

  /// A raw deflate stream.
  package static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    var count = compressBound(UInt(bytes.count))
    var output = [UInt8](repeating: 0, count: Int(count))
    let status = compress2(&output, &count, bytes, UInt(bytes.count), 6)
    precondition(status == Z_OK, "zlib failed")
    // Without zlib's own two bytes before the stream and four after it.
    return Array(output[2..<Int(count) - 4])
  }

  private func deflated(_ bytes: [UInt8]) -> [UInt8] { ZipBytes.deflated(bytes) }
}
