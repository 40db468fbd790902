import TestSupport
import Testing

@testable import Formats

/// The judge is rounding itself: `Float(x)` is what libraries of 32 bits make of a double.
struct RoundedComparisonTests {
  private static let thresholds: [Double] =
    [
      0, -0.0, 1, -1, 14.06, Double(14.06 as Float), 0.1, Double(0.1 as Float), 16_777_216,
      16_777_217,
      1e-45, -1e-45, 1e-40, 3.4e38, -3.4e38, 1 + 0x1p-24, 1 + 0x1p-23, 1 - 0x1p-25,
    ]
    + {
      var generator = SeededGenerator(seed: 11)
      return (0..<200).map { _ in Double.random(in: -100...100, using: &generator) }
    }()

  /// Numbers on both sides of what decides, and those halfway between two of 32 bits.
  private static func numbers(around threshold: Double) -> [Double] {
    let near = Float(threshold)
    let floats = [near.nextDown.nextDown, near.nextDown, near, near.nextUp, near.nextUp.nextUp].map
    {
      Double($0)
    }
    let halves = zip(floats, floats.dropFirst()).map { $0 / 2 + $1 / 2 }
    return ([threshold] + floats + halves).flatMap { [$0.nextDown, $0, $0.nextUp] }
  }

  @Test func everyDoubleGoesWhereItsRoundedNumberGoes() {
    for threshold in Self.thresholds {
      let strict = RoundedComparison.threshold(threshold, isStrict: true)
      let equal = RoundedComparison.threshold(threshold, isStrict: false)
      for number in Self.numbers(around: threshold) {
        let rounded = Double(Float(number))
        #expect((number < strict) == (rounded < threshold), "\(number) < \(threshold)")
        #expect((number <= equal) == (rounded <= threshold), "\(number) <= \(threshold)")
      }
    }
  }

  @Test(arguments: [Double.infinity, -.infinity, 1e300, -1e300])
  func whatNoNumberReachesStays(_ threshold: Double) {
    #expect(RoundedComparison.threshold(threshold, isStrict: true) == threshold)
    #expect(RoundedComparison.threshold(threshold, isStrict: false) == threshold)
  }
}
