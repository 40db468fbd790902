import Gate
import Inputs
import Proving
import Testing

@testable import Search

/// What follows where the verdict's share refuses what passed on the search's: its limits are tighter
/// here.
struct VerdictMarginTests {
  @Test(arguments: [1, 2, 3] as [UInt64]) func aRefusedCandidateIsFollowedByOneOfLessLoss(
    _ seed: UInt64
  ) throws {
    let small = try SmallSearch(
      Limits(profile: .lenient), seed: seed, isFitted: false, verdict: Limits(profile: .strict))
    var search = try small.search()
    guard case .found(_, let verdict, _) = try search.run() else {
      Issue.record("nothing was found: \(search.trials.map(\.verdict.reasons))")
      return
    }
    let judged = search.trials.filter { $0.share == .verdict }
    #expect((2...Search.mostTrials).contains(judged.count))
    #expect(judged.dropLast().allSatisfy { !$0.verdict.isPassed })
    #expect(judged.last?.verdict.isPassed == true && verdict.isPassed)
    for (before, after) in zip(judged, judged.dropFirst()) {
      #expect(after.predictedLoss < before.predictedLoss)
    }
    // The receipt tells of all of them.
    let record = try #require(verdict.receipts.first?.search)
    #expect(record.verdictCandidates == judged.count)
    #expect(record.searchCandidates == search.trials.count - judged.count)
  }
}
