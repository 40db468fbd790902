/// The source pixels and weights that make up each resized pixel along one axis.
///
/// Antialiased resampling as in Pillow: to make an image smaller, the filter is widened by the same
/// factor, so that every source pixel counts; weights are normalised at the borders.
struct ResamplingTaps {
  /// For every result, the first of its source pixels; they never fall.
  private(set) var starts: [Int] = []
  /// For every result, where its weights begin; one more at the end.
  private(set) var offsets: [Int] = [0]
  private(set) var weights: [Double] = []

  /// The bits of a fixed-point weight below one.
  static let precision = 22

  var count: Int { starts.count }

  /// The source pixels of a result.
  func sources(of index: Int) -> Range<Int> {
    starts[index]..<starts[index] + offsets[index + 1] - offsets[index]
  }

  /// The source pixels of all results.
  var sources: Range<Int> {
    guard let first = starts.first else { return 0..<0 }
    return first..<(starts.indices.map { sources(of: $0).upperBound }.max() ?? first)
  }

  /// The weights as Pillow rounds them, in units of 2^-22.
  var fixedWeights: [Int32] {
    let one = Double(1 << ResamplingTaps.precision)
    return weights.map { Int32($0 < 0 ? -0.5 + $0 * one : 0.5 + $0 * one) }
  }

  /// - Parameters:
  ///   - window: the resized pixels that are wanted, among 0..<resized.
  init(source: Int, resized: Int, window: Range<Int>, filter: ResamplingFilter) {
    let scale = Double(source) / Double(resized)
    let widening = max(scale, 1)
    let support = filter.support * widening
    for index in window {
      let center = (Double(index) + 0.5) * scale
      let first = max(0, Int(center - support + 0.5))
      let end = min(source, Int(center + support + 0.5))
      append(
        first,
        (first..<max(first, end)).map {
          filter.weight(at: (Double($0) - center + 0.5) * (1 / widening))
        })
    }
  }

  /// The nearest pixel, as Pillow finds it: the place is a running sum.
  init(nearestOf source: Int, resized: Int, window: Range<Int>) {
    let scale = Double(source) / Double(resized)
    var place = scale * 0.5
    for index in 0..<window.upperBound {
      defer { place += scale }
      guard window.contains(index) else { continue }
      let pixel = Int(place)
      append(min(pixel, source - 1), pixel < source ? [1] : [])
    }
  }

  /// Bilinear weights as torchvision computes them for tensors: in float32, but for the halves, which
  /// are added in float64.
  init(scaled source: Int, resized: Int) {
    let scale = Float(source) / Float(resized)
    let widening = max(scale, 1)
    let inverse = Double(1 / widening)
    for index in 0..<resized {
      let center = scale * (Float(index) + 0.5)
      let first = max(0, Int(Double(center - widening) + 0.5))
      let end = min(source, Int(Double(center + widening) + 0.5))
      let raw = (first..<max(first, end)).map {
        max(0, 1 - abs(Float((Double(Float($0) - center) + 0.5) * inverse)))
      }
      let sum = raw.reduce(0, +)
      starts.append(first)
      weights.append(contentsOf: raw.map { Double($0 / sum) })
      offsets.append(weights.count)
    }
  }

  private mutating func append(_ start: Int, _ raw: [Double]) {
    let sum = raw.reduce(0, +)
    starts.append(start)
    weights.append(contentsOf: sum == 0 ? raw : raw.map { $0 / sum })
    offsets.append(weights.count)
  }
}
