import Gate
import Testing

@testable import Explanation

struct RepairChoiceTests {
  private func repair(_ name: String, _ bytes: Int) -> Repair {
    Repair(place: MendBench.Place("\(name)", of: nil), bias: nil, way: .kept, extraBytes: bytes)
  }

  private func bytes(_ choice: RepairChoice, below best: RepairChoice.Combination? = nil) -> [Int]?
  {
    choice.next(below: best).map { choice.repairs($0).map(\.extraBytes) }
  }

  /// The candidate uses twice what is allowed, so half of the drift must go. Both weights make half
  /// of it; the ways lose less.
  private func choice(_ losses: [[Double]]) -> RepairChoice {
    RepairChoice(
      [[repair("a", 10), repair("a", 40)], [repair("b", 15), repair("b", 20)]],
      losses: losses.map { [0.5] + $0 }, floor: 0, before: 1, use: 2)
  }

  @Test func oneWeightThatIsEnoughGoesBeforeTwoThatAreCheaper() {
    #expect(bytes(choice([[0.2, 0], [0.2, 0.1]])) == [40])
  }

  @Test func theCheapestOfSeveralIsTaken() {
    #expect(bytes(choice([[0.2, 0.1], [0.4, 0.25]])) == [10, 20])
  }

  @Test func whereNothingIsEnoughTheMostIsTried() {
    #expect(bytes(choice([[0.45, 0.4], [0.45, 0.4]])) == [40, 20])
  }

  @Test func lossesBelowZeroAreNone() {
    #expect(bytes(choice([[0.2, -5], [0.2, 0.1]])) == [40])
  }
}
