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

  /// A search by references of many words.
  ///
  /// - Parameter rare: words that half of all are of; the other half are of the first forty.
  private func search(rare: Int, _ limits: Limits, budget: Int? = nil) throws -> Search {
    let model = try ManyWords.model()
    let references = ManyWords.texts(120, rare: rare, seed: 9)
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
      ], of: [model], on: shares, limits: limits, budget: budget
    ) { Gate(on: $0, limits, threshold: nil, jobs: 2) }
    return try Search(request, jobs: 2, prover: Prover(jobs: 2)) { _ in }
  }

  private static func isSplit(_ scheme: Scheme?) -> Bool {
    if case .split? = scheme { true } else { false }
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
    let splits = search.trials.map { $0.planned.contains { Self.isSplit($0.scheme) } }
    #expect(splits.contains(true) && splits.last == false)
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
