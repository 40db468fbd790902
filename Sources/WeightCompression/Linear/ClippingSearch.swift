/// Finds the step of least squared error of one group; it may clip the largest values.
///
/// With few levels and not too many values the best scale is found exactly (`LevelSweep`). Otherwise
/// scales are tried from coarse to fine, and each is refitted: for given codes the best scale is a
/// quotient of two sums. A zero point is searched by halving steps around that of the whole range. The
/// step that reaches every value is always a candidate, so that the result is never worse.
struct ClippingSearch {
  private let group: ScaledGroup
  private let codes: ClosedRange<Int>
  private let low: Float
  private let high: Float

  /// A size of steps, and the squared error it has when refitted.
  private struct Trial {
    var step: Double
    var error: Double
  }

  /// The best step that is found, not worse than `start`.
  static func best(
    _ group: ScaledGroup, from start: LinearStep, _ scheme: LinearScheme, _ floats: FloatType
  ) -> LinearStep {
    let search = ClippingSearch(group, scheme.codes)
    guard search.low < 0 || search.high > 0 else { return start }
    let zeroPoint =
      scheme.mode == .symmetric ? start.zeroPoint : search.descend(from: start.zeroPoint)
    var best = start
    var minimum = group.squaredError(start, scheme.codes, floats)
    for candidate in search.stored(zeroPoint, floats) {
      let error = group.squaredError(candidate, scheme.codes, floats)
      if error < minimum { (best, minimum) = (candidate, error) }
    }
    return best
  }

  private init(_ group: ScaledGroup, _ codes: ClosedRange<Int>) {
    self.group = group
    self.codes = codes
    low = group.values.min() ?? 0
    high = group.values.max() ?? 0
  }

  private func bounds(_ zeroPoint: Int) -> (low: Int, high: Int) {
    (codes.lowerBound - zeroPoint, codes.upperBound - zeroPoint)
  }

  /// Largest group whose best scale is found exactly, and most levels.
  private static let sweptCount = 4096
  private static let sweptCodes = 16

  /// The best scales for a zero point, rounded to the stored float type.
  private func stored(_ zeroPoint: Int, _ floats: FloatType) -> [LinearStep] {
    let (low, high) = bounds(zeroPoint)
    let sweeps = group.count <= Self.sweptCount && codes.count <= Self.sweptCodes
    let step =
      sweeps
      ? LevelSweep.bestStep(group, down: -low, up: high) : refine(coarse(zeroPoint), low, high).step
    guard step > 0 else { return [] }
    let scale = max(floats.rounded(group.unscaled(step)), floats.next(above: 0))
    let reach = max(-low, high)
    let below = scale > floats.next(above: 0) ? floats.next(below: scale) : scale
    return [scale, floats.next(above: scale), below].map {
      LinearStep(scale: LinearStep.finite($0, steps: reach, floats), zeroPoint: zeroPoint)
    }
  }

  /// Steps of the size at which no value is clipped.
  private func reaching(_ low: Int, _ high: Int) -> Double {
    max(
      high > 0 ? Double(self.high) / Double(high) : 0,
      low < 0 ? Double(self.low) / Double(low) : 0)
  }

  private static let ratio = 0.87

  /// The best of scales from that which reaches all values down to a tenth of it.
  private func coarse(_ zeroPoint: Int) -> Trial {
    let (low, high) = bounds(zeroPoint)
    var step = reaching(low, high)
    var best = Trial(step: step, error: .infinity)
    guard step > 0 else { return best }
    for _ in 0..<16 {
      let fit = group.fit(Float(step), Float(low), Float(high))
      if fit.refitted < best.error {
        best = Trial(step: step + fit.change, error: fit.refitted)
      }
      step *= Self.ratio
    }
    return best
  }

  /// The best of finer and finer scales around one, then refitted for as long as that helps.
  private func refine(_ start: Trial, _ low: Int, _ high: Int) -> Trial {
    var best = start
    var spread = 1 - Self.ratio
    for _ in 0..<3 {
      let centre = best.step
      for i in -4...4 where i != 0 || spread == 1 - Self.ratio {
        let step = centre * (1 + spread * Double(i) / 4)
        let fit = group.fit(Float(step), Float(low), Float(high))
        if fit.refitted < best.error {
          best = Trial(step: step + fit.change, error: fit.refitted)
        }
      }
      spread /= 5
    }
    for _ in 0..<16 {
      let fit = group.fit(Float(best.step), Float(low), Float(high))
      guard fit.refitted < best.error else { break }
      best = Trial(step: best.step + fit.change, error: fit.refitted)
    }
    return best
  }

  /// The zero point from which no smaller and no larger one helps.
  private func descend(from start: Int) -> Int {
    var zeroPoint = start
    var minimum = coarse(start).error
    var distance = codes.count / 16
    while distance > 0 {
      var moved = false
      for next in [zeroPoint - distance, zeroPoint + distance] where codes.contains(next) {
        let error = coarse(next).error
        if error < minimum { (zeroPoint, minimum, moved) = (next, error, true) }
      }
      if !moved { distance /= 2 }
    }
    return zeroPoint
  }
}
