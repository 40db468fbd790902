import Graph

/// The stored numbers of a linear scheme: value = scale · (code − zero point).
package struct LinearCodes: Equatable, CompressedCodes {
  package let integers: LinearScheme.Integers
  package let mode: LinearScheme.Mode
  /// In flat order, packed by `BitPacking`; signed ones in two's complement.
  package let packed: [UInt8]
  /// One for each block.
  package let scales: [Float]
  /// One for each scale if the mode is asymmetric, else empty.
  package let zeroPoints: [Int16]
  /// Number of equal blocks with their own scales along each axis; blocks are row-major.
  package let blocks: [Int]

  package init(
    _ integers: LinearScheme.Integers, mode: LinearScheme.Mode = .symmetric, packed: [UInt8],
    scales: [Float], zeroPoints: [Int16] = [], blocks: [Int]
  ) {
    self.integers = integers
    self.mode = mode
    self.packed = packed
    self.scales = scales
    self.zeroPoints = zeroPoints
    self.blocks = blocks
  }

  func scheme(of reference: WeightReference) -> Scheme? {
    let granularity = LinearScheme.granularity(blocks: blocks, of: reference)
    return .linear(LinearScheme(integers, mode: mode, granularity: granularity))
  }

  func byteCount(_ floats: FloatType) -> Int {
    packed.count + floats.byteCount * scales.count + zeroPoints.count
  }

  func check(for reference: WeightReference) throws(CompressionError) {
    try reference.check(blocks: blocks)
    let groups = blocks.reduce(1, *)
    try reference.expect(
      "bytes of codes", packed.count,
      BitPacking.byteCount(reference.elementCount, bits: integers.bits))
    try reference.expect("scales", scales.count, groups)
    try reference.expect("zero points", zeroPoints.count, mode == .asymmetric ? groups : 0)
  }

  func decoder(of reference: WeightReference, _ floats: FloatType) -> any ValueDecoder {
    LinearDecoder(self, reference, floats)
  }
}

/// Chooses the nearest codes and packs them.
struct LinearPacker {
  private let layout: RunLayout
  private let bits: Int
  private let codes: ClosedRange<Int>
  private let steps: [LinearStep]

  /// Elements encoded before they are packed; a multiple of eight.
  private static let chunk = 4096

  init(_ layout: RunLayout, _ scheme: LinearScheme, _ parameters: LinearParameters) {
    self.layout = layout
    bits = scheme.integers.bits
    codes = scheme.codes
    steps = parameters.scales.indices.map { group in
      LinearStep(
        scale: parameters.scales[group],
        zeroPoint: scheme.fixedZeroPoint ?? Int(parameters.zeroPoints[group]))
    }
  }

  /// Packed codes in flat order, signed ones in two's complement.
  func packed(_ values: [Float]) -> [UInt8] {
    let byteCount = BitPacking.byteCount(values.count, bits: bits)
    return unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { bytes, initialized in
      unsafe values.withUnsafeBufferPointer { values in
        if bits == 8 {
          unsafe encode(values, 0..<values.count, into: bytes)
        } else {
          unsafe encodeNibbles(values, into: bytes)
        }
      }
      initialized = byteCount
    }
  }

  private func encodeNibbles(
    _ values: UnsafeBufferPointer<Float>, into bytes: UnsafeMutableBufferPointer<UInt8>
  ) {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.chunk) { buffer in
      for start in stride(from: 0, to: values.count, by: Self.chunk) {
        let range = start..<min(start + Self.chunk, values.count)
        unsafe encode(values, range, into: buffer)
        let target = unsafe UnsafeMutableBufferPointer(rebasing: bytes[(start / 2)...])
        unsafe BitPacking.packNibbles(
          UnsafeBufferPointer(rebasing: buffer[..<range.count]), into: target)
      }
    }
  }

  /// Writes the codes of `range` to the start of `output`, a byte each.
  private func encode(
    _ values: UnsafeBufferPointer<Float>, _ range: Range<Int>,
    into output: UnsafeMutableBufferPointer<UInt8>
  ) {
    unsafe steps.withUnsafeBufferPointer { steps in
      if layout.runLength == 1 { return unsafe encodeTurns(values, range, steps, into: output) }
      layout.forEachRun(in: range) { group, run in
        let step = unsafe steps[group]
        let low = Float(codes.lowerBound - step.zeroPoint)
        let high = Float(codes.upperBound - step.zeroPoint)
        let scale = step.scale
        let zeroPoint = UInt8(truncatingIfNeeded: step.zeroPoint)
        for i in run {
          unsafe output[i - range.lowerBound] =
            unsafe Self.steps(values[i], scale, low, high) &+ zeroPoint
        }
      }
    }
  }

  /// Neighbours belong to neighbouring groups.
  private func encodeTurns(
    _ values: UnsafeBufferPointer<Float>, _ range: Range<Int>,
    _ steps: UnsafeBufferPointer<LinearStep>, into output: UnsafeMutableBufferPointer<UInt8>
  ) {
    layout.forEachTurn(in: range) { first, run in
      for i in run {
        let step = unsafe steps[first + i - run.lowerBound]
        unsafe output[i - range.lowerBound] =
          unsafe Self.steps(
            values[i], step.scale, Float(codes.lowerBound - step.zeroPoint),
            Float(codes.upperBound - step.zeroPoint))
          &+ UInt8(truncatingIfNeeded: step.zeroPoint)
      }
    }
  }

  /// 1.5 · 2^23: from there on floats are integers, in the lowest bits of their patterns.
  private static let magic: Float = 0x1.8p23

  /// The nearest number of steps between two bounds, modulo 256.
  ///
  /// Adding 1.5 · 2^23 rounds to an integer, ties to even: the processor rounds that way and nothing
  /// here changes its mode. The bounds are integers, so limiting may come before rounding.
  @inline(__always)
  private static func steps(_ value: Float, _ scale: Float, _ low: Float, _ high: Float) -> UInt8 {
    let quotient = value / scale
    let atMost = quotient < high ? quotient : high
    let limited = atMost > low ? atMost : low
    return UInt8(truncatingIfNeeded: (limited + magic).bitPattern)
  }
}

/// Values of integers with scales.
struct LinearDecoder: ValueDecoder {
  private let codes: LinearCodes
  private let floats: FloatType
  private let layout: RunLayout
  /// The code of zero where all scales have the same.
  private let fixed: Int

  init(_ codes: LinearCodes, _ reference: WeightReference, _ floats: FloatType) {
    self.codes = codes
    self.floats = floats
    layout = RunLayout(shape: reference.shape, blocks: codes.blocks)
    let scheme = LinearScheme(codes.integers, mode: codes.mode, granularity: .perTensor)
    fixed = scheme.fixedZeroPoint ?? 0
  }

  func write(_ range: Range<Int>, into output: UnsafeMutableBufferPointer<Float>) {
    unsafe BitPacking.withUnpacked(codes.packed, bits: codes.integers.bits, range) { unpacked in
      let shift = 8 - codes.integers.bits
      layout.forEachRun(in: range) { group, run in
        let scale = codes.scales[group]
        let zeroPoint = Int32(codes.zeroPoints.isEmpty ? fixed : Int(codes.zeroPoints[group]))
        if codes.integers.isSigned {
          for i in run {
            let code = unsafe Int8(bitPattern: unpacked[i - range.lowerBound] &<< shift) &>> shift
            unsafe output[i - range.lowerBound] = scale * Float(Int32(code) &- zeroPoint)
          }
        } else {
          for i in run {
            let code = unsafe Int32(unpacked[i - range.lowerBound])
            unsafe output[i - range.lowerBound] = scale * Float(code &- zeroPoint)
          }
        }
      }
    }
    // A loader multiplies in Float and rounds the product to the scale's type.
    unsafe floats.round(UnsafeMutableBufferPointer(rebasing: output[..<range.count]))
  }
}
