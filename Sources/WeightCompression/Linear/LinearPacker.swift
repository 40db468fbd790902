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
