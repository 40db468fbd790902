/// Count, mean and sums of powers of the deviations from it, of finite values.
///
/// Two are merged by the formulas of Pébay ("Formulas for robust, one-pass parallel computation of
/// covariances and arbitrary-order statistical moments", 2008). Sums are about a value of the
/// sample, so that an offset of the whole sample costs no precision.
package struct CentralMoments: Hashable, Sendable {
  package private(set) var count = 0.0
  package private(set) var mean = 0.0
  /// Σ (x − mean)², the same with ³ and ⁴.
  private var squares = 0.0
  private var cubes = 0.0
  private var fourths = 0.0

  package init() {}

  /// Moments from Σ d, Σ d², Σ d³ and Σ d⁴ of the differences d from `origin`.
  init(count: Double, origin: Double, _ s1: Double, _ s2: Double, _ s3: Double, _ s4: Double) {
    guard count > 0 else { return }
    let d = s1 / count
    self.count = count
    mean = origin + d
    squares = max(s2 - s1 * d, 0)
    cubes = s3 - 3 * d * s2 + 2 * d * d * s1
    fourths = max(s4 - 4 * d * s3 + 6 * d * d * s2 - 3 * d * d * d * s1, 0)
  }

  /// Takes the values of another sample.
  mutating func merge(_ other: CentralMoments) {
    guard other.count > 0 else { return }
    guard count > 0 else { return self = other }
    let (a, b) = (count, other.count)
    let n = a + b
    let d = other.mean - mean
    let (d2, share) = (d * d, a * b / n)
    let fourth = d2 * d2 * share * ((a - b) * (a - b) + a * b) / (n * n)
    let mixed = 6 * d2 * (a * a * other.squares + b * b * squares) / (n * n)
    fourths += other.fourths + fourth + mixed + 4 * d * (a * other.cubes - b * cubes) / n
    cubes +=
      other.cubes + d2 * d * share * (a - b) / n + 3 * d * (a * other.squares - b * squares) / n
    squares += other.squares + d2 * share
    mean += d * b / n
    count = n
  }

  /// Of the whole sample, not an estimate for a larger one; 0 for one value, NaN if empty.
  package var standardDeviation: Double { count > 0 ? (squares / count).squareRoot() : .nan }

  /// Fourth central moment over the squared variance, less 3: 0 for a normal distribution. Nil if
  /// all values are equal.
  package var excessKurtosis: Double? {
    let kurtosis = count * fourths / (squares * squares) - 3
    return squares > 0 && kurtosis.isFinite ? kurtosis : nil
  }
}
