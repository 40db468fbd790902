import Files

/// Bytes of weights files, made field by field so that any of them can be wrong.
enum BlobBytes {
  static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  static func header(count: UInt32 = 1, version: UInt32 = 2) -> [UInt8] {
    littleEndian(count) + littleEndian(version) + [UInt8](repeating: 0, count: 56)
  }

  static func record(
    sentinel: UInt32 = 0xDEAD_BEEF, type: UInt32 = 3, byteCount: UInt64 = 4,
    dataOffset: UInt64 = 128, padding: UInt64 = 0
  ) -> [UInt8] {
    littleEndian(sentinel) + littleEndian(type) + littleEndian(byteCount)
      + littleEndian(dataOffset) + littleEndian(padding) + [UInt8](repeating: 0, count: 32)
  }
}

/// The bytes of a text of hexadecimal digits and spaces.
func bytes(hex text: String) -> [UInt8] {
  text.split(separator: " ").compactMap { UInt8($0, radix: 16) }
}
