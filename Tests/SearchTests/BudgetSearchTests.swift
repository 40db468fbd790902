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
}
