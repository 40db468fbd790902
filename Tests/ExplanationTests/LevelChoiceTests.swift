import Testing

@testable import Explanation
@testable import Gate

struct LevelChoiceTests {
  private func measured(_ use: Double) -> MendBench.Measured {
    MendBench.Measured(metrics: nil, isInside: use <= 1, use: use, inputs: [])
  }

  /// Each of ten weights takes a tenth of the drift.
  private func left(_ count: Int) -> Double { 1 - Double(count) / 10 }

  @Test(arguments: [(1.0, 1), (2.0, 5), (3.9, 8), (9.9, 9), (1000, 10)])
  func asFewAsShouldBeEnough(_ rate: Double, _ count: Int) {
    #expect(LevelChoice(of: 10, rate: rate).next(leaving: left) == count)
  }

  @Test func whereAllShouldNotBeEnoughNoneIsTried() {
    #expect(LevelChoice(of: 10, rate: 2).next { _ in 0.6 } == nil)
    #expect(LevelChoice(of: 10, rate: 2).next { _ in .infinity } == nil)
  }

  /// Five leave more than was predicted: more are tried.
  @Test func aTryThatIsNotEnoughAsksForMore() {
    var choice = LevelChoice(of: 10, rate: 2)
    choice.take(5, leaving: 0.5, measured(1.6))
    #expect(choice.enough == nil && choice.rate == 3.2)
    #expect(choice.next(leaving: left) == 7)
    choice.take(7, leaving: 0.3, measured(0.9))
    #expect(choice.enough == 7)
    // Six are predicted to use 1.2 of the limits.
    #expect(choice.next(leaving: left) == nil)
  }

  @Test func aTryThatIsMoreThanEnoughAsksForFewer() {
    var choice = LevelChoice(of: 10, rate: 4)
    choice.take(8, leaving: 0.2, measured(0.2))
    #expect(choice.next(leaving: left) == 1)
    choice.take(1, leaving: 0.9, measured(1.3))
    #expect(choice.next(leaving: left) == 4)
    choice.take(4, leaving: 0.6, measured(0.95))
    #expect(choice.enough == 4)
    #expect(choice.next(leaving: left) == nil)
  }

  /// Something else than a limit refuses, a flip for example.
  @Test func whatIsRefusedWithinItsLimitsNeedsMore() {
    var choice = LevelChoice(of: 10, rate: 1)
    choice.take(
      1, leaving: 0.5, MendBench.Measured(metrics: nil, isInside: false, use: 0.4, inputs: []))
    #expect(choice.rate == 2.5)
  }
}
