import Gate
import Graph
import Inputs
import Weights

/// The references of a replay: those that the receipt names, as the project has them now.
///
/// What a search found is judged again by the references that proved it. They are a share of the
/// project's, cut by the same rule, or the project's own set for the verdict.
struct ReplayReferences {
  /// The files, for calibration to share no inputs with: the first is the project's, the other one the
  /// verdict's.
  let all: [ReferenceSet]
  /// What is of other bytes than the receipt says.
  let changes: [ReplayDifference]
  private let search: SearchRecord?

  /// A receipt tells of references of a verdict that the project does not have.
  private struct NoVerdict: Error, CustomStringConvertible {
    let description =
      "the receipt says that the model was proven on references of their own after a search; the "
      + "project names none ('verdict')"
  }

  /// - Throws: errors of reading sets; when those of a verdict are missing.
  init(of receipt: RecordedReceipt, in source: ReplaySource) throws {
    func open(_ path: String) throws -> ReferenceSet {
      var set = try ReferenceSet(path: path, columns: source.columns)
      set.isFewMeant = source.isFewMeant
      return set
    }
    search = receipt.search
    let given = try open(source.references)
    var comparison = ReceiptComparison()
    func compare(_ path: String, _ recorded: ContentDigest, _ found: ContentDigest) {
      comparison.compare(.references(path: path), recorded.hex, found.hex)
    }
    compare(source.references, search?.references ?? receipt.references, given.digest)
    if let search, search.split == nil {
      guard let path = source.verdict else { throw NoVerdict() }
      let verdict = try open(path)
      compare(path, receipt.references, verdict.digest)
      all = [given, verdict]
    } else {
      all = [given]
    }
    changes = comparison.differences
  }

  /// The gate that judges again; how many candidates there were is taken from the receipt.
  ///
  /// - Parameters:
  ///   - trained: the models that take the inputs.
  ///   - make: the gate on some references.
  /// - Throws: as `ReferenceShares`.
  func gate(
    seenBy trained: [Model], jobs: Int, on make: (ReferenceSet) -> Gate
  ) throws -> Gate {
    guard let search else { return make(all[0]) }
    let shares =
      try all.count > 1
      ? ReferenceShares(search: all[0], verdict: all[1], seenBy: trained, jobs: jobs)
      : ReferenceShares(cutting: all[0], seenBy: trained, jobs: jobs)
    return make(shares.verdict).after(
      searchOn: shares, searched: search.searchCandidates, judged: search.verdictCandidates)
  }
}
