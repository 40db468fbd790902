import Formats
import Gate
import Graph
import Inputs
import Proving
import TestSupport
import Testing
import WeightCompression

@testable import Search

/// Searches for a model whose table of tokens can have two parts.
struct SplitSearchTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(in: TemporaryFolder.memory) }

  private func search(_ references: [String], _ limits: Limits) throws -> Search {
    let model = try ManyWords.model()
    let pairs = stride(from: 0, to: references.count, by: 2).map {
      "{\"a\": \(references[$0]), \"b\": \(references[$0 + 1])}\n"
    }
    let shares = try ReferenceShares(
      cutting: try ReferenceSet(bytes: Array(pairs.joined().utf8), origin: "pairs.jsonl"))
    let request = Search.Request(
      [
        Search.Part(
          model, as: ModelFormat.usual.with(FormatChoices()), at: folder.path("found"),
          calibration: nil, shares: shares)
      ], of: [model], on: shares, limits: limits, budget: nil
    ) { Gate(on: $0, limits, threshold: nil, jobs: 2) }
    return try Search(request, jobs: 2, prover: Prover(jobs: 2)) { _ in }
  }

  /// References that hardly reach rows behind the first do not keep a search from its end.
  @Test(arguments: [60, 588]) func findsWhatPasses(_ rare: Int) throws {
    var search = try search(
      ManyWords.texts(120, rare: rare, seed: 9), try Limits(profile: .lenient))
    let outcome = try search.run()
    guard case .found(_, let verdict, _) = outcome else {
      Issue.record("nothing was found: \(search.trials.map(\.verdict.reasons))")
      return
    }
    #expect(verdict.isPassed)
    let last = try #require(search.trials.last)
    let plain = search.parts[0].choices.plain
    #expect(last.weightBytes <= plain.bytes + search.parts[0].choices.fixedBytes)
  }
}
