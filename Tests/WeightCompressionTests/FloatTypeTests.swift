import TestSupport
import Testing

@testable import WeightCompression

/// The reference is the standard library's `Float16`.
struct FloatTypeTests {
  private static let float16s: [Float] = (0...UInt16.max).map { Float(Float16(bitPattern: $0)) }

  private func expectRounded(_ value: Float) {
    let rounded = FloatType.float16.rounded(value)
    let expected = Float(Float16(value))
    #expect(
      rounded.bitPattern == expected.bitPattern || rounded.isNaN && expected.isNaN, "\(value)")
  }

  @Test func everyHalfStaysAsItIs() {
    for half in Self.float16s { expectRounded(half) }
  }

  @Test func roundsBetweenAnyTwoHalves() {
    let ascending = (0...0x7bff).map { Float(Float16(bitPattern: $0)) }
    for (low, high) in zip(ascending, ascending.dropFirst() + [65536]) {
      let middle = (low + high) / 2
      for value in [low.nextUp, middle.nextDown, middle, middle.nextUp, high.nextDown] {
        expectRounded(value)
        expectRounded(-value)
      }
    }
  }

  @Test func roundsAnyFloat() {
    var random = SeededGenerator(seed: 81)
    for _ in 0..<200_000 {
      expectRounded(Float(bitPattern: UInt32.random(in: 0...UInt32.max, using: &random)))
      let exponent = Int.random(in: -30...17, using: &random)
      expectRounded(
        Float(sign: .plus, exponent: exponent, significand: .random(in: 1..<2, using: &random)))
    }
    for value in [0, -0.0, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, 65520, 3e38]
      as [Float]
    {
      expectRounded(value)
    }
  }

  @Test func stepsToTheNeighbours() {
    for bits in 0..<0x7bff as Range<UInt16> {
      let low = Float(Float16(bitPattern: bits))
      let high = Float(Float16(bitPattern: bits + 1))
      #expect(FloatType.float16.next(above: low) == high)
      #expect(FloatType.float16.next(below: high) == low)
    }
    #expect(FloatType.float32.next(above: 1) == (1 as Float).nextUp)
    #expect(FloatType.float32.next(below: 1) == (1 as Float).nextDown)
  }

  @Test func singlesAreUntouched() {
    for value in [0.1, -0.0, 1e30, .infinity] as [Float] {
      #expect(FloatType.float32.rounded(value).bitPattern == value.bitPattern)
    }
    #expect(FloatType.float32.rounded([0.1]) == [0.1])
    #expect(FloatType.float16.rounded([0.1, 1]) == [Float(Float16(0.1)), 1])
  }
}
