import Graph

/// The values of one group, divided by a power of two so that the largest magnitude lies in 1 ..< 2:
/// squares neither overflow nor vanish, and results scale with the values.
struct ScaledGroup {
  /// Followed by zeros up to a whole number of lanes, which any step represents exactly.
  let values: [Float]
  /// Of each value, at most 1; nil if all count the same.
  let weights: [Float]?
  /// Multiplying values by 2^exponent restores their size.
  let exponent: Int
  /// Number of values, without the zeros at the end.
  let count: Int

  /// The fit of steps of one size, all squares weighted.
  struct Fit {
    /// Squared error.
    var error = 0.0
    /// Error times number of steps, summed.
    var slope = 0.0
    /// Square of the number of steps, summed.
    var curvature = 0.0

    /// Squared error if the codes stayed and the steps had their best size.
    var refitted: Double { curvature > 0 ? error - slope * slope / curvature : error }
    /// The change of the steps that gives them their best size.
    var change: Double { curvature > 0 ? slope / curvature : 0 }
  }

  private static let lanes = 8

  init(_ values: [Float], weights: [Float]? = nil) {
    let largest = values.reduce(0) { max($0, $1.magnitude) }
    exponent = largest > 0 ? Int(largest.exponent) : 0
    let factor = Double(sign: .plus, exponent: -exponent, significand: 1)
    let padding = [Float](repeating: 0, count: -values.count & (Self.lanes - 1))
    count = values.count
    self.values = values.map { Float(Double($0) * factor) } + padding
    let heaviest = weights?.max() ?? 0
    self.weights =
      heaviest > 0 ? weights.map { $0.map { $0 / heaviest } + padding } : nil
  }

  init(
    _ values: [Float], _ weights: ElementWeights?, _ layout: RunLayout, _ group: Int
  ) {
    self.init(
      layout.elements(of: group, in: values), weights: weights?.weights(of: group, layout))
  }

  /// A number scaled back to the stored values.
  func unscaled(_ value: Double) -> Float {
    Float(value * Double(sign: .plus, exponent: exponent, significand: 1))
  }

  /// Fits `low` … `high` steps of the size `step`.
  func fit(_ step: Float, _ low: Float, _ high: Float) -> Fit {
    var fit = Fit()
    unsafe values.withUnsafeBufferPointer { values in
      if let weights {
        unsafe weights.withUnsafeBufferPointer {
          unsafe Self.add(values, $0, step, low, high, to: &fit)
        }
      } else {
        unsafe Self.add(values, step, low, high, to: &fit)
      }
    }
    return fit
  }

  /// Number of values summed in Float before the sum moves to Double.
  private static let chunk = 512

  /// The nearest number of steps between two bounds; see `LinearPacker`.
  @inline(__always)
  private static func steps(_ quotient: Float, _ low: Float, _ high: Float) -> Float {
    let atMost = quotient < high ? quotient : high
    let limited = atMost > low ? atMost : low
    return (limited + 0x1.8p23) - 0x1.8p23
  }

  // Lanes are written out as loops, which compile to better code than masks of vectors.
  private static func add(
    _ values: UnsafeBufferPointer<Float>, _ step: Float, _ low: Float, _ high: Float,
    to fit: inout Fit
  ) {
    let inverse = 1 / step
    for start in stride(from: 0, to: values.count, by: chunk) {
      var error = SIMD8<Float>()
      var slope = SIMD8<Float>()
      var curvature = SIMD8<Float>()
      for place in stride(from: start, to: min(start + chunk, values.count), by: lanes) {
        for lane in 0..<8 {
          let value = unsafe values[place + lane]
          let count = steps(value * inverse, low, high)
          let rest = value - count * step
          error[lane] += rest * rest
          slope[lane] += rest * count
          curvature[lane] += count * count
        }
      }
      fit.error += Double(error.sum())
      fit.slope += Double(slope.sum())
      fit.curvature += Double(curvature.sum())
    }
  }

  private static func add(
    _ values: UnsafeBufferPointer<Float>, _ weights: UnsafeBufferPointer<Float>, _ step: Float,
    _ low: Float, _ high: Float, to fit: inout Fit
  ) {
    let inverse = 1 / step
    for start in stride(from: 0, to: values.count, by: chunk) {
      var error = SIMD8<Float>()
      var slope = SIMD8<Float>()
      var curvature = SIMD8<Float>()
      for place in stride(from: start, to: min(start + chunk, values.count), by: lanes) {
        for lane in 0..<8 {
          let value = unsafe values[place + lane]
          let count = steps(value * inverse, low, high)
          let rest = (value - count * step)
          let weighted = unsafe rest * weights[place + lane]
          error[lane] += weighted * rest
          slope[lane] += weighted * count
          unsafe curvature[lane] += count * weights[place + lane] * count
        }
      }
      fit.error += Double(error.sum())
      fit.slope += Double(slope.sum())
      fit.curvature += Double(curvature.sum())
    }
  }

  /// Squared error of the values' nearest codes as a loader decodes them.
  func squaredError(_ step: LinearStep, _ codes: ClosedRange<Int>, _ floats: FloatType) -> Double {
    let factor = Double(sign: .plus, exponent: exponent, significand: 1)
    let low = Float(codes.lowerBound - step.zeroPoint)
    let high = Float(codes.upperBound - step.zeroPoint)
    let weights = weights ?? []
    var sum = 0.0
    for i in 0..<count {
      let value = Float(Double(values[i]) * factor)
      let steps = max(low, min(high, value / step.scale)).rounded(.toNearestOrEven)
      let error = (Double(value) - Double(floats.rounded(step.scale * steps))) / factor
      sum += weights.isEmpty ? error * error : error * error * Double(weights[i])
    }
    return sum
  }
}
