import Graph

extension CompressedTensor {
  /// The values a model computes with, row-major.
  package func dequantized() -> [Float] {
    if case .uncompressed(let values) = content { return values }
    let count = reference.elementCount
    let decoder = decoder
    return unsafe [Float](unsafeUninitializedCapacity: count) { values, initialized in
      for range in Self.chunks(of: count) {
        unsafe decoder.write(range, into: UnsafeMutableBufferPointer(rebasing: values[range]))
      }
      initialized = count
    }
  }

  /// Of the first values that `dequantized` gives.
  package func checksum(first count: Int) -> ValueChecksum {
    var checksum = ValueChecksum()
    unsafe forEachPiece(before: count) { _, piece in unsafe checksum.add(piece) }
    return checksum
  }

  /// ‖w − ŵ‖ / ‖w‖ for the values this tensor was made from, and the checksum of ŵ.
  func measured(against values: [Float]) -> (relativeError: Double, checksum: ValueChecksum) {
    var difference = 0.0
    var total = 0.0
    var checksum = ValueChecksum()
    unsafe values.withUnsafeBufferPointer { values in
      unsafe forEachPiece(before: values.count) { start, piece in
        unsafe checksum.add(piece)
        for i in piece.indices {
          let value = unsafe Double(values[start + i])
          let error = unsafe value - Double(piece[i])
          difference += error * error
          total += value * value
        }
      }
    }
    return (total > 0 ? (difference / total).squareRoot() : 0, checksum)
  }

  /// Calls `body(start, piece)` with the values from flat place `start` on, in order.
  private func forEachPiece(
    before end: Int, _ body: (Int, UnsafeBufferPointer<Float>) -> Void
  ) {
    let decoder = decoder
    unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: Self.chunk) { buffer in
      for range in Self.chunks(of: end) {
        unsafe decoder.write(range, into: buffer)
        unsafe body(range.lowerBound, UnsafeBufferPointer(rebasing: buffer[..<range.count]))
      }
    }
  }

  /// Elements decoded at a time; a multiple of eight, so that packed numbers start on bytes.
  private static var chunk: Int { 4096 }

  private static func chunks(of count: Int) -> some Sequence<Range<Int>> {
    stride(from: 0, to: count, by: chunk).lazy.map { $0..<min($0 + chunk, count) }
  }

  private var decoder: any ValueDecoder {
    content.codes.decoder(of: reference, floats)
  }
}

/// Turns stored numbers back into values, a piece of a tensor at a time.
protocol ValueDecoder {
  /// Writes the values of a flat range, which starts on a multiple of eight, to the start of `output`.
  func write(_ range: Range<Int>, into output: UnsafeMutableBufferPointer<Float>)
}

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
