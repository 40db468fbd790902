/// Layout of a weights file ("MIL blob storage", version 2); all little-endian.
///
/// A header of 64 bytes (UInt32 number of records, UInt32 version, zeros), then record after record:
/// 64 bytes that describe the data and the data itself, both on a multiple of 64. Nothing follows
/// the last data.
enum BlobLayout {
  /// Size of the header, size of a record's description and what both kinds of offset are a multiple
  /// of.
  static let unit = 64
  static let version: UInt32 = 2
  static let sentinel: UInt32 = 0xDEAD_BEEF

  /// Offsets in a description; the rest of it is zero.
  enum Field {
    static let sentinel = 0  // UInt32
    static let type = 4  // UInt32, a `BlobType`
    static let byteCount = 8  // UInt64, padding bits included
    static let dataOffset = 16  // UInt64, from the start of the file
    static let paddingBitCount = 24  // UInt64, unused high bits of the last byte
  }

  /// Zero bytes that bring a length to the next multiple of `unit`.
  static func padding(after byteCount: Int) -> Int { (unit - byteCount % unit) % unit }
}

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
