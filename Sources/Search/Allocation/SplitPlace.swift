import Foundation

/// Where a table of tokens is best cut in two, its first rows being looked up most.
///
/// Of rows that are looked up c times in the mean, each number loses c · 4^−bits times the same. With
/// bits free in both parts and their sum given, the loss is least where Σ rows · log₂ c is: the
/// allocation of bits to sources of unequal variance (Shoham and Gersho 1988).
enum SplitPlace {
  /// Rows of the other part are a multiple of one of these, so that palettes of many rows fill it.
  private static let steps = [96, 48, 16, 8]
  /// Bits for each number of the table that a split must save.
  private static let leastGain = 0.1

  /// Rows in the first part; nil where a split gains little, or no even cut is there.
  ///
  /// - Parameter counts: how often each row was looked up.
  static func rows(_ counts: [Int]) -> Int? {
    let unseen = counts.count { $0 == 0 }, once = counts.count { $0 == 1 }
    // What was not seen is as likely as what was seen once (Good 1953).
    let share = unseen == 0 ? 0 : Double(max(1, once)) / Double(unseen)
    var sums = [0.0]
    sums.reserveCapacity(counts.count + 1)
    for count in counts { sums.append(sums[sums.count - 1] + (count == 0 ? share : Double(count))) }
    guard let all = sums.last, all > 0,
      let step = steps.first(where: { counts.count > 4 * $0 })
    else { return nil }
    let rows = Double(counts.count)
    /// Half the log₂ of the loss, in bits for each number.
    func bits(_ place: Int) -> Double {
      let first = Double(place), rest = rows - first
      return 0.5 / rows
        * (first * log2(sums[place] / first) + rest * log2((all - sums[place]) / rest))
    }
    var best: (place: Int, bits: Double)?
    for place in stride(from: counts.count % step, to: counts.count, by: step)
    where place > 0 && sums[place] > 0 && sums[place] < all {
      let bits = bits(place)
      if bits < best?.bits ?? .infinity { best = (place, bits) }
    }
    let whole = 0.5 * log2(all / rows)
    return best.flatMap { whole - $0.bits >= leastGain ? $0.place : nil }
  }
}
