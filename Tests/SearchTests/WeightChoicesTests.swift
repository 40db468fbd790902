import Testing
import WeightCompression
import Weights

@testable import Search

/// What the fit of one candidate says of the next.
struct WeightChoicesTests {
  private func choices() -> WeightChoices {
    let names = ["a", "b", "table"]
    return WeightChoices(
      names.map { name in
        WeightChoices.Group(
          names: ["\(name).weight"], schemes: [nil, .int8(.perChannel)],
          choices: [
            Frontier.Choice(bytes: 400, loss: 0), Frontier.Choice(bytes: 100, loss: 0.25),
          ])
      }, fixedBytes: 7)
  }

  /// What was left of one weight three times as much as of another counts three times as much, and
  /// both together as before.
  @Test func whatIsHardToFitCountsForMore() {
    let before = choices()
    let made = Frontier.Allocation(places: [1, 1, 1], of: before.groups.map(\.choices))
    let after = before.refined(by: ["a.weight": 0.75, "b.weight": 0.25], at: made)
    #expect(after.groups.map { $0.choices[1].loss } == [0.375, 0.125, 0.25])
    #expect(after.groups.map { $0.choices[0].loss } == [0, 0, 0])
    #expect(
      after.groups.map { $0.choices.map(\.bytes) } == before.groups.map { $0.choices.map(\.bytes) })
    #expect(after.fixedBytes == 7)
    // Of two that cost as many bytes, the one that is easier to fit is compressed first.
    #expect(after.frontier.best(bytes: 600)?.places == [0, 1, 1])
    #expect(after.frontier.smallest(loss: 0.2)?.places == [0, 1, 0])
  }

  /// Where nothing was fitted, nothing changes.
  @Test func withoutAFitNothingChanges() {
    let before = choices()
    let made = Frontier.Allocation(places: [0, 0, 1], of: before.groups.map(\.choices))
    for left in [[:], ["a.weight": 0.3]] as [[TensorName: Double]] {
      let after = before.refined(by: left, at: made)
      #expect(after.groups.map(\.choices) == before.groups.map(\.choices))
    }
  }
}
