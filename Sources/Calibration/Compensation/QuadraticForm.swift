/// A quadratic function of a step d: 2 slope · d + d matrix dᵀ.
struct QuadraticForm: Sendable {
  let count: Int
  /// [count, count], symmetric.
  var matrix: [Double]
  var slope: [Double]

  init(count: Int) {
    self.count = count
    matrix = Array(repeating: 0, count: count * count)
    slope = Array(repeating: 0, count: count)
  }

  mutating func add(_ other: QuadraticForm) {
    for i in matrix.indices { matrix[i] += other.matrix[i] }
    for i in slope.indices { slope[i] += other.slope[i] }
  }

  /// Adds `factor` times a column of numbers, `stride` floats apart, to a row of the matrix.
  @inline(__always)
  mutating func add(_ column: UnsafePointer<Float>, _ stride: Int, _ row: Int, _ factor: Float) {
    let count = count
    matrix.withUnsafeMutableBufferPointer { matrix in
      for k in 0..<count { matrix[row * count + k] += Double(factor * column[k * stride]) }
    }
  }

  func change(_ step: [Double]) -> Double {
    var sum = 0.0
    for i in 0..<count {
      var product = 2 * slope[i]
      for j in 0..<count { product += matrix[i * count + j] * step[j] }
      sum += product * step[i]
    }
    return sum
  }

  /// The lowest point, as far as the matrix tells; 0 for what it does not depend on.
  func bestStep() -> [Double] {
    var step = solve()
    // What was added to the diagonal shortened the step: the exact length along it.
    let along = zip(slope, step).reduce(0) { $0 + $1.0 * $1.1 }
    let curvature = change(step) - 2 * along
    let length = curvature > 0 ? -along / curvature : 0
    guard length.isFinite else { return step.map { _ in 0 } }
    for i in step.indices { step[i] *= length }
    return step
  }

  /// −matrix⁻¹ · slope, by Cholesky with a little added to the diagonal.
  private func solve() -> [Double] {
    let trace = (0..<count).reduce(0) { $0 + matrix[$1 * count + $1] }
    let ridge = trace / Double(max(1, count)) * 1e-9
    var factor = matrix
    for i in 0..<count {
      for j in 0...i {
        var sum = factor[i * count + j]
        if i == j { sum += ridge }
        for k in 0..<j { sum -= factor[i * count + k] * factor[j * count + k] }
        if i == j {
          factor[i * count + i] = sum > 0 ? sum.squareRoot() : .infinity
        } else {
          factor[i * count + j] = sum / factor[j * count + j]
        }
      }
    }
    var step = slope.map { -$0 }
    for i in 0..<count {
      for k in 0..<i { step[i] -= factor[i * count + k] * step[k] }
      step[i] /= factor[i * count + i]
    }
    for i in stride(from: count - 1, through: 0, by: -1) {
      for k in i + 1..<count { step[i] -= factor[k * count + i] * step[k] }
      step[i] /= factor[i * count + i]
    }
    return step.map { $0.isFinite ? $0 : 0 }
  }
}
