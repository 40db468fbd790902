/// A weights file's description of one constant in it; checked against the file.
package struct BlobRecord: Equatable, Sendable {
  /// The record's offset, as a program's blob reference names it.
  package let offset: UInt64
  package let type: BlobType
  /// The range of the data in the file.
  package let range: Range<Int>
  /// Unused high bits of the last byte, 0 to 7; 0 for types of whole bytes.
  package let paddingBitCount: Int

  /// Size of the data.
  package var byteCount: Int { range.count }
  /// Number of elements the data are.
  package var elementCount: Int { (byteCount * 8 - paddingBitCount) / type.bitWidth }
}
