/// Resamples rows of 8-bit samples along themselves.
struct ColumnPass {
  private let taps: ResamplingTaps
  private let channels: Int
  /// In units of 2^-22.
  private let weights: [Int32]

  init(_ taps: ResamplingTaps, channels: Int) {
    (self.taps, self.channels, weights) = (taps, channels, taps.fixedWeights)
  }

  /// The samples of a resampled row.
  var count: Int { taps.count * channels }

  /// - Parameters:
  ///   - row: [source pixels, channels].
  ///   - out: [resampled pixels, channels].
  func resample(_ row: [UInt8], into out: inout [UInt8]) {
    precondition(row.count >= taps.sources.upperBound * channels && out.count == count)
    switch channels {
    case 1: unsafe forEachColumn(row, &out, ColumnPass.resampleOne)
    case 3: unsafe forEachColumn(row, &out, ColumnPass.resampleThree)
    default:
      unsafe forEachColumn(row, &out) { source, weights, count, out in
        unsafe ColumnPass.resample(channels, source, weights, count, out)
      }
    }
  }

  /// Computes one column: source pixels, weights, number of weights, result.
  private typealias Kernel = (
    UnsafePointer<UInt8>, UnsafePointer<Int32>, Int, UnsafeMutablePointer<UInt8>
  ) -> Void

  private static func resampleOne(
    _ source: UnsafePointer<UInt8>, _ weights: UnsafePointer<Int32>, _ count: Int,
    _ out: UnsafeMutablePointer<UInt8>
  ) {
    var sum = FixedPoint.half
    for tap in 0..<count { unsafe sum &+= Int32(source[tap]) &* weights[tap] }
    unsafe out[0] = FixedPoint.level(sum)
  }

  private static func resampleThree(
    _ source: UnsafePointer<UInt8>, _ weights: UnsafePointer<Int32>, _ count: Int,
    _ out: UnsafeMutablePointer<UInt8>
  ) {
    var (red, green, blue) = (FixedPoint.half, FixedPoint.half, FixedPoint.half)
    for tap in 0..<count {
      let weight = unsafe weights[tap]
      unsafe red &+= Int32(source[3 * tap]) &* weight
      unsafe green &+= Int32(source[3 * tap + 1]) &* weight
      unsafe blue &+= Int32(source[3 * tap + 2]) &* weight
    }
    unsafe out[0] = FixedPoint.level(red)
    unsafe out[1] = FixedPoint.level(green)
    unsafe out[2] = FixedPoint.level(blue)
  }

  private static func resample(
    _ channels: Int, _ source: UnsafePointer<UInt8>, _ weights: UnsafePointer<Int32>,
    _ count: Int, _ out: UnsafeMutablePointer<UInt8>
  ) {
    for channel in 0..<channels {
      var sum = FixedPoint.half
      for tap in 0..<count {
        unsafe sum &+= Int32(source[channels * tap + channel]) &* weights[tap]
      }
      unsafe out[channel] = FixedPoint.level(sum)
    }
  }

  @inline(__always)
  private func forEachColumn(_ row: [UInt8], _ out: inout [UInt8], _ kernel: Kernel) {
    unsafe row.withUnsafeBufferPointer { row in
      unsafe weights.withUnsafeBufferPointer { weights in
        unsafe out.withUnsafeMutableBufferPointer { out in
          guard let row = row.baseAddress, let weights = weights.baseAddress,
            let out = out.baseAddress
          else { return }
          for column in 0..<taps.count {
            let offset = taps.offsets[column]
            unsafe kernel(
              row + taps.starts[column] * channels, weights + offset,
              taps.offsets[column + 1] - offset, out + column * channels)
          }
        }
      }
    }
  }
}
