import Files
import Zstd

/// A text in a zstd file of one frame.
package enum ZstdText {
  /// The frame of some bytes, the same with each run.
  ///
  /// - Throws: `PackagingError.library`.
  package static func compress(_ bytes: [UInt8]) throws -> [UInt8] {
    let writer = try ZstdWriter(workers: 1)
    try writer.begin(byteCount: bytes.count)
    var frame: [UInt8] = []
    try unsafe writer.compress(bytes.span.bytes, isLast: true) { piece in
      unsafe piece.withUnsafeBytes { unsafe frame.append(contentsOf: $0) }
    }
    return frame
  }

  /// The bytes in a file.
  ///
  /// - Parameter limit: the most bytes that are read of the file, and taken from it.
  /// - Throws: `FileError`, and `PackagingError.unsound` for a file that is not one sound frame.
  package static func contents(of path: String, limit: Int) throws -> [UInt8] {
    let file = try MappedFile(path: path)
    guard file.byteCount <= limit else {
      throw FileError.tooLarge(path: path, bytes: file.byteCount, limit: limit)
    }
    do {
      guard (try? ArchiveForm(of: file)) == .tarZst else {
        throw ArchiveFault.notArchive(expected: .tarZst)
      }
      let reader = try ZstdReader(file, try ZstdDecoder())
      var bytes: [UInt8] = []
      while try reader.next(
        atMost: 1 << 20,
        { piece in unsafe piece.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) } }) > 0
      {
        guard bytes.count <= limit else {
          throw FileError.tooLarge(path: path, bytes: bytes.count, limit: limit)
        }
      }
      try reader.checkEnd()
      return bytes
    } catch let fault as ArchiveFault {
      throw PackagingError.unsound(archive: path, fault: fault)
    }
  }
}
