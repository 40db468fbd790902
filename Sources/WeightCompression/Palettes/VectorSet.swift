/// Vectors of up to four elements and their weights, divided by a power of two so that squares
/// neither overflow nor vanish.
struct VectorSet: Sendable {
  let points: [SIMD4<Float>]
  /// Empty if all weigh 1.
  let weights: [Float]
  /// The power of two that scales vectors back to their original size.
  let unit: Double

  init(_ points: [SIMD4<Float>], _ weights: [Float]?) {
    let largest = points.reduce(0) { max($0, $1.max(), -$1.min()) }
    let exponent = largest > 0 ? Int(largest.exponent) : 0
    let unit = Double(sign: .plus, exponent: exponent, significand: 1)
    self.init(scaled: points.map { SIMD4<Float>(SIMD4<Double>($0) / unit) }, weights ?? [], unit)
  }

  private init(scaled points: [SIMD4<Float>], _ weights: [Float], _ unit: Double) {
    self.points = points
    self.weights = weights
    self.unit = unit
  }

  var count: Int { points.count }

  @inline(__always)
  func weight(_ index: Int) -> Double { weights.isEmpty ? 1 : Double(weights[index]) }

  func scaled(_ vector: SIMD4<Float>) -> SIMD4<Float> {
    SIMD4<Float>(SIMD4<Double>(vector) / unit)
  }

  func unscaled(_ vector: SIMD4<Float>) -> SIMD4<Float> {
    SIMD4<Float>(SIMD4<Double>(vector) * unit)
  }

  /// A sample of about `maximum` vectors, each with the weight of those it represents; the whole set
  /// if it has no more.
  ///
  /// Half the chance of a vector grows with its squared distance from the mean, so that outliers are
  /// among them (Bachem, Lucic and Krause 2018, "Scalable k-means clustering via lightweight
  /// coresets"); equal steps through the cumulative chances choose the vectors.
  func sample(_ maximum: Int) -> VectorSet {
    guard count > maximum else { return self }
    let distances = distancesFromMean()
    let total = distances.reduce(0, +)
    let share = Double(maximum) / (total > 0 ? 2 : 1)
    var taken: [SIMD4<Float>] = []
    var takenWeights: [Float] = []
    taken.reserveCapacity(maximum)
    takenWeights.reserveCapacity(maximum)
    var sum = 0.5
    for index in 0..<count {
      var chance = share / Double(count)
      if total > 0 { chance += share * distances[index] / total }
      let times = (sum + chance).rounded(.down) - sum.rounded(.down)
      sum += chance
      guard times > 0 else { continue }
      taken.append(points[index])
      takenWeights.append(Float(weight(index) * times / chance))
    }
    return VectorSet(scaled: taken, takenWeights, unit)
  }

  /// Squared, weighted.
  private func distancesFromMean() -> [Double] {
    var sum = SIMD4<Double>()
    var total = 0.0
    for index in 0..<count {
      sum += SIMD4<Double>(points[index]) * weight(index)
      total += weight(index)
    }
    let mean = total > 0 ? SIMD4<Float>(sum / total) : SIMD4()
    return (0..<count).map { Double(squaredDistance(points[$0], mean)) * weight($0) }
  }
}
