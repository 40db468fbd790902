import Graph
import ModelFixtures
import StrictJSON
import TestSupport
import Testing
import Weights

@testable import Gate
@testable import Inputs

/// What a receipt says of the search that found its model.
struct SearchReceiptTests {
  private let whole: ReferenceSet
  private let own: ReferenceSet
  private let old: Model
  private let new: Model

  init() throws {
    func set(_ start: Int, _ name: String) throws -> ReferenceSet {
      let lines = (start..<start + 60).map { #"{"input": {"values": [\#($0)]}}"# + "\n" }
      return try ReferenceSet(bytes: Array(lines.joined().utf8), origin: name)
    }
    (whole, own) = (try set(0, "pairs.jsonl"), try set(100, "own.jsonl"))
    (old, new) = (try denseModel([[0.01]], .binary), try denseModel([[0.0101]], .binary))
  }

  private func receipt(_ shares: ReferenceShares) throws -> DriftReceipt {
    let verdict = try Gate(on: shares.verdict, Limits(), threshold: nil, jobs: 1)
      .after(searchOn: shares, searched: 3, judged: 2).judge([new], against: [old])
    return try #require(verdict.receipt)
  }

  private func recorded(_ text: String) throws -> RecordedReceipt {
    try RecordedReceipt(Array(text.utf8), origin: "r.json")
  }

  @Test func itNamesTheSetTheRuleAndTheCandidates() throws {
    let shares = try ReferenceShares(cutting: whole, seenBy: [], jobs: 1)
    let receipt = try receipt(shares)
    #expect(receipt.references == shares.verdict.digest)
    let lines = (shares.search.content.count, shares.verdict.content.count)
    #expect(lines.0 + lines.1 == 60)
    #expect(
      receipt.json.compact.contains(
        #""search":{"references":{"sha256":"\#(whole.digest.hex)"},"searchCandidates":3,"#
          + #""searchLines":\#(lines.0),"split":1,"verdictCandidates":2,"verdictLines":\#(lines.1)}"#
      ))
    let recorded = try recorded(receipt.json.compact)
    #expect(recorded.records(receipt))
    #expect(
      recorded.search?.words
        == "searched: verdict on \(lines.1) of 60 lines, which the search did not see; "
        + "2 candidates judged on them, 3 on the others")
  }

  @Test func aSetOfItsOwnHasNoRule() throws {
    let shares = try ReferenceShares(search: whole, verdict: own, seenBy: [], jobs: 1)
    let receipt = try receipt(shares)
    #expect(receipt.references == own.digest)
    #expect(receipt.search?.split == nil && receipt.search?.references == whole.digest)
    #expect(try recorded(receipt.json.compact).records(receipt))
    #expect(
      receipt.search?.words
        == "searched: verdict on 60 lines of its own, which the search did not see; "
        + "2 candidates judged on them, 3 on the others")
  }

  /// The share that proves gives no receipt that hides the search.
  @Test func theVerdictsShareAloneGivesNoReceipt() throws {
    let share = try whole.shares(seenBy: [], jobs: 1).verdict
    let verdict = try Gate(on: share, Limits(), threshold: nil, jobs: 1)
      .judge([new], against: [old])
    #expect(verdict.receipts.isEmpty && !verdict.isPassed)
  }

  @Test(arguments: [
    (#""split":1"#, #""split":2"#, "'split' is the number 2"),
    (#""split":1,"#, "", "one set"),
    (#""verdictCandidates":2"#, #""verdictCandidates":0"#, "'verdictCandidates' is the number 0"),
    (#""searchCandidates":3,"#, "", "'searchCandidates'"),
    (#""searchCandidates":3"#, #""searchCandidates":3,"seed":1"#, "'seed'"),
    (#""searchLines":"#, #""searchLines":0,"x":"#, "x"),
  ])
  func onlyTheWrittenFormIsRead(_ old: String, _ new: String, _ words: String) throws {
    var text = try receipt(try ReferenceShares(cutting: whole, seenBy: [], jobs: 1)).json.compact
    if words == "one set" {
      let shares = try ReferenceShares(cutting: whole, seenBy: [], jobs: 1)
      text = text.replacing(whole.digest.hex, with: shares.verdict.digest.hex)
    }
    #expect(text.contains(old))
    let fault = message { _ = try recorded(text.replacing(old, with: new)) } ?? "none"
    #expect(fault.contains(words), "\(fault)")
  }

  @Test func anotherSetIsNotTheVerdictsShare() throws {
    let text = try receipt(try ReferenceShares(cutting: whole, seenBy: [], jobs: 1)).json.compact
      .replacing(whole.digest.hex, with: own.digest.hex)
    #expect(
      message { _ = try recorded(text) }?.contains(
        "the receipt's references are not the verdict's share of those of its search") == true)
  }

  @Test func onlyTheSameSearchIsRecalled() throws {
    let shares = try ReferenceShares(cutting: whole, seenBy: [], jobs: 1)
    let record = try recorded(try receipt(shares).json.compact)
    func recall(
      _ record: RecordedReceipt, _ references: ReferenceSet, _ shares: ReferenceShares?
    ) throws -> [DriftReceipt]? {
      try Gate.recall(
        [record], baseline: [old], candidate: [new], references: references, searchedOn: shares,
        limits: try Limits(), threshold: nil)
    }
    let found = try #require(try recall(record, shares.verdict, shares))
    #expect(record.records(found[0]))
    #expect(try recall(record, shares.verdict, nil) == nil)
    #expect(try recall(record, whole, nil) == nil)
    let others = try ReferenceShares(
      search: own, verdict: shares.verdict, seenBy: [], jobs: 1)
    #expect(try recall(record, shares.verdict, others) == nil)
    let plain = try #require(
      try Gate(on: whole, Limits(), threshold: nil, jobs: 1).judge([new], against: [old]).receipt)
    #expect(try recall(try recorded(plain.json.compact), whole, shares) == nil)
  }
}
