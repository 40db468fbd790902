import Gate
import Inputs
import Weights

/// The references of a replay: those that the receipt names, as the project has them now.
///
/// What a search found is judged again by the references that proved it. They are a share of the
/// project's, cut by the same rule, or the project's own set for the verdict.
struct ReplayReferences {
  /// Those that judge.
  let proving: ReferenceSet
  /// All that calibration must not share inputs with.
  let all: [ReferenceSet]
  /// What is of other bytes than the receipt says.
  let changes: [ReplayDifference]
  private let search: (record: SearchRecord, shares: ReferenceShares)?

  /// A receipt tells of references of a verdict that the project does not have.
  private struct NoVerdict: Error, CustomStringConvertible {
    let description =
      "the receipt says that the model was proven on references of their own after a search; the "
      + "project names none ('verdict')"
  }

  /// - Throws: errors of reading sets; when a search's are missing, or are too few by now.
  init(of receipt: RecordedReceipt, in source: ReplaySource) throws {
    func open(_ path: String) throws -> ReferenceSet {
      var set = try ReferenceSet(path: path)
      set.isFewMeant = source.isFewMeant
      return set
    }
    let given = try open(source.references)
    var comparison = ReceiptComparison()
    func compare(_ path: String, _ recorded: ContentDigest, _ found: ContentDigest) {
      comparison.compare(.references(path: path), recorded.hex, found.hex)
    }
    if let record = receipt.search {
      compare(source.references, record.references, given.digest)
      let shares: ReferenceShares
      if record.split == nil {
        guard let path = source.verdict else { throw NoVerdict() }
        shares = try ReferenceShares(search: given, verdict: try open(path))
        compare(path, receipt.references, shares.verdict.digest)
      } else {
        shares = try ReferenceShares(cutting: given)
      }
      (proving, all) = (shares.verdict, [shares.search, shares.verdict])
      search = (record, shares)
    } else {
      compare(source.references, receipt.references, given.digest)
      (proving, all, search) = (given, [given], nil)
    }
    changes = comparison.differences
  }

  /// The gate that judges again; how many candidates there were is taken from the receipt.
  func gate(on make: (ReferenceSet) -> Gate) -> Gate {
    let gate = make(proving)
    guard let search else { return gate }
    return gate.after(
      searchOn: search.shares, searched: search.record.searchCandidates,
      judged: search.record.verdictCandidates)
  }
}
