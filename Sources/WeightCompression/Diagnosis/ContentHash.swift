/// A number that equal values share, and others nearly never.
///
/// It only tells which tensors are worth comparing. Its key is drawn anew by each process, so that no
/// file can be made of tensors that all must be compared.
package struct ContentHash: Hashable, Sendable {
  private let value: UInt64

  private static let key = UInt64.random(in: .min ... .max) | 1

  package init(_ values: [Float]) {
    value = values.withUnsafeBytes { ContentHash.hash($0) }
  }

  // Four streams of words, each multiplied and turned, mixed at the end.
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var (a, b, c, d) = (key, key &* 3, key &* 5, key &* 7)
    var offset = 0
    while offset + 32 <= bytes.count {
      a = mixed(a, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      b = mixed(b, bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
      c = mixed(c, bytes.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self))
      d = mixed(d, bytes.loadUnaligned(fromByteOffset: offset + 24, as: UInt64.self))
      offset += 32
    }
    while offset + 4 <= bytes.count {
      a = mixed(a, UInt64(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
      offset += 4
    }
    return mixed(mixed(mixed(a, b), c), d)
  }

  @inline(__always)
  private static func mixed(_ state: UInt64, _ word: UInt64) -> UInt64 {
    let product = (state ^ word) &* key
    return product ^ product >> 29
  }
}
