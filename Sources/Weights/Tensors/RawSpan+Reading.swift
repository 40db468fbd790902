extension RawSpan {
  /// The byte at an offset, which must be inside.
  func byte(at offset: Int) -> UInt8 { littleEndian(at: offset, as: UInt8.self) }

  /// The little-endian integer at an offset, which must be inside.
  func littleEndian<Value: FixedWidthInteger & BitwiseCopyable>(
    at offset: Int, as type: Value.Type
  ) -> Value {
    unsafe Value(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: type))
  }

  /// A copy of the bytes in a range, which must be inside.
  func array(in range: Range<Int>) -> [UInt8] {
    let part = extracting(range)
    return unsafe part.withUnsafeBytes { unsafe Array($0) }
  }

  /// Whether the bytes begin with these.
  func starts(with bytes: [UInt8]) -> Bool {
    byteCount >= bytes.count && array(in: 0..<bytes.count) == bytes
  }
}
