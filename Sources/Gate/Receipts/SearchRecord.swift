import Inputs
package import StrictJSON
package import Weights

/// The search that found a candidate: what it saw, and how often it asked for a verdict.
package struct SearchRecord: Equatable, Sendable {
  /// Digest of the set that the search was given.
  package let references: ContentDigest
  /// Version of the rule that cut that set in two, one share for the verdict; nil if the verdict had a
  /// set of its own.
  package let split: Int?
  /// Lines that the search saw.
  package let searchLines: Int
  /// Lines of the verdict.
  package let verdictLines: Int
  /// Candidates that were judged on the lines of the search.
  package let searchCandidates: Int
  /// Candidates that were judged on the lines of the verdict, the one that passed included.
  package let verdictCandidates: Int

  init(_ shares: ReferenceShares, searchCandidates: Int, verdictCandidates: Int) {
    let cut = shares.verdict.cut
    references = cut?.whole ?? shares.search.digest
    split = cut == nil ? nil : ReferenceSet.Share.rule
    searchLines = shares.search.content.count
    verdictLines = shares.verdict.content.count
    self.searchCandidates = searchCandidates
    self.verdictCandidates = verdictCandidates
  }

  /// Whether it tells of these references, however many candidates there were.
  func isOf(_ shares: ReferenceShares?) -> Bool {
    guard let shares else { return false }
    return self
      == SearchRecord(
        shares, searchCandidates: searchCandidates, verdictCandidates: verdictCandidates)
  }

  /// One line for people.
  package var words: String {
    "searched: verdict on \(verdictLines)"
      + (split == nil ? " lines of its own" : " of \(searchLines + verdictLines) lines")
      + ", which the search did not see; \(Figures.count(verdictCandidates, "candidate")) judged on "
      + "them, \(searchCandidates) on the others"
  }

  /// As receipts and answers hold it.
  package var json: JSONValue {
    var members: [String: JSONValue] = [
      "references": ["sha256": .string(references.hex)],
      "searchLines": .integer(searchLines), "verdictLines": .integer(verdictLines),
      "searchCandidates": .integer(searchCandidates),
      "verdictCandidates": .integer(verdictCandidates),
    ]
    members["split"] = split.map(JSONValue.integer)
    return .object(members)
  }
}

extension SearchRecord {
  /// Reads the form that `json` writes, and nothing else.
  ///
  /// - Parameter verdict: digest of the references of the verdict.
  init(_ object: JSONObject, provenOn verdict: ContentDigest) throws(JSONError) {
    try object.allowOnly([
      "references", "split", "searchLines", "verdictLines", "searchCandidates",
      "verdictCandidates",
    ])
    let rule = ReferenceSet.Share.rule
    references = try ReceiptReader.digest(
      "sha256", of: try ReceiptReader.object("references", of: object, keys: ["sha256"]))
    split = object["split"] == nil ? nil : try object.integer("split", in: rule...rule)
    searchLines = try object.integer("searchLines", in: 1...ReferenceSet.lineLimit)
    verdictLines = try object.integer("verdictLines", in: 1...ReferenceSet.lineLimit)
    searchCandidates = try object.integer("searchCandidates", in: 0...Int.max)
    verdictCandidates = try object.integer("verdictCandidates", in: 1...Int.max)
    guard split == nil || ReferenceSet.Share.verdict.digest(of: references) == verdict else {
      throw object.error(
        "the receipt's references are not the verdict's share of those of its search",
        at: object.position)
    }
    guard references != verdict else {
      throw object.error(
        "the receipt names one set as that of the search and that of the verdict",
        at: object.position)
    }
  }
}
