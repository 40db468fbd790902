import Formats
import Gate
import Testing

@testable import Search

/// The best of a size, where what is written besides weights differs from one candidate to another.
struct BudgetSearchTests {
  /// Neighbouring budgets: candidates of some are a few bytes too large.
  @Test(arguments: Array(9_270..<9_290) + Array(12_570..<12_582)) func everyBudgetIsKept(
    _ budget: Int
  ) throws {
    let small = try SmallSearch(Limits.anything(), seed: 1, isFitted: true, budget: budget)
    var search = try small.search()
    guard case .found(let models, _, _) = try search.run() else {
      Issue.record("nothing was found: \(search.trials.map(\.verdict.reasons))")
      return
    }
    let bytes = models[0].files.reduce(0) { $0 + $1.byteCount }
    #expect(bytes <= budget && budget - bytes < 1500, "\(bytes)")
  }

  /// Of few weights predictions are off, so that what should lose least may be refused where a smaller
  /// one is not.
  @Test(arguments: [1, 2, 5] as [UInt64]) func whatPassesIsFoundWithinEveryLargerBudget(
    _ seed: UInt64
  ) throws {
    func bytes(_ budget: Int?) throws -> Int? {
      let small = try SmallSearch(
        Limits(profile: .strict), seed: seed, isFitted: false, budget: budget)
      var search = try small.search()
      guard case .found(let models, _, _) = try search.run() else { return nil }
      return models[0].files.reduce(0) { $0 + $1.byteCount }
    }
    let smallest = try #require(try bytes(nil))
    for more in [0, 1, 150, 300, 600] {
      let found = try bytes(smallest + more)
      #expect(found ?? .max <= smallest + more, "\(more): \(found ?? 0)")
    }
  }

  @Test func sizesThatWouldBeWrittenAlikeAreWrittenExactly() {
    func words(_ budget: Int, _ smallest: Int) -> String {
      "\(SearchError.budgetTooSmall(origin: "m", budget: budget, smallest: smallest))"
    }
    #expect(words(4960, 4972) == "m: the smallest model has 4972 bytes, the budget is 4960 bytes")
    #expect(words(900, 4972) == "m: the smallest model has 5.0 kB, the budget is 900 B")
  }
}
