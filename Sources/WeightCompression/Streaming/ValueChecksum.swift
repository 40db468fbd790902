/// Tells whether two runs of floats are bit-identical, with a 2⁻³² chance of a false match.
///
/// Sixteen sums h ← h · m + x modulo 2³² over every sixteenth value, m being odd: one changed value
/// always changes its sum. It finds faults of a writer or reader; it proves nothing to an adversary.
package struct ValueChecksum: Hashable, Sendable {
  private var sums = SIMD16<UInt32>()
  private var count = 0

  private static let multiplier = SIMD16<UInt32>(repeating: 0x9E37_79B1)

  package init() {}

  /// The checksum of all values.
  package init(_ values: [Float]) {
    unsafe values.withUnsafeBufferPointer { unsafe add($0) }
  }

  /// Takes the next values; all calls but the last take a multiple of sixteen.
  mutating func add(_ values: UnsafeBufferPointer<Float>) {
    precondition(count % 16 == 0, "only the last values may be no multiple of sixteen")
    let bytes = UnsafeRawBufferPointer(values)
    var sums = sums
    var index = 0
    while index + 16 <= values.count {
      let bits = unsafe bytes.loadUnaligned(fromByteOffset: 4 * index, as: SIMD16<UInt32>.self)
      sums = sums &* Self.multiplier &+ bits
      index += 16
    }
    for i in index..<values.count {
      sums[i - index] = unsafe sums[i - index] &* Self.multiplier[0] &+ values[i].bitPattern
    }
    self.sums = sums
    count += values.count
  }
}
