extension RawSpan {
  /// The byte at an offset, which must be inside.
  func byte(at offset: Int) -> UInt8 { littleEndian(at: offset, as: UInt8.self) }

  /// The little-endian integer at an offset, which must be inside.
  package func littleEndian<Value: FixedWidthInteger & BitwiseCopyable>(
    at offset: Int, as type: Value.Type
  ) -> Value {
    unsafe Value(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: type))
  }

  /// A copy of the bytes in a range, which must be inside.
  func array(in range: Range<Int>) -> [UInt8] { extracting(range).array() }

  /// A copy of the bytes.
  package func array() -> [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }

  /// A copy of the bytes before the first that equals this; nil where none does.
  package func array(before byte: UInt8) -> [UInt8]? {
    unsafe withUnsafeBytes { bytes in
      unsafe bytes.firstIndex(of: byte).map { unsafe Array(bytes[..<$0]) }
    }
  }

  /// Whether the bytes begin with these.
  func starts(with bytes: [UInt8]) -> Bool {
    byteCount >= bytes.count && array(in: 0..<bytes.count) == bytes
  }
}
