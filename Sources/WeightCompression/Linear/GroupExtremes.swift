/// The lowest and the highest value of every group, zero always among them.
struct GroupExtremes {
  private(set) var lows: [Float]
  private(set) var highs: [Float]

  init(_ values: [Float], _ layout: RunLayout) {
    lows = [Float](repeating: 0, count: layout.groups)
    highs = lows
    unsafe values.withUnsafeBufferPointer { values in
      unsafe lows.withUnsafeMutableBufferPointer { lows in
        unsafe highs.withUnsafeMutableBufferPointer { highs in
          if layout.runLength == 1 {
            unsafe Self.scanTurns(values, layout, lows, highs)
          } else {
            unsafe Self.scanRuns(values, layout, lows, highs)
          }
        }
      }
    }
  }

  private static func scanRuns(
    _ values: UnsafeBufferPointer<Float>, _ layout: RunLayout,
    _ lows: UnsafeMutableBufferPointer<Float>, _ highs: UnsafeMutableBufferPointer<Float>
  ) {
    layout.forEachRun(in: 0..<values.count) { group, range in
      let (low, high) = unsafe extremes(values, range)
      unsafe lows[group] = min(lows[group], low)
      unsafe highs[group] = max(highs[group], high)
    }
  }

  /// Neighbours belong to neighbouring groups.
  private static func scanTurns(
    _ values: UnsafeBufferPointer<Float>, _ layout: RunLayout,
    _ lows: UnsafeMutableBufferPointer<Float>, _ highs: UnsafeMutableBufferPointer<Float>
  ) {
    layout.forEachTurn(in: 0..<values.count) { first, range in
      for i in range {
        let group = first + i - range.lowerBound
        unsafe lows[group] = values[i] < lows[group] ? values[i] : lows[group]
        unsafe highs[group] = values[i] > highs[group] ? values[i] : highs[group]
      }
    }
  }

  /// Without the sign bit, the bits of finite floats are in the order of their magnitudes; so a
  /// lane's largest positive and largest negative bits are its extremes.
  private static func extremes(
    _ values: UnsafeBufferPointer<Float>, _ range: Range<Int>
  ) -> (low: Float, high: Float) {
    let bytes = UnsafeRawBufferPointer(values)
    var lows = SIMD16<Float>()
    var highs = SIMD16<Float>()
    var index = range.lowerBound
    while index + 16 <= range.upperBound {
      let lane = unsafe bytes.loadUnaligned(fromByteOffset: 4 * index, as: SIMD16<Float>.self)
      lows.replace(with: lane, where: lane .< lows)
      highs.replace(with: lane, where: lane .> highs)
      index += 16
    }
    var low = lows.min()
    var high = highs.max()
    for i in index..<range.upperBound {
      low = unsafe min(low, values[i])
      high = unsafe max(high, values[i])
    }
    return (low, high)
  }
}
