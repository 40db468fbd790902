import Foundation
import Inputs
import ModelFixtures
import StrictJSON
import TestSupport
import Testing
import Trees
import Weights

@testable import Gate

/// A finding of the gate is a value first; sentences and JSON are made from it.
struct FindingTests {
  private func turned(
    _ turn: Float, _ profile: Limits.Profile, threshold: Double? = nil
  ) throws -> Verdict {
    try Gate(
      on: references((1...10).map { pairLine([1, 0], [Float($0) / 10, 1]) }),
      Limits(profile: profile), threshold: threshold, jobs: 1
    ).judge([denseModel([[1, turn], [0, 1]])], against: [denseModel([[1, 0], [0, 1]])])
  }

  private func objects(_ key: String, of verdict: Verdict) throws -> [JSONObject] {
    let text = Array(verdict.json.compact.utf8)
    return try JSONParser.parseObject(text, origin: "answer").array(key).compactMap(\.object)
  }

  @Test func aMissedLimitIsAValue() throws {
    let verdict = try turned(0.9, .standard)
    let misses = verdict.refusals.compactMap { reason -> LimitMiss? in
      if case .limit(let miss, let source) = reason, source.profile == .standard {
        miss
      } else {
        nil
      }
    }
    let metrics = try #require(verdict.metrics)
    #expect(misses == verdict.limits.misses(metrics))
    #expect(!misses.isEmpty && verdict.reasons == verdict.refusals.map(\.sentence))
  }

  /// Pairs, inputs and weights keep their names, lines and numbers.
  @Test func whatDriftedMostIsAValue() throws {
    let verdict = try turned(0.9, .standard)
    let pair = try #require(
      verdict.refusals.compactMap { if case .pair(let change) = $0 { change } else { nil } }
        .first)
    #expect((1...10).contains(pair.line) && pair.cause == .unknown && pair.before != pair.after)
    let suspect = try #require(
      verdict.refusals.compactMap { if case .suspect(let weight) = $0 { weight } else { nil } }
        .first)
    #expect(suspect.isCause && suspect.share > 0.5 && suspect.bias == nil)
    #expect(suspect.relativeError > 0)
  }

  @Test func flipsAreValuesRefusedAndTolerated() throws {
    // Of (1, 0) and (0.1, 1) the similarity is 0.0995 before and 0.1386 after.
    let verdict = try turned(0.04, .strict, threshold: 0.1345)
    let flip = try #require(verdict.flips.first)
    #expect(verdict.flips.count == 1)
    guard case .pair(let change, let threshold, let expectation) = flip.decision else {
      Issue.record("no pair: \(flip)")
      return
    }
    #expect(change.line == 1 && threshold == 0.1345 && expectation == nil)
    let found = try objects("flips", of: verdict)
    #expect(try found.map { try $0.integer("line") } == [1])
    #expect(try found.map { try $0.double("margin") } == [flip.margin])
    #expect(try found.map { try $0.bool("tolerated") } == [false])
    #expect(try found.map { try $0.string("sentence") } == [flip.text])
  }

  @Test func warningsAreValues() throws {
    let same = try turned(0, .standard)
    #expect(same.isPassed && same.refusals.isEmpty)
    #expect(same.notices.first == .sameBytes(nil))
    #expect(same.warnings == same.notices.map(\.sentence))
    #expect(same.receipt?.warnings == same.warnings)
  }

  /// `reasons` and `warnings` stay as they were; `findings` has the same, with figures.
  @Test(arguments: [0.9, 0] as [Float])
  func answersCarryTheValuesBesideTheSentences(_ turn: Float) throws {
    let verdict = try turned(turn, .standard)
    let found = try objects("findings", of: verdict)
    #expect(
      try found.map { try $0.string("sentence") } == verdict.reasons + verdict.warnings)
    #expect(
      try found.map { try $0.string("severity") }
        == verdict.reasons.map { _ in "refused" } + verdict.warnings.map { _ in "warning" })
    guard let miss = try found.first(where: { try $0.string("id") == "limit" }) else {
      #expect(verdict.isPassed)
      return
    }
    #expect(try miss.string("profile") == "standard" && !(try miss.bool("overridden")))
    #expect(try miss.double("bound") == verdict.limits[.cosineMean])
    #expect(try miss.double("value") < miss.double("bound"))
  }

  static let rows = RowFinding(
    weight: "w", line: .column, count: 2, compared: 9,
    first: RowDistance(row: 4, error: 0.5, bound: 0.25), typical: 0.125)

  struct Case: Sendable, CustomTestStringConvertible {
    let reason: RefusalReason
    let sentence: String
    let json: String
    var testDescription: String { reason.id.rawValue }
  }

  static let cases = [
    Case(
      reason: .limit(
        LimitMiss(key: .cosineMin, name: "cosine min", value: 0.5, limit: 0.75),
        LimitSource(profile: .standard, isOverridden: true)),
      sentence: "cosine min 0.5 is below 0.75 (standard, overridden)",
      json: #""metric":"cosine min","missedBy":0.25,"overridden":true,"profile":"standard""#),
    Case(
      reason: .outputs(
        .notFinite(
          values: 2, of: 8, inputs: 1, ofInputs: 4, first: NamedInput(label: "\"a\"", line: 3)),
        of: .candidate),
      sentence: "2 of 8 outputs of the candidate are not finite, for 1 of 4 inputs, "
        + "first for \"a\" (line 3)",
      json: #""side":"candidate","values":2"#),
    Case(
      reason: .weights(
        .notFinite("w", .baseline, count: 1, first: .infinity, place: [0, 2])),
      sentence: "the baseline's weight 'w' has 1 value that is not finite, the first (inf) at "
        + "[0, 2]",
      json: #""first":"inf","id":"weight-not-finite","index":[0,2]"#),
    Case(
      reason: .tokens(
        TokenFault(operation: "equal", node: "x", kind: .looksFor(7)), .text),
      sentence: "the candidate's text encoder does not look up the tokens of a text as they are: "
        + "'equal' ('x') looks for the id 7",
      json: #"{"action":"looks-for","encoder":"text","id":"other-tokens","node":"x""#),
    Case(
      reason: .rows(rows),
      sentence: "2 of 9 columns of the candidate's weight 'w' are worse than its compression "
        + "explains, the first column 4: relative error 0.5, where 0.25 is the bound and 0.125 "
        + "typical",
      json: #"{"axis":"column","bound":0.25,"compared":9,"count":2,"first":4,"id":"rows""#),
    Case(
      reason: .pair(
        PairChange(
          a: "x", b: "y", line: 2, before: 0.9, after: 0.4,
          cause: .both([
            .init(encoder: .text, similarity: 0.5), .init(encoder: .image, similarity: 0.8),
          ]))),
      sentence: "x ↔ y: 0.9 → 0.4 (line 2); the text encoder alone: 0.5, the image encoder alone: "
        + "0.8",
      json: #""encoders":[{"encoder":"text","similarity":0.5},{"encoder":"image","#),
    Case(
      reason: .manyWeights(
        [
          WeightShare(first: "a", last: "a", count: 1, share: 0.25),
          WeightShare(first: "b", last: "e", count: 4, share: 0.5),
        ],
        DamageCount.all(
          [DamageKind](repeating: .rounding, count: 24) + [.zeroed, .other, .other])),
      sentence:
        "no single weight makes most of the drift: plain rounding of 24 weights, 2 weights with other "
        + "values, 1 weight zeroed; swapped in alone, 'a' 25 %, the 4 weights from 'b' to 'e' together "
        + "50 %",
      json: #""kinds":[{"count":24,"kind":"rounding"},{"count":2,"kind":"other"},"#
        + #"{"count":1,"kind":"zeroed"}],"#),
    Case(
      reason: .rows(rows(threshold(2011, .nothing), count: 1)),
      sentence:
        "a threshold of the candidate's trees is not the baseline's: feature 'year' in tree 4, node 2: "
        + "2011.0 where the baseline has 2008.5; thresholds stay as they are, bit for bit, unless a recipe "
        + "asks for coarser ones",
      json: #""baseline":2008.5,"bound":0.25,"candidate":2011.0,"#),
    Case(
      reason: .rows(
        rows(threshold(2008.25, .rounding(below: 2008.5, above: 2008.75), turned: 1), count: 1)),
      sentence:
        "a threshold of the candidate's trees is not the baseline's: feature 'year' in tree 4, node 2: "
        + "2008.25 where the baseline has 2008.5, which sends 1 reference another way; in 32 bits it is "
        + "2008.5 or 2008.75, whichever sends all references the same way",
      json: #""below":2008.5,"bound":0.25,"candidate":2008.25,"#),
    Case(
      reason: .rows(
        rows(threshold(2008.25, .rounding(below: 2008.5, above: 2008.5)), count: 1)),
      sentence:
        "a threshold of the candidate's trees is not the baseline's: feature 'year' in tree 4, node 2: "
        + "2008.25 where the baseline has 2008.5; 32 bits hold the baseline's as it is",
      json: #""tree":4,"turned":0,"#),
    Case(
      reason: .rows(
        rows(
          threshold(
            Double(Float(0.1)), .rounding(below: 0.0625, above: Double(Float(0.1))), turned: 2,
            baseline: 0.1), count: 1)),
      sentence:
        "a threshold of the candidate's trees is not the baseline's: feature 'year' in tree 4, node 2: "
        + "0.10000000149011612 where the baseline has 0.1, which sends 2 references another way; in 32 bits "
        + "it is 0.0625 or 0.10000000149011612, whichever sends all references the same way",
      json: #""baseline":0.1,"below":0.0625,"#),
    Case(
      reason: .rows(rows(threshold(2008.6, .coarse("int8", reach: 0.0625)), count: 3)),
      sentence:
        "3 of 40 thresholds of the candidate's trees are not the baseline's, the first of feature 'year' "
        + "in tree 4, node 2: 2008.6 where the baseline has 2008.5; int8 moves it by 0.0625 at most",
      json: #""thresholds":"int8","tree":4,"turned":0,"typical"#),
    Case(
      reason: .rows(
        rows(threshold(2009, .coarse("palettize 4", reach: 1), turned: 2), count: 1)),
      sentence:
        "a threshold of the candidate's trees is not the baseline's: feature 'year' in tree 4, node 2: "
        + "2009.0 where the baseline has 2008.5, which sends 2 references another way; palettize 4 moves "
        + "it by 1 at most",
      json: #""tree":4,"turned":2,"#),
  ]

  /// A branch that asks for categories has them where others have a number.
  @Test func setsOfCategoriesAreNamed() {
    var change = Self.threshold(1, .nothing, baseline: 0)
    change.categories = .init(baseline: ["'lan'", "'wifi'"], candidate: ["'lan'"])
    let reason = RefusalReason.rows(Self.rows(change, count: 1))
    #expect(
      reason.sentence.contains(
        "feature 'year' in tree 4, node 2: the category 'lan' where the baseline has the categories 'lan', "
          + "'wifi'; thresholds stay"), "\(reason.sentence)")
    #expect(
      reason.json.compact.contains(
        #""baseline":["'lan'","'wifi'"],"bound":0.25,"candidate":["'lan'"],"#),
      "\(reason.json.compact)")
    change.categories = .init(baseline: [], candidate: nil)
    #expect(
      RefusalReason.rows(Self.rows(change, count: 1)).sentence.contains(
        "set 1.0, which is not there where the baseline has no category"))
  }

  @Test func treesOfOtherSizesNameBothNumbers() {
    let cases: [(TreeDifference, String, String)] = [
      (
        .features(2, other: 1), "the candidate's trees take 1 number of a row, the baseline's 2",
        #"{"baseline":2,"candidate":1,"what":"features"}"#
      ),
      (
        .outputCount(1, other: 3), "the candidate's trees give 3 numbers, the baseline's 1",
        #"{"baseline":1,"candidate":3,"what":"width"}"#
      ),
      (
        .outputs(tree: 4, 0..<2, other: 2),
        "tree 4 of the candidate adds to output 2, the baseline's to outputs 0 to 1",
        #"{"baseline":[0,1],"candidate":2,"tree":4,"what":"outputs"}"#
      ),
      (
        .outputs(tree: 4, 1..<2, other: 2),
        "tree 4 of the candidate adds to output 2, the baseline's to output 1",
        #"{"baseline":[1],"candidate":2,"tree":4,"what":"outputs"}"#
      ),
    ]
    for (difference, sentence, json) in cases {
      #expect(difference.sentence("x") == sentence)
      #expect(JSONValue.object(difference.members).compact == json)
    }
  }

  private static func rows(_ threshold: ThresholdChange, count: Int) -> RowFinding {
    RowFinding(
      weight: "trees.thresholds", line: .row, count: count, compared: 40,
      first: RowDistance(row: 7, error: 0.5, bound: 0.25), typical: 0, threshold: threshold)
  }

  private static func threshold(
    _ candidate: Double, _ allowed: ThresholdChange.Allowed, turned: Int = 0,
    baseline: Double = 2008.5
  ) -> ThresholdChange {
    ThresholdChange(
      tree: 4, node: 2, feature: "year", baseline: baseline, candidate: candidate, allowed: allowed,
      turned: turned)
  }

  @Test(arguments: cases)
  func aReasonHasASentenceAndFigures(_ test: Case) {
    #expect(test.reason.sentence == test.sentence)
    #expect(test.reason.json.compact.contains(test.json), "\(test.reason.json.compact)")
  }

  /// NaN has no form in JSON.
  @Test func noNumberIsNull() {
    let reason = RefusalReason.length(.nan)
    #expect(reason.json.compact.contains(#""length":null"#))
  }

  /// The page that explains findings has a row for each kind, and for nothing else.
  @Test func everyKindIsDocumented() throws {
    let page = try String(
      contentsOfFile: "\(Program.repository)/specs/formats/receipt.md", encoding: .utf8)
    let table = try #require(
      page.split(separator: "| `id` | figures |").last?.split(separator: "\n\n").first)
    let cells = table.split(separator: "\n").compactMap { $0.split(separator: "|").first }
    let ids = cells.flatMap { $0.matches(of: /`([a-z0-9-]+)`/).map { String($0.1) } }
    #expect(Set(ids) == Set(FindingID.allCases.map(\.rawValue)))
    #expect(Set(ids).count == ids.count)
  }
}
