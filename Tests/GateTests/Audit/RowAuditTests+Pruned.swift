import Graph
import TestSupport
import Testing
import Weights

@testable import Gate

/// Matrices whose smallest numbers became zero.
extension RowAuditTests {
  private static let pruned = WeightReference("w", [16, 12], role: .matrix(outputAxis: 0))

  /// Row 3 has small numbers, the others large ones.
  private static let numbers: [Float] = {
    var generator = SeededGenerator(seed: 8)
    return (0..<16 * 12).map { place in
      let value = Float.random(in: 0.5...1.5, using: &generator)
      return (place % 2 == 0 ? 1 : -1) * (place / 12 == 3 && place % 3 == 0 ? 0.1 : 1) * value
    }
  }()

  @Test func theSmallestNumbersMayBecomeZero() {
    let new = Self.numbers.map { $0.magnitude < 0.3 ? 0 : $0 }
    #expect(new != Self.numbers)
    #expect(Self.audit(new, Self.pruned, old: Self.numbers, reached: nil).faults == [])
  }

  @Test func largerNumbersThatBecomeZeroAreAFault() {
    var new = Self.numbers.map { $0.magnitude < 0.3 ? 0 : $0 }
    new[5 * 12 + 1] = 0
    #expect(
      Self.audit(new, Self.pruned, old: Self.numbers, reached: nil).faults.map(\.row).contains(5))
  }

  /// So many numbers that they are no palette.
  @Test func aWholeRowThatBecomesZeroIsAFault() {
    var generator = SeededGenerator(seed: 9)
    var old = (0..<32 * 12).map { _ in Float.random(in: 0.5...1.5, using: &generator) }
    for place in 7 * 12..<8 * 12 { old[place] *= 0.02 }
    var new = old
    for place in 7 * 12..<8 * 12 { new[place] = 0 }
    let weight = WeightReference("w", [32, 12], role: .matrix(outputAxis: 0))
    #expect(Self.audit(new, weight, old: old, reached: nil).faults.map(\.row) == [7])
  }
}
