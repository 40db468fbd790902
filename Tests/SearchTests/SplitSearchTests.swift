import Calibration
import Formats
import Foundation
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

  /// A search by references of many words.
  ///
  /// - Parameters:
  ///   - rare: words that half of all are of; the other half are of the first forty.
  ///   - isFitted: whether weights are fitted to other texts of that kind.
  ///   - jobs: threads.
  private func search(
    rare: Int, _ limits: Limits, budget: Int? = nil, isFitted: Bool = false, jobs: Int = 2
  ) throws -> Search {
    let model = try ManyWords.model()
    let inputs = ManyWords.texts(120, rare: rare, seed: 10).map { $0 + "\n" }.joined()
    let calibration = try CalibrationSet(bytes: Array(inputs.utf8), origin: "inputs.jsonl")
    let references = ManyWords.texts(120, rare: rare, seed: 9)
    let pairs = stride(from: 0, to: references.count, by: 2).map {
      "{\"a\": \(references[$0]), \"b\": \(references[$0 + 1])}\n"
    }
    let shares = try ReferenceShares(
      cutting: try ReferenceSet(bytes: Array(pairs.joined().utf8), origin: "pairs.jsonl"),
      seenBy: [model], jobs: jobs)
    let request = Search.Request(
      [
        Search.Part(
          model, as: ModelFormat.usual.with(FormatChoices()), at: folder.path("found-\(jobs)"),
          calibration: isFitted ? calibration : nil, shares: shares)
      ], of: [model], on: shares, limits: limits, budget: budget
    ) { Gate(on: $0, limits, threshold: nil, jobs: jobs) }
    return try Search(request, jobs: jobs, prover: Prover(jobs: jobs)) { _ in }
  }

  private static func isSplit(_ scheme: Scheme?) -> Bool {
    scheme?.isSplit == true
  }

  /// References that hardly reach rows behind the first refuse them; a search goes on with whole tables.
  @Test(arguments: [nil, 130_000]) func rowsThatAreRefusedMakeTablesWhole(_ budget: Int?) throws {
    var search = try search(rare: 60, try Limits(profile: .lenient), budget: budget)
    let outcome = try search.run()
    let refusals = search.trials.map(\.isRefusedForRows)
    #expect(refusals.contains(true))
    guard case .found(_, let verdict, _) = outcome else {
      Issue.record("nothing was found: \(search.trials.map(\.verdict.reasons))")
      return
    }
    #expect(verdict.isPassed)
    let splits = search.trials.map(\.candidate.isSplit)
    #expect(splits.contains(true) && splits.last == false)
  }

  /// Fitted to a size with a table in two parts, a model with the table whole is made too. What is proven
  /// is the better of those that the search's share lets pass: the split, the whole one, and the whole
  /// one since rows of the split are refused.
  @Test(arguments: [(400, 115_000, true), (400, 130_000, false), (60, 100_000, false)])
  func ofABudgetTheTableIsTriedWholeToo(_ rare: Int, _ budget: Int, _ isSplit: Bool) throws {
    var search = try search(rare: rare, Limits.anything(), budget: budget, isFitted: true)
    guard case .found(_, _, let recipes) = try search.run() else {
      Issue.record("refused: \(search.trials.map(\.verdict.reasons))")
      return
    }
    let tried = search.trials.filter { $0.share == .search }
    let splits = tried.map(\.candidate.isSplit)
    #expect(splits.contains(true) && splits.contains(false), "\(splits)")
    let best = try #require(tried.filter(\.verdict.isPassed).min { $0.loss < $1.loss })
    #expect(recipes == best.candidate.recipes && best.candidate.isSplit == isSplit)
    #expect(search.trials.count { $0.share == .verdict } == 1)
  }

  /// Of texts, with a table in two parts, fitted to a size.
  @Test func theBytesDoNotDependOnThreads() throws {
    let files = try [1, 3].map { jobs in
      var search = try search(
        rare: 400, Limits.anything(), budget: 115_000, isFitted: true, jobs: jobs)
      guard case .found(let written, _, _) = try search.run() else {
        Issue.record("refused: \(search.trials.map(\.verdict.reasons))")
        return Data()
      }
      #expect(written.count == 1 && search.trials.last?.candidate.isSplit == true)
      return try Data(contentsOf: URL(filePath: folder.path("found-\(jobs)")))
    }
    #expect(files[0] == files[1] && !files[0].isEmpty)
  }

  /// What is proven has the recipe that it was made by, though tables are whole since.
  @Test func aCandidateKeepsItsRecipe() throws {
    var search = try search(rare: 588, Limits.anything())
    let choices = search.parts[0].choices
    let table = try #require(choices.groups.firstIndex { $0.names == [ManyWords.table] })
    let schemes = choices.groups[table].schemes
    let place = try #require(schemes.lastIndex(where: Self.isSplit))
    var places = choices.plain.places
    places[table] = place
    let candidate = try search.make([
      Frontier.Allocation(places: places, of: choices.groups.map(\.choices))
    ])
    let isChanged = search.parts[0].keepTablesWhole()
    #expect(isChanged && search.parts[0].choices.withoutSplits == nil)
    guard case .found(_, _, let recipes)? = try search.proven(candidate) else {
      Issue.record("refused: \(search.trials.map(\.verdict.reasons))")
      return
    }
    let weight = try #require(
      try ManyWords.model().usedWeights().first { $0.name == ManyWords.table })
    let found = recipes.map { $0.scheme(of: weight) }
    #expect(found == [schemes[place]])
  }
}
