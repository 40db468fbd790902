import Graph

/// Scale and zero point of one group: value = scale · (code − zero point).
struct LinearStep: Hashable, Sendable {
  let scale: Float
  let zeroPoint: Int

  /// The step of values from `low` ≤ 0 to `high` ≥ 0.
  ///
  /// All arithmetic is in Float or Double; the scale is rounded to the type it is stored in. A group
  /// of zeros has scale 1. Every code means a finite number.
  init(reaching low: Float, _ high: Float, _ scheme: LinearScheme, _ floats: FloatType) {
    switch scheme.fixedZeroPoint {
    case .some(let zeroPoint):
      let limit = scheme.codes.upperBound - zeroPoint
      self.init(
        scale: Self.scale(largest: max(-low, high), limit: limit, floats), zeroPoint: zeroPoint)
    case nil: self.init(asymmetric: low, high, scheme.codes, floats)
    }
  }

  init(scale: Float, zeroPoint: Int) {
    self.scale = scale
    self.zeroPoint = zeroPoint
  }

  /// The scale of codes −limit … limit whose largest magnitude is `largest`.
  static func scale(largest: Float, limit: Int, _ floats: FloatType) -> Float {
    guard largest > 0 else { return 1 }
    let scale = floats.rounded(largest / Float(limit))
    // Among subnormal numbers the quotient can be rounded down so far that all steps do not reach
    // the largest value; near the top of the range it can be rounded up so that they overflow.
    if scale * (Float(limit) + 0.5) < largest { return floats.next(above: scale) }
    return finite(scale, steps: limit, floats)
  }

  /// The scale, or the largest one below it whose product with `steps` is finite.
  static func finite(_ scale: Float, steps: Int, _ floats: FloatType) -> Float {
    guard !floats.rounded(scale * Float(steps)).isFinite else { return scale }
    var scale = min(scale, floats.rounded(floats.greatest / Float(steps)))
    while !floats.rounded(scale * Float(steps)).isFinite { scale = floats.next(below: scale) }
    return scale
  }

  /// The step that arithmetic in float16 throughout gives; nil if it overflows or vanishes.
  ///
  /// Its scale can differ from ours in the last digit, and happen to fit a little better. Source:
  /// the arithmetic of coremltools 9.0.
  init?(inHalves low: Float, _ high: Float, _ scheme: LinearScheme) {
    guard let zeroPoint = scheme.fixedZeroPoint else {
      self.init(asymmetricInHalves: low, high, scheme.codes)
      return
    }
    func half(_ value: Float) -> Float { FloatType.float16.rounded(value) }
    let largest = half(max(-low, high))
    let limit = scheme.codes.upperBound - zeroPoint
    let scale = half(half(largest + largest) / Float(2 * limit))
    guard scale > 0, half(scale * Float(limit)).isFinite else { return nil }
    self.init(scale: scale, zeroPoint: zeroPoint)
  }

  private init?(asymmetricInHalves low: Float, _ high: Float, _ codes: ClosedRange<Int>) {
    func half(_ value: Float) -> Float { FloatType.float16.rounded(value) }
    let (minimum, maximum) = (Float(codes.lowerBound), Float(codes.upperBound))
    let length = half(half(high) - half(low))
    let scale = half(length / (maximum - minimum))
    let place = half(half(half(minimum * half(high)) - half(maximum * half(low))) / length)
    guard scale > 0, scale.isFinite, place.isFinite else { return nil }
    let zeroPoint = Int(max(minimum, min(maximum, place.rounded(.toNearestOrEven))))
    let reach = max(zeroPoint - codes.lowerBound, codes.upperBound - zeroPoint)
    guard half(scale * Float(reach)).isFinite else { return nil }
    self.init(scale: scale, zeroPoint: zeroPoint)
  }

  /// Zero has a code of its own: the zero point, rounded to an integer.
  private init(
    asymmetric low: Float, _ high: Float, _ codes: ClosedRange<Int>, _ floats: FloatType
  ) {
    let length = Double(high) - Double(low)
    guard length > 0 else {
      self.init(scale: 1, zeroPoint: 0)
      return
    }
    let steps = Double(codes.upperBound - codes.lowerBound)
    var scale = floats.rounded(Float(length / steps))
    if Double(scale) * (steps + 0.5) < length { scale = floats.next(above: scale) }
    let place = (Double(codes.lowerBound) - Double(low) / Double(scale))
      .rounded(.toNearestOrEven)
    let zeroPoint = Int(
      max(Double(codes.lowerBound), min(Double(codes.upperBound), place)))
    let reach = max(zeroPoint - codes.lowerBound, codes.upperBound - zeroPoint)
    self.init(scale: Self.finite(scale, steps: reach, floats), zeroPoint: zeroPoint)
  }
}

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
