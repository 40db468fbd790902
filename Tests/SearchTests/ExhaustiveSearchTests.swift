import Gate
import Inputs
import TestSupport
import Testing

@testable import Search

/// What is found beside the smallest there is: every allocation is made and judged by the references
/// that the search sees, from the smallest on, until one passes.
struct ExhaustiveSearchTests {
  struct Case: CustomTestStringConvertible {
    let profile: Limits.Profile
    let seed: UInt64
    let isFitted: Bool
    var testDescription: String { "\(profile.rawValue), seed \(seed)\(isFitted ? ", fitted" : "")" }
  }

  static let cases = Limits.Profile.allCases.flatMap { profile in
    (1...UInt64(Thoroughness.isExhaustive ? 6 : 2)).flatMap { seed in
      [false, true].map { Case(profile: profile, seed: seed, isFitted: $0) }
    }
  }

  @Test(arguments: cases)
  func whatIsFoundIsWithinThreePercentOfTheSmallest(_ test: Case) throws {
    let small = try SmallSearch(
      try Limits(profile: test.profile), seed: test.seed, isFitted: test.isFitted)
    var search = try small.search()
    guard case .found = try search.run() else {
      Issue.record("nothing was found")
      return
    }
    let passed = search.trials.filter { $0.share == .search && $0.verdict.isPassed }
    let found = try #require(passed.min { $0.weightBytes < $1.weightBytes })
    let fixed = search.parts[0].choices.fixedBytes
    let least = try smallest(small, &search, atMost: found.weightBytes - fixed)
    #expect(
      Double(found.weightBytes) <= 1.03 * Double(least.bytes + fixed),
      "found \(found.weightBytes), the smallest of \(least.tried) has \(least.bytes + fixed)")
  }

  /// The smallest allocation that the search's share lets pass, and how many were tried.
  private func smallest(
    _ small: SmallSearch, _ search: inout Search, atMost bytes: Int
  ) throws -> (bytes: Int, tried: Int) {
    let groups = search.parts[0].choices.groups
    try #require(groups.count == 3)
    let all = groups.reduce([(places: [Int](), bytes: 0)]) { all, group in
      all.flatMap { start in
        group.choices.enumerated().map { place, choice in
          (start.places + [place], start.bytes + choice.bytes)
        }
      }
    }.sorted { $0.bytes < $1.bytes }
    for (number, allocation) in all.enumerated() where allocation.bytes <= bytes {
      if try small.passes(allocation.places, of: &search) { return (allocation.bytes, number + 1) }
    }
    return (bytes, all.count)
  }
}
