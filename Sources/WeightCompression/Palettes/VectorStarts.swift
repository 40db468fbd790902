import Weights

/// Centres by splitting: repeatedly cuts the cluster of the largest squared error in two, at
/// its mean, across the direction in which it is longest.
struct PrincipalSplits {
  /// As many as requested; the last ones repeat the first if there are too few vectors.
  private(set) var centres: [SIMD4<Float>] = []

  private let points: VectorSet
  /// Indices of vectors; clusters are runs of it.
  private var order: [Int]

  private struct Cluster {
    var run: Range<Int>
    var mean: SIMD4<Double>
    /// The direction in which it is longest.
    var axis: SIMD4<Double>
    var error: Double
  }

  init(_ points: VectorSet, parts: Int) {
    self.points = points
    order = Array(0..<points.count)
    var clusters = [cluster(0..<points.count)]
    while clusters.count < parts {
      var largest = 0
      for i in clusters.indices where clusters[i].error > clusters[largest].error { largest = i }
      guard clusters[largest].error > 0 else { break }
      let whole = clusters[largest]
      let middle = split(whole)
      guard middle > whole.run.lowerBound, middle < whole.run.upperBound else {
        // Rounding leaves nothing to cut.
        clusters[largest].error = 0
        continue
      }
      clusters[largest] = cluster(whole.run.lowerBound..<middle)
      clusters.append(cluster(middle..<whole.run.upperBound))
    }
    centres = clusters.map { SIMD4<Float>($0.mean) }
    while centres.count < parts { centres.append(centres[0]) }
  }

  private func cluster(_ run: Range<Int>) -> Cluster {
    var weight = 0.0
    var sum = SIMD4<Double>()
    for place in run {
      let share = points.weight(order[place])
      weight += share
      sum += SIMD4<Double>(points.points[order[place]]) * share
    }
    guard weight > 0 else {
      let any = SIMD4<Double>(points.points[order[run.lowerBound]])
      return Cluster(run: run, mean: any, axis: SIMD4(), error: 0)
    }
    let mean = sum / weight
    var rows = [SIMD4<Double>](repeating: SIMD4(), count: 4)
    for place in run {
      let rest = SIMD4<Double>(points.points[order[place]]) - mean
      let weighted = rest * points.weight(order[place])
      for i in 0..<4 { rows[i] += weighted * rest[i] }
    }
    let error = rows[0].x + rows[1].y + rows[2].z + rows[3].w
    return Cluster(run: run, mean: mean, axis: Self.longest(rows), error: error)
  }

  /// The main axis of a covariance, by repeated multiplication from the longest coordinate axis.
  private static func longest(_ rows: [SIMD4<Double>]) -> SIMD4<Double> {
    var axis = SIMD4<Double>()
    var largest = 0
    for i in 0..<4 where rows[i][i] > rows[largest][largest] { largest = i }
    axis[largest] = 1
    for _ in 0..<12 {
      var next = SIMD4<Double>()
      for i in 0..<4 { next[i] = (rows[i] * axis).sum() }
      let length = next.max() > -next.min() ? next.max() : -next.min()
      guard length > 0 else { return axis }
      axis = next / length
    }
    return axis
  }

  /// Sorts the vectors of a run by their side of the mean.
  private mutating func split(_ cluster: Cluster) -> Int {
    var low = cluster.run.lowerBound
    var high = cluster.run.upperBound
    while low < high {
      let rest = SIMD4<Double>(points.points[order[low]]) - cluster.mean
      if (rest * cluster.axis).sum() < 0 {
        low += 1
      } else {
        high -= 1
        order.swapAt(low, high)
      }
    }
    return low
  }
}

/// Centres that are vectors, each drawn with a chance that grows with its squared distance from
/// those drawn before (Arthur and Vassilvitskii 2007).
struct CarefulSeeding {
  private(set) var centres: [SIMD4<Float>] = []

  init(_ points: VectorSet, parts: Int, seed: UInt64) {
    var numbers = SeededNumbers(seed: seed)
    var shares = (0..<points.count).map { points.weight($0) }
    var distances = [Float](repeating: .infinity, count: points.count)
    while centres.count < parts {
      let total = shares.reduce(0, +)
      guard total > 0 else { break }
      let centre = points.points[Self.draw(shares, numbers.unit() * total)]
      centres.append(centre)
      for i in 0..<points.count {
        distances[i] = min(distances[i], squaredDistance(points.points[i], centre))
        shares[i] = Double(distances[i]) * points.weight(i)
      }
    }
    while centres.count < parts { centres.append(centres.first ?? points.points[0]) }
  }

  /// The index at which the running sum passes a number.
  private static func draw(_ shares: [Double], _ number: Double) -> Int {
    var sum = 0.0
    var last = 0
    for (index, share) in shares.enumerated() where share > 0 {
      sum += share
      last = index
      if sum > number { break }
    }
    return last
  }
}
