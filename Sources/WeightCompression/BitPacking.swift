/// Packs small integers into a little-endian bit stream and back.
///
/// Element i takes bits i·bits ..< (i+1)·bits; bit k of the stream is bit k % 8 of byte k / 8. Bits
/// of the last byte that belong to no element are 0.
package enum BitPacking {
  /// Bytes that `count` elements of `bits` bits take.
  package static func byteCount(_ count: Int, bits: Int) -> Int { (count * bits + 7) / 8 }

  /// Packs values below 2^bits; `bits` is 1 to 8.
  package static func pack(_ values: [UInt8], bits: Int) -> [UInt8] {
    precondition((1...8).contains(bits), "1 to 8 bits")
    if bits == 8 { return values }
    if bits == 4 { return packedNibbles(values) }
    let byteCount = byteCount(values.count, bits: bits)
    return unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { bytes, initialized in
      unsafe values.withUnsafeBufferPointer { unsafe pack($0, bits: bits, into: bytes) }
      initialized = byteCount
    }
  }

  /// The first `count` elements of a stream, which must have at least their bytes.
  package static func unpack(_ bytes: [UInt8], bits: Int, count: Int) -> [UInt8] {
    precondition((1...8).contains(bits), "1 to 8 bits")
    precondition(bytes.count >= byteCount(count, bits: bits), "too few bytes")
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { values, initialized in
      unsafe bytes.withUnsafeBufferPointer {
        unsafe unpack($0, bits: bits, 0..<count, into: values)
      }
      initialized = count
    }
  }

  /// Unpacks a range of elements while `body` runs.
  static func withUnpacked(
    _ packed: [UInt8], bits: Int, _ range: Range<Int>, _ body: (UnsafePointer<UInt8>) -> Void
  ) {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: range.count) { unpacked in
      unsafe packed.withUnsafeBufferPointer {
        unsafe unpack($0, bits: bits, range, into: unpacked)
      }
      if let base = unpacked.baseAddress { unsafe body(UnsafePointer(base)) }
    }
  }

  private static func pack(
    _ values: UnsafeBufferPointer<UInt8>, bits: Int, into bytes: UnsafeMutableBufferPointer<UInt8>
  ) {
    // Eight elements fill whole bytes, as many as an element has bits.
    var position = 0
    for start in stride(from: 0, to: values.count, by: 8) {
      var word: UInt64 = 0
      for i in start..<min(start + 8, values.count) {
        unsafe word |= UInt64(values[i]) << UInt64((i - start) * bits)
      }
      for byte in 0..<min(bits, bytes.count - position) {
        unsafe bytes[position + byte] = UInt8(truncatingIfNeeded: word >> UInt64(8 * byte))
      }
      position += bits
    }
  }

  private static func packedNibbles(_ values: [UInt8]) -> [UInt8] {
    let byteCount = byteCount(values.count, bits: 4)
    return unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { bytes, initialized in
      unsafe values.withUnsafeBufferPointer { unsafe packNibbles($0, into: bytes) }
      initialized = byteCount
    }
  }

  /// Packs the low halves of bytes, two into one.
  static func packNibbles(
    _ values: UnsafeBufferPointer<UInt8>, into bytes: UnsafeMutableBufferPointer<UInt8>
  ) {
    let source = UnsafeRawBufferPointer(values)
    let target = UnsafeMutableRawBufferPointer(bytes)
    var index = 0
    while index + 32 <= values.count {
      let pairs =
        unsafe source.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt16>.self) & 0x0f0f
      unsafe target.storeBytes(
        of: SIMD16<UInt8>(truncatingIfNeeded: pairs | pairs &>> 4), toByteOffset: index / 2,
        as: SIMD16<UInt8>.self)
      index += 32
    }
    while index < values.count {
      let high = unsafe index + 1 < values.count ? values[index + 1] & 15 : 0
      unsafe bytes[index / 2] = values[index] & 15 | high << 4
      index += 2
    }
  }

  /// Unpacks the elements of `range` to the start of `values`; it may start and end within a byte.
  static func unpack(
    _ bytes: UnsafeBufferPointer<UInt8>, bits: Int, _ range: Range<Int>,
    into values: UnsafeMutableBufferPointer<UInt8>
  ) {
    precondition(byteCount(range.upperBound, bits: bits) <= bytes.count, "too few bytes")
    precondition(range.count <= values.count, "too little room")
    // Whole bytes are the elements themselves.
    if bits == 8 {
      for i in range { unsafe values[i - range.lowerBound] = bytes[i] }
      return
    }
    if bits == 4 { return unsafe unpackNibbles(bytes, range, into: values) }
    var index = range.lowerBound
    let mask = UInt64(1) << UInt64(bits) - 1
    while index < range.upperBound {
      let end = min(index / 8 * 8 + 8, range.upperBound)
      var word: UInt64 = 0
      let position = index / 8 * bits
      for byte in 0..<min(bits, bytes.count - position) {
        unsafe word |= UInt64(bytes[position + byte]) << UInt64(8 * byte)
      }
      for i in index..<end {
        let shift = UInt64(i % 8 * bits)
        unsafe values[i - range.lowerBound] = UInt8(truncatingIfNeeded: word >> shift & mask)
      }
      index = end
    }
  }

  /// Unpacks halves of bytes, two from one.
  private static func unpackNibbles(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>,
    into values: UnsafeMutableBufferPointer<UInt8>
  ) {
    let source = UnsafeRawBufferPointer(bytes)
    let target = UnsafeMutableRawBufferPointer(values)
    var index = range.lowerBound
    while index < range.upperBound {
      let place = index - range.lowerBound
      if index.isMultiple(of: 2), index + 32 <= range.upperBound {
        let pairs = SIMD16<UInt16>(
          truncatingIfNeeded: unsafe source.loadUnaligned(
            fromByteOffset: index / 2, as: SIMD16<UInt8>.self))
        unsafe target.storeBytes(
          of: (pairs | pairs &<< 4) & 0x0f0f, toByteOffset: place, as: SIMD16<UInt16>.self)
        index += 32
      } else {
        unsafe values[place] = bytes[index / 2] >> UInt8(index % 2 * 4) & 15
        index += 1
      }
    }
  }
}
