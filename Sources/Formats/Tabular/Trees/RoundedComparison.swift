/// A comparison of a number that is rounded to 32 bits first, as a comparison of the number itself.
///
/// 14.06 in 64 bits is less than 14.06 in 32, which it becomes by rounding: a library that rounds finds them equal, and
/// doubles do not. Halfway between two numbers of 32 bits rounding goes the other way, to the even one of IEEE 754.
enum RoundedComparison {
  /// The number with which doubles compare as a library does that rounds them and compares with `threshold`.
  ///
  /// - Parameter isStrict: whether it asks for less (x < t), else for at most (x ≤ t).
  static func threshold(_ threshold: Double, isStrict: Bool) -> Double {
    guard threshold.isFinite, threshold.magnitude < Double(Float.greatestFiniteMagnitude) else {
      return threshold
    }
    // The largest number of 32 bits that passes, and the next, which does not.
    let near = Float(threshold)
    let passes = isStrict ? Double(near) < threshold : Double(near) <= threshold
    let last = passes ? near : near.nextDown, next = last.nextUp
    guard last.isFinite, next.isFinite else { return threshold }
    let half = Double(last) / 2 + Double(next) / 2
    // What lies halfway passes if it becomes the last.
    let halfPasses = Float(half) == last
    return isStrict ? (halfPasses ? half.nextUp : half) : (halfPasses ? half : half.nextDown)
  }
}
