/// Weight, sum and sum of squares of the values before a position of a sorted sequence; a value
/// weighs 1 at least.
///
/// Two of them give the squared error of representing the values between by their mean. Positions
/// left of the sequence's centre have negative weights: sums run outwards from there, so that a few
/// huge values at one end do not swallow the digits of all others.
struct Moments {
  var weight: Double
  var sum: Double
  var squares: Double

  static let zero = Moments(weight: 0, sum: 0, squares: 0)

  /// Moments after more values equal to `value`, of the given total weight.
  @inline(__always)
  func adding(_ weight: Double, at value: Double) -> Moments {
    Moments(
      weight: self.weight + weight, sum: sum + weight * value,
      squares: squares + weight * value * value)
  }

  /// Squared error of the values between `start` and here when their mean replaces them.
  @inline(__always)
  func cost(since start: Moments) -> Double {
    let weight = self.weight - start.weight
    let sum = self.sum - start.sum
    // A value alone costs nothing; far from the centre, rounding would say otherwise.
    guard weight > 1 else { return 0 }
    return max((squares - start.squares) - sum * sum / weight, 0)
  }

  /// Mean of the values between `start` and here; at least one is needed.
  @inline(__always)
  func mean(since start: Moments) -> Double { (sum - start.sum) / (weight - start.weight) }
}
