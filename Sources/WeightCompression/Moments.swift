/// Count, sum and sum of squares of the values before a position of a sorted sequence.
///
/// Two of them give the squared error of representing the values between by their mean. Positions
/// left of the sequence's centre have negative counts: sums run outwards from there, so that a few
/// huge values at one end do not swallow the digits of all others.
struct Moments {
  var count: Double
  var sum: Double
  var squares: Double

  static let zero = Moments(count: 0, sum: 0, squares: 0)

  /// Moments after `count` more values that are all `value`.
  @inline(__always)
  func adding(_ count: Double, at value: Double) -> Moments {
    Moments(
      count: self.count + count, sum: sum + count * value,
      squares: squares + count * value * value)
  }

  /// Squared error of the values between `start` and here when their mean stands for them.
  @inline(__always)
  func cost(since start: Moments) -> Double {
    let count = self.count - start.count
    let sum = self.sum - start.sum
    // A value alone costs nothing; far from the centre, rounding would say otherwise.
    guard count > 1 else { return 0 }
    return max((squares - start.squares) - sum * sum / count, 0)
  }

  /// Mean of the values between `start` and here; there must be one at least.
  @inline(__always)
  func mean(since start: Moments) -> Double { (sum - start.sum) / (count - start.count) }
}
