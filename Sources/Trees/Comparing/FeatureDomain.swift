/// The numbers that a feature can have, as places in their order: 0 is that of zero.
package enum FeatureDomain: Sendable {
  /// Codes of categories: whole numbers, those that are none included.
  case wholeNumbers
  /// Numbers of 32 bits.
  case floats
  /// Numbers of 64 bits.
  case doubles

  /// Beyond it, 64 bits do not tell whole numbers apart.
  private static let wholeLimit: Int64 = 1 << 53
  /// The largest number that a row may have.
  private static let largest = Float.greatestFiniteMagnitude

  /// All places.
  var all: ClosedRange<Int64> {
    switch self {
    case .wholeNumbers: -Self.wholeLimit...Self.wholeLimit
    case .floats: (-Self.largest).place...Self.largest.place
    case .doubles: (-Double(Self.largest)).place...Double(Self.largest).place
    }
  }

  /// The last place whose number is at or below a threshold; one before the first where none is.
  ///
  /// - Parameter isStrict: whether it must lie below.
  func last(_ threshold: Double, isStrict: Bool) -> Int64 {
    if threshold > Double(Self.largest) { return all.upperBound }
    if threshold < -Double(Self.largest) { return all.lowerBound - 1 }
    let (place, number): (Int64, Double)
    switch self {
    case .wholeNumbers:
      if threshold < -Double(Self.wholeLimit) { return all.lowerBound - 1 }
      if threshold >= Double(Self.wholeLimit) { return all.upperBound }
      number = threshold.rounded(.down)
      place = Int64(number)
    case .floats:
      let nearest = Float(threshold)
      let below = Double(nearest) > threshold ? nearest.nextDown : nearest
      (place, number) = (below.place, Double(below))
    case .doubles: (place, number) = (threshold.place, threshold)
    }
    return isStrict && number == threshold ? place - 1 : place
  }

  /// Whether places of numbers of 64 bits are fewer than a whole step from one number of 32 bits to the next: the
  /// step with its first number and without its last, or the other way.
  static func isWithinAStep(_ span: ClosedRange<Int64>) -> Bool {
    isWithinAStep(span.lowerBound - 1, span.upperBound)
      && isWithinAStep(span.lowerBound, span.upperBound + 1)
  }

  // Whether two numbers of 32 bits that follow each other do not both lie between places, ends included.
  private static func isWithinAStep(_ first: Int64, _ last: Int64) -> Bool {
    Float.atMost(Double.at(last)).place <= Float.atLeast(Double.at(first)).place
  }
}
