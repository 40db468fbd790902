package import Graph

/// Integers with scales: value = scale · (code − zero point).
package struct LinearScheme: Hashable, Sendable {
  /// The integer type of codes.
  package enum Integers: String, CaseIterable, Hashable, Sendable {
    case int8, uint8, int4, uint4

    package var bits: Int { self == .int8 || self == .uint8 ? 8 : 4 }
    package var isSigned: Bool { self == .int8 || self == .int4 }
  }

  /// The codes in use.
  package enum Mode: String, CaseIterable, Hashable, Sendable {
    /// As many on each side of zero: −127 … 127, 0 … 254 around 127, −7 … 7, 0 … 14 around 7.
    case symmetric
    /// The whole range of codes, around a zero point of their own for each scale.
    case asymmetric
  }

  /// The values that share a scale.
  package enum Granularity: Hashable, Sendable {
    case perTensor
    /// Along the role's channel axis.
    case perChannel
    /// Of each channel `size` consecutive places along the input axis.
    case perBlock(size: Int)
  }

  /// The method of finding a scale.
  package enum Range: String, CaseIterable, Hashable, Sendable {
    /// The least that reaches every value.
    case largest
    /// The one of least squared error, which may clip the largest values.
    case leastSquares = "least-squares"
  }

  package let integers: Integers
  package let mode: Mode
  package let granularity: Granularity
  package let range: Range

  /// Default number of inputs per scale.
  package static let defaultBlockSize = 32

  package init(
    _ integers: Integers, mode: Mode = .symmetric, granularity: Granularity,
    range: Range = .largest
  ) {
    self.integers = integers
    self.mode = mode
    self.granularity = granularity
    self.range = range
  }

  /// The lowest and the highest code.
  package var codes: ClosedRange<Int> {
    let steps = 1 << integers.bits
    switch (integers.isSigned, mode) {
    case (true, .symmetric): return 1 - steps / 2...steps / 2 - 1
    case (true, .asymmetric): return -steps / 2...steps / 2 - 1
    case (false, .symmetric): return 0...steps - 2
    case (false, .asymmetric): return 0...steps - 1
    }
  }

  /// The code of zero if all scales share it; nil if each has its own.
  package var fixedZeroPoint: Int? {
    mode == .symmetric ? (codes.lowerBound + codes.upperBound) / 2 : nil
  }

  /// "int4 asymmetric in blocks of 32".
  package var label: String {
    let kind = mode == .symmetric ? integers.rawValue : integers.rawValue + " asymmetric"
    let unit =
      switch granularity {
      case .perTensor: "per tensor"
      case .perChannel: "per channel"
      case .perBlock(let size): "in blocks of \(size)"
      }
    return "\(kind) \(unit)" + (range == .leastSquares ? ", least squares" : "")
  }

}

extension LinearScheme: CompressionScheme {
  package var isLossless: Bool { false }
  package var hasOneScale: Bool { granularity == .perTensor }
  package var channelUnit: Int { 1 }

  package var fitsEveryWeight: Bool {
    switch granularity {
    case .perTensor, .perChannel: true
    case .perBlock: false
    }
  }

  package func validate() throws(CompressionError) {
    if case .perBlock(let size) = granularity, size < 1 { throw .invalidBlockSize(size) }
  }

  package func fault(of reference: WeightReference) -> TensorRefusal.Fault? {
    guard case .perBlock(let size) = granularity, reference.hasChannels else { return nil }
    guard let inputs = reference.inputs else { return .noInputs }
    return inputs % size == 0 ? nil : .blocks(size: size, inputs: inputs)
  }

  package func blocks(of reference: WeightReference) -> [Int] {
    switch granularity {
    case .perTensor: reference.blocks(channels: 1)
    case .perChannel: reference.blocks(channels: reference.channels)
    case .perBlock(let size):
      reference.blocks(
        channels: reference.channels, inputs: (reference.inputs ?? size) / size)
    }
  }

  package func storedBits(_ floats: FloatType) -> Int { integers.bits }

  package func storedBytes(of reference: WeightReference, _ floats: FloatType) -> Int {
    let zeroPoint = mode == .asymmetric ? 1 : 0
    return BitPacking.byteCount(reference.elementCount, bits: integers.bits)
      + (floats.byteCount + zeroPoint) * blocks(of: reference).reduce(1, *)
  }

  package func stored(for reference: WeightReference) -> Scheme {
    let granularity = Self.granularity(blocks: blocks(of: reference), of: reference)
    return .linear(LinearScheme(integers, mode: mode, granularity: granularity))
  }

  package func peakBytes(of reference: WeightReference, jobs: Int) -> Int {
    7 * reference.elementCount
  }

  package func compress(
    _ values: [Float], _ reference: WeightReference, _ floats: FloatType, importance: Importance?,
    jobs: Int
  ) -> CompressedTensor.Content {
    .linear(
      LinearQuantizer.quantize(
        values, reference, self, floats, importance: importance, jobs: jobs))
  }

  /// The coarsest granularity that fits scales in these blocks.
  package static func granularity(
    blocks: [Int], of reference: WeightReference
  ) -> Granularity {
    let axis = reference.role.inputAxis
    if let inputs = reference.inputs, blocks[axis] > 1 {
      return .perBlock(size: inputs / blocks[axis])
    }
    return blocks.reduce(1, *) == 1 ? .perTensor : .perChannel
  }
}
