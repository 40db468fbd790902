package import Files
import Weights

/// Writes a weights file record by record.
package struct BlobWriter: ~Copyable {
  private var file: OutputFile
  private var count: UInt32 = 0

  /// Begins a weights file in an empty file.
  package init(_ file: consuming OutputFile) throws(FileError) {
    precondition(file.byteCount == 0, "an empty file")
    self.file = file
    try self.file.write(BlobWriter.header(count: 0))
  }

  /// Bytes written so far.
  package var byteCount: Int { file.byteCount }

  /// Appends one constant.
  ///
  /// - Parameters:
  ///   - bytes: little-endian elements in row-major order; those of fewer than 8 bits packed as
  ///     `BitPacking` does, the unused bits of the last byte zero.
  ///   - elementCount: how many elements the bytes are.
  /// - Returns: the offset of the record, which is what a program's blob reference names.
  package mutating func append(
    _ bytes: RawSpan, type: BlobType, elementCount: Int
  ) throws(FileError) -> UInt64 {
    precondition(type.byteCount(of: elementCount) == bytes.byteCount, "as many bytes as elements")
    let padding = BlobLayout.padding(after: file.byteCount)
    let offset = file.byteCount + padding
    var description = [UInt8](repeating: 0, count: padding)
    description.append(littleEndian: BlobLayout.sentinel)
    description.append(littleEndian: type.rawValue)
    description.append(littleEndian: UInt64(bytes.byteCount))
    description.append(littleEndian: UInt64(offset + BlobLayout.unit))
    description.append(littleEndian: UInt64(bytes.byteCount * 8 - elementCount * type.bitWidth))
    description += [UInt8](repeating: 0, count: padding + BlobLayout.unit - description.count)
    try file.write(description)
    try file.write(bytes)
    count += 1
    return UInt64(offset)
  }

  /// Appends one constant; see above.
  package mutating func append(
    _ bytes: [UInt8], type: BlobType, elementCount: Int
  ) throws(FileError) -> UInt64 {
    try unsafe append(bytes.span.bytes, type: type, elementCount: elementCount)
  }

  /// Notes the number of records in the header and closes the file.
  ///
  /// - Returns: the file's size in bytes.
  @discardableResult
  package consuming func finish() throws(FileError) -> Int {
    let byteCount = file.byteCount
    try file.overwrite(BlobWriter.header(count: count), at: 0)
    try file.finish()
    return byteCount
  }

  private static func header(count: UInt32) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: count)
    bytes.append(littleEndian: BlobLayout.version)
    return bytes + [UInt8](repeating: 0, count: BlobLayout.unit - bytes.count)
  }
}
