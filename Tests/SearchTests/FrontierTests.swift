import TestSupport
import Testing

@testable import Search

/// Allocations against every allocation there is.
struct FrontierTests {
  /// For each of some weights a few ways to store it, the larger usually losing less.
  private static func choices(_ weights: Int, _ seed: UInt64) -> [[Frontier.Choice]] {
    var numbers = SeededGenerator(seed: seed)
    return (0..<weights).map { _ in
      (0..<Int.random(in: 1...5, using: &numbers)).map { place in
        Frontier.Choice(
          bytes: (place + 1) * Int.random(in: 1...90, using: &numbers),
          loss: Double.random(in: 0...1, using: &numbers) / Double(place + 1))
      }
    }
  }

  private static func all(_ choices: [[Frontier.Choice]]) -> [(bytes: Int, loss: Double)] {
    choices.reduce([(0, 0)]) { found, choices in
      found.flatMap { sum in choices.map { (sum.0 + $0.bytes, sum.1 + $0.loss) } }
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func losesTheLeastOfAllThatFit(_ seed: UInt64) throws {
    let choices = Self.choices(6, seed)
    let frontier = Frontier(choices)
    let all = Self.all(choices)
    let sizes = Set(all.map(\.bytes)).sorted()
    #expect(frontier.smallest == sizes[0])
    #expect(frontier.best(bytes: sizes[0] - 1) == nil)
    for size in sizes {
      let found = try #require(frontier.best(bytes: size))
      let least = all.filter { $0.bytes <= size }.map(\.loss).min() ?? 0
      #expect(found.bytes <= size)
      #expect(abs(found.loss - least) < 1e-12)
      #expect(found.places.count == choices.count)
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func isTheSmallestOfAllThatLoseSoLittle(_ seed: UInt64) throws {
    let choices = Self.choices(6, seed)
    let frontier = Frontier(choices)
    let all = Self.all(choices)
    for loss in stride(from: 0.05, to: 4, by: 0.13) {
      let least = all.filter { $0.loss <= loss }.map(\.bytes).min()
      let found = frontier.smallest(loss: loss)
      #expect(found?.bytes == least)
      if let found { #expect(found.loss <= loss) }
    }
  }

  /// Where steps are of many bytes, rounding costs no more loss than the bytes it may leave over.
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func stepsOfManyBytesLoseNoMoreThanTheyRound(_ seed: UInt64) throws {
    let choices = Self.choices(6, seed).map {
      $0.map { Frontier.Choice(bytes: 1_000_003 * $0.bytes, loss: $0.loss) }
    }
    let frontier = Frontier(choices)
    let all = Self.all(choices)
    let sizes = Set(all.map(\.bytes)).sorted()
    let rounded = choices.count * ((sizes[sizes.count - 1] - sizes[0]) / 65_536 + 1)
    #expect(rounded > 1000)
    for size in sizes {
      let found = try #require(frontier.best(bytes: size))
      let least = all.filter { $0.bytes <= max(sizes[0], size - rounded) }.map(\.loss).min() ?? 0
      #expect(found.bytes <= size && found.loss <= least + 1e-12)
    }
    for loss in stride(from: 0.05, to: 4, by: 0.13) {
      let least = all.filter { $0.loss <= loss }.map(\.bytes).min()
      let found = frontier.smallest(loss: loss)
      #expect((found == nil) == (least == nil))
      if let found, let least { #expect(found.loss <= loss && found.bytes <= least + rounded) }
    }
  }

  /// Larger than the steps that are counted: no more than they round is left over.
  @Test func bytesBeyondTheStepsAreUsed() throws {
    let choices = (0..<40).map { weight -> [Frontier.Choice] in
      (1...6).map { place -> Frontier.Choice in
        let loss: Double = 1 / Double(place * place * (weight + 1))
        return Frontier.Choice(bytes: 1_000_003 * place + 7919 * weight, loss: loss)
      }
    }
    let frontier = Frontier(choices)
    for share in [1.2, 2, 3.7, 5] {
      let budget = Int(share * Double(frontier.smallest))
      let found = try #require(frontier.best(bytes: budget))
      #expect(found.bytes <= budget)
      // Less than the least step that any weight could still take.
      #expect(Double(budget - found.bytes) < 0.03 * Double(budget))
    }
    #expect(frontier.best.places.allSatisfy { $0 == 5 })
  }

  @Test func theTableIsNotJumpedOver() throws {
    // A line through the hull would skip the middle way of the first weight.
    let table = [(100, 10.0), (150, 6), (200, 1)].map { Frontier.Choice(bytes: $0.0, loss: $0.1) }
    let matrix = [(10, 3.0), (60, 2.9)].map { Frontier.Choice(bytes: $0.0, loss: $0.1) }
    let choices = [table, matrix]
    let found = try #require(Frontier(choices).best(bytes: 165))
    #expect(found.places == [1, 0])
  }

  /// Predictions overflow for inputs or weights of extreme sizes.
  @Test(arguments: [Double.infinity, .nan])
  func whatHasNoFiniteLossIsAllocatedByItsBytes(_ loss: Double) throws {
    let weight = [(100, 0), (30, loss), (10, loss)].map {
      Frontier.Choice(bytes: $0.0, loss: $0.1)
    }
    let frontier = Frontier([weight, weight])
    for bytes in [20, 40, 60, 110, 199] {
      #expect(try #require(frontier.best(bytes: bytes)).bytes <= bytes)
    }
    #expect(frontier.best.bytes == 200)
    #expect(frontier.smallest(loss: 1)?.bytes == 200)
  }
}
