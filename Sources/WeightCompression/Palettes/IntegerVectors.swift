import Files

/// Vector palettes whose entries' elements are codes −127 … 127 with one scale for the tensor.
///
/// From the clusters of floats, entries become the multiples of the scale nearest to the clusters'
/// means, vectors take the nearest entries, and the scale is refitted, for as long as the squared
/// error falls.
struct IntegerVectors {
  let scale: Float
  private(set) var assignments: [[UInt8]] = []
  private var entries: [[SIMD4<Float>]] = []

  private static let maxRounds = 6

  /// - Parameter members: makes the vectors and weights of a group; called several times for each.
  init(
    _ found: [VectorClustering.Result], _ floats: FloatType, jobs: Int,
    members: @Sendable (Int) -> ([SIMD4<Float>], [Float]?)
  ) {
    var scale = IntegerEntries.scale(
      found.flatMap { $0.entries.flatMap { $0.elements(4) } },
      weights: found.flatMap { $0.weights.flatMap { [Float](repeating: $0, count: 4) } }, floats)
    var means = found.map(\.entries)
    var best = (scale: scale, error: Double.infinity)
    for _ in 0..<Self.maxRounds {
      let (tried, old) = (scale, means)
      let groups = Workers.map(found.count, jobs: jobs) { group in
        let (points, weights) = members(group)
        return Round(
          VectorSet(points, weights), old[group], found[group].assignment, tried, floats)
      }
      let error = groups.reduce(0) { $0 + $1.error }
      guard error < best.error else { break }
      best = (scale, error)
      assignments = groups.map(\.assignment)
      entries = groups.map(\.codes)
      means = groups.map(\.means)
      let squares = groups.reduce(0) { $0 + $1.squares }
      let next = groups.reduce(0) { $0 + $1.projection } / squares
      guard next > 0, next.isFinite else { break }
      scale = LinearStep.finite(
        max(floats.rounded(Float(next)), floats.next(above: 0)), steps: 127, floats)
    }
    self.scale = best.scale
  }

  /// Elements of all entries of all groups.
  func codes(_ width: Int) -> [Int8] {
    entries.flatMap { $0.flatMap { $0.elements(width).map { Int8($0) } } }
  }

  /// One group, for a scale.
  private struct Round: Sendable {
    var codes: [SIMD4<Float>]
    var assignment: [UInt8] = []
    var means: [SIMD4<Float>]
    var error = 0.0
    /// Σ weight · value · code, Σ weight · code².
    var projection = 0.0
    var squares = 0.0

    init(
      _ points: VectorSet, _ centres: [SIMD4<Float>], _ guess: [UInt8], _ scale: Float,
      _ floats: FloatType
    ) {
      let limit = SIMD4<Float>(repeating: 127)
      codes = centres.map {
        ($0 / scale).rounded(.toNearestOrEven).clamped(lowerBound: -limit, upperBound: limit)
      }
      means = centres
      guard points.count > 0 else { return }
      let entries = codes.map { ($0 * scale).rounded(to: floats) }
      let result = VectorClustering.assigned(points, entries, from: guess, jobs: 1)
      assignment = result.assignment
      error = result.error
      var sums = [SIMD4<Double>](repeating: SIMD4(), count: codes.count)
      var weights = [Double](repeating: 0, count: codes.count)
      for (index, entry) in assignment.enumerated() {
        let weight = points.weight(index)
        let code = SIMD4<Double>(codes[Int(entry)])
        let point = SIMD4<Double>(points.points[index]) * points.unit
        projection += (point * code).sum() * weight
        squares += (code * code).sum() * weight
        sums[Int(entry)] += point * weight
        weights[Int(entry)] += weight
      }
      for entry in codes.indices where weights[entry] > 0 {
        means[entry] = SIMD4<Float>(sums[entry] / weights[entry])
      }
    }
  }
}
