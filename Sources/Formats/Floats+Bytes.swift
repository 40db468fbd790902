extension [Float] {
  /// The values as stored: four little-endian bytes each.
  var littleEndianBytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * 4)
    for value in self { bytes.append(littleEndian: value.bitPattern) }
    return bytes
  }
}

extension [UInt8] {
  /// Adds the bytes of an integer, the lowest first.
  mutating func append(littleEndian value: some FixedWidthInteger & BitwiseCopyable) {
    unsafe Swift.withUnsafeBytes(of: value.littleEndian) { unsafe append(contentsOf: $0) }
  }
}
