/// K-means of short vectors: a good clustering, not certainly the best.
///
/// Starts come from splitting the cluster of the largest error across its longest direction, and
/// from careful seeding (Arthur and Vassilvitskii 2007, "k-means++") with a fixed generator. Each
/// is improved a little; the best one until it is stable (Lloyd 1982). A cluster that loses all its
/// vectors moves to the vector with the largest error. Of very many vectors a part is clustered
/// first. Nothing depends on the number of threads.
enum VectorClustering {
  struct Result: Sendable {
    /// As stored; the last one is repeated if fewer are needed.
    let entries: [SIMD4<Float>]
    /// The nearest entry of each vector.
    let assignment: [UInt8]
    /// The summed weight of each entry's vectors.
    let weights: [Float]
    /// Squared error, weighted.
    let error: Double
  }

  /// Vectors that are enough to place entries roughly.
  private static let roughCount = 1 << 15
  /// Vectors that are enough to place entries well.
  private static let fineCount = 1 << 19

  static func cluster(
    _ points: [SIMD4<Float>], weights: [Float]?, entries: Int, _ floats: FloatType, jobs: Int
  ) -> Result {
    guard !points.isEmpty else {
      return Result(
        entries: [SIMD4](repeating: SIMD4(), count: entries), assignment: [],
        weights: [Float](repeating: 0, count: entries), error: 0)
    }
    let points = VectorSet(points, weights)
    let rough = points.sample(roughCount)
    var best: LloydDescent?
    for start in 0..<6 {
      let centres =
        start == 0
        ? PrincipalSplits(rough, parts: entries).centres
        : CarefulSeeding(rough, parts: entries, seed: UInt64(start)).centres
      var descent = LloydDescent(rough, centres, jobs: jobs)
      descent.run(maximum: 25)
      if best.map({ descent.error < $0.error }) ?? true { best = descent }
    }
    var descent = LloydDescent(points.sample(fineCount), best?.centres ?? [], jobs: jobs)
    descent.run(maximum: 100)
    if points.count > fineCount {
      descent = LloydDescent(points, descent.centres, jobs: jobs)
      descent.run(maximum: 2)
    }
    let entries = descent.centres.map { points.unscaled($0).rounded(to: floats) }
    return assigned(points, entries, from: descent.assignment, jobs: jobs)
  }

  /// Gives each vector the nearest of stored entries.
  ///
  /// - Parameter guess: entries that are likely the nearest ones.
  static func assigned(
    _ points: VectorSet, _ entries: [SIMD4<Float>], from guess: [UInt8], jobs: Int
  ) -> Result {
    var descent = LloydDescent(
      points, entries.map { points.scaled($0) }, assignment: guess, jobs: jobs)
    descent.assign()
    return Result(
      entries: entries, assignment: descent.assignment,
      weights: descent.weights.map { Float($0) }, error: descent.error * points.unit * points.unit)
  }
}

@inline(__always)
func squaredDistance(_ one: SIMD4<Float>, _ two: SIMD4<Float>) -> Float {
  let difference = one - two
  let squares = difference * difference
  return (squares.x + squares.y) + (squares.z + squares.w)
}

extension SIMD4<Float> {
  func elements(_ count: Int) -> [Float] { (0..<count).map { self[$0] } }

  /// Every element as it is stored; −0 becomes 0.
  func rounded(to floats: FloatType) -> SIMD4<Float> {
    SIMD4(floats.rounded(x), floats.rounded(y), floats.rounded(z), floats.rounded(w)) + 0
  }
}
