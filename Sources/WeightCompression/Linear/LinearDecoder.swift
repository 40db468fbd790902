import Graph

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
