package import Graph
package import Weights

/// A weight as it will be stored, and its compression error.
package struct CompressedTensor: Sendable {
  package let reference: WeightReference
  package let content: Content
  /// Type of the stored floats: scales, palette entries, uncompressed values.
  package let floats: FloatType
  /// ‖w − ŵ‖ / ‖w‖ in Double, ŵ being the result of `dequantized`; 0 if nothing was lost or all
  /// values are zero.
  package let relativeError: Double

  package var name: TensorName { reference.name }
  package var shape: [Int] { reference.shape }
  package var role: WeightRole { reference.role }

  /// Whether the values differ from the original although no scheme applies: calibration fitted
  /// them to make up for the loss of the weight beside it.
  package private(set) var isRefitted = false

  /// Of the values `dequantized` gives, if it was taken when the tensor was made.
  private let knownChecksum: ValueChecksum?

  /// Puts a tensor together from stored parts, whose floats have the type `floats` already.
  ///
  /// - Throws: `CompressionError.inconsistent` when the parts' sizes do not fit the shape.
  package init(
    _ reference: WeightReference, _ content: Content, floats: FloatType = .float32,
    relativeError: Double
  ) throws(CompressionError) {
    self.init(unchecked: reference, content, floats, relativeError, nil)
    try content.codes.check(for: reference)
  }

  /// The same with the error measured against the values it was made from.
  package init(
    _ reference: WeightReference, _ content: Content, floats: FloatType, madeFrom values: [Float]
  ) throws(CompressionError) {
    self.init(made: content, of: reference, floats: floats, from: values)
    try content.codes.check(for: reference)
  }

  /// The same of parts that were just made for the shape.
  init(
    made content: Content, of reference: WeightReference, floats: FloatType,
    from values: [Float]
  ) {
    let bare = CompressedTensor(unchecked: reference, content, floats, 0, nil)
    let (error, checksum) = bare.measured(against: values)
    self.init(unchecked: reference, content, floats, error, checksum)
  }

  private init(
    unchecked reference: WeightReference, _ content: Content, _ floats: FloatType,
    _ relativeError: Double, _ checksum: ValueChecksum?
  ) {
    self.reference = reference
    self.content = content
    self.floats = floats
    self.relativeError = relativeError
    knownChecksum = checksum
  }

  /// Of the values `dequantized` gives.
  package var checksum: ValueChecksum { knownChecksum ?? checksum(first: reference.elementCount) }

  /// The scheme it is stored by; nil if it is uncompressed.
  package var scheme: Scheme? { content.codes.scheme(of: reference) }

  /// A phrase for listings: the scheme's, "kept" of an uncompressed weight, or "refitted".
  package var schemeLabel: String { scheme?.label ?? (isRefitted ? Self.refittedLabel : "kept") }

  /// The word in listings for a weight without a scheme that was fitted to inputs.
  package static let refittedLabel = "refitted"

  /// The same, marked as fitted to inputs.
  package func refitted() -> CompressedTensor {
    var tensor = self
    tensor.isRefitted = true
    return tensor
  }

  /// Bits per stored element, or per vector of them, without scales and palettes.
  package var bits: Int { scheme?.own.storedBits(floats) ?? 8 * floats.byteCount }

  /// Bytes as stored, scales and palettes included.
  package var byteCount: Int { content.codes.byteCount(floats) }
}

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

  /// Some of the values that `dequantized` gives.
  package func dequantized(in range: Range<Int>) -> [Float] {
    if case .uncompressed(let values) = content { return Array(values[range]) }
    // Packed numbers start on bytes.
    let start = range.lowerBound / 8 * 8
    let decoder = decoder
    return unsafe withUnsafeTemporaryAllocation(
      of: Float.self, capacity: range.upperBound - start
    ) { values in
      unsafe decoder.write(start..<range.upperBound, into: values)
      return unsafe Array(values[(range.lowerBound - start)...])
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
