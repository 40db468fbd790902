import TestSupport
import Testing
import Weights

@testable import Graph

/// Bounds of what a linear layer makes of a normalised row hold for rows, and are not far from them.
struct AffineFormTests {
  private static let rows = 6, width = 16

  @Test(arguments: [1, 2, 3] as [UInt64])
  func boundsHold(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func numbers(_ count: Int) -> [Float] {
      (0..<count).map { _ in Float.random(in: -1...1, using: &generator) }
    }
    let gains = numbers(Self.width), shifts = numbers(Self.width)
    let weights = numbers(Self.rows * Self.width), bias = numbers(Self.rows)
    let norm = AffineForm(
      radius: 4, gains: gains.map { Double($0) }, offsets: shifts.map { Double($0) })
    let reference = WeightReference("w", [Self.rows, Self.width], role: .matrix(outputAxis: 0))
    let form = norm.mapped(by: reference, weights, bias)
    let limits = form.limits(weights), length = form.length(0..<Self.rows, weights)
    var longest = 0.0
    for _ in 0..<2000 {
      var point = numbers(Self.width).map { Double($0) }
      let size = point.reduce(0) { $0 + $1 * $1 }.squareRoot()
      point = point.map { $0 * 4 / size }
      var squares = 0.0
      for row in 0..<Self.rows {
        var sum = Double(bias[row])
        for column in 0..<Self.width {
          let number = Double(gains[column]) * point[column] + Double(shifts[column])
          sum += Double(weights[row * Self.width + column]) * number
        }
        #expect(sum.magnitude <= limits[row])
        squares += sum * sum
      }
      longest = max(longest, squares.squareRoot())
    }
    #expect(longest <= length)
    #expect(length < 3 * longest)
  }

  /// 0.6 · 2^−149 is rounded to 2^−149.
  @Test func boundsHoldWhatIsRoundedUp() {
    let small = AffineForm(radius: 0.6, gains: [1], offsets: [0]).scaled(by: 0x1p-149)
    let form = small.scaled(by: 0x1p149)
    #expect(form.length(0..<1, nil) >= 1)
    let reference = WeightReference("w", [1, 1], role: .matrix(outputAxis: 0))
    #expect(form.mapped(by: reference, [1], [0]).limits([1])[0] >= 1)
  }

  @Test func nothingBoundsWhatIsNoNumber() {
    let form = AffineForm(radius: 1, gains: [1], offsets: [0])
    #expect(form.length(0..<1, [.nan]) == .infinity)
    #expect(form.length(0..<1, [0]) == 0)
  }
}
