import Graph
import ModelFixtures
import StrictJSON
import TestSupport
import Testing

@testable import Gate
@testable import Inputs

/// What references of a table cannot tell: categories that they lack, labels of another model, outputs that are
/// certain throughout.
struct TableWarningTests {
  private static let features = """
    [{"name": "city", "kind": "category", "categories": ["a", "b", "c", "d", "e"]},
     {"name": "n"},
     {"name": "net", "kind": "category", "categories": ["no", "wifi"], "encoding": "one-hot"}]
    """

  /// Sentences on features of two kinds of categories; rows as the model takes them.
  private static func unseen(_ rows: [[Float]]) throws -> [String] {
    let text = rows.map { #"{"input": {"values": \#($0)}}"# }.joined(separator: "\n")
    let references = try ReferenceSet(bytes: Array(text.utf8), origin: "r.jsonl")
    let model = try denseModel([[1, 1, 1, 1]], inputs: features)
    let slot = EncoderSlot(
      kind: .values, baseline: model, candidate: nil, inputs: Array(references.inputs.indices),
      isOfSeveral: false)
    return UnseenCategories.all(of: slot, references).map {
      GateWarning.references(.unseenCategories($0)).sentence
    }
  }

  @Test func categoriesWithoutAReferenceAreSaid() throws {
    #expect(
      try Self.unseen([[0, 1, 1, 0], [0, 2, 1, 0]]) == [
        "no reference has 4 of 5 categories of feature 'city' ('b', 'c', 'd', …): what the model makes of "
          + "them was not judged",
        "no reference has 1 of 2 categories of feature 'net' ('wifi'): what the model makes of it was not judged",
      ])
    #expect(
      try Self.unseen([[0, 1, 1, 0], [3, 2, 0, 1], [1, 2, 0, 1]]) == [
        "no reference has 2 of 5 categories of feature 'city' ('c', 'e'): what the model makes of them was not "
          + "judged"
      ])
    #expect(
      try Self.unseen([[0, 1, 1, 0], [1, 1, 0, 1], [2, 1, 1, 0], [3, 1, 1, 0], [4, 1, 1, 0]]) == [])
  }

  /// Rows as apps give them have a code for a feature, however it is encoded.
  @Test func codesAreLookedAt() throws {
    #expect(
      try Self.unseen([[0, 1, 0], [0, 2, 0]]) == Self.unseen([[0, 1, 1, 0], [0, 2, 1, 0]]))
    #expect(
      try Self.unseen([[0, 1, 0], [1, 1, 1], [2, 1, 0], [3, 1, 1], [4, 1, 1]]) == [])
  }

  private func judge(_ kind: Kind, _ weight: Float, _ set: ReferenceSet) throws -> Verdict {
    try Gate(on: set, Limits(), threshold: nil, jobs: 1).judge(
      [denseModel([[weight]], kind)], against: [denseModel([[weight]], kind)])
  }

  private func set(_ rows: [String]) throws -> ReferenceSet {
    try ReferenceSet(
      bytes: Array((["x0,y"] + rows).joined(separator: "\n").utf8), origin: "data.csv",
      columns: NamedColumns(label: "y"))
  }

  /// Four lines on which a weight of 1 decides 'no', and four of 'yes', with these labels.
  private static func rows(_ no: String, _ yes: String) -> [String] {
    (1...4).flatMap { ["-\($0),\(no)", "\($0),\(yes)"] }
  }

  /// The receipt has what the verdict says.
  @Test func labelsOfAnotherModelAreDoubted() throws {
    let words =
      "the baseline gives none of 8 labelled lines its label: are these the labels of this model?"
    let wrong = try judge(.binary, 1, set(Self.rows("yes", "no")))
    #expect(wrong.isPassed)
    #expect(wrong.warnings.filter { $0.contains("label") } == [words])
    #expect(wrong.receipt?.warnings.contains(words) == true)
    let half = try judge(.binary, 1, set(Self.rows("yes", "yes")))
    #expect(!half.warnings.contains { $0.contains("label") })
    let one = try judge(.binary, 1, set(Self.rows("", "") + ["-5,yes"]))
    #expect(
      one.warnings.contains(
        "the baseline gives the one labelled line another label: are these the labels of this model?"
      ))
  }

  @Test func outputsThatAreCertainAreDoubted() throws {
    let set = try set(Self.rows("no", "yes"))
    let words =
      "all probabilities that the baseline gives for 8 inputs are 0 or 1 in 32 bits: drift does not show there; "
      + "add references that lie nearer to a decision"
    let certain = try judge(.binary, 100, set)
    #expect(certain.warnings.contains(words), "\(certain.warnings)")
    #expect(certain.receipt?.warnings.contains(words) == true)
    for (kind, weight) in [(Kind.binary, Float(4)), (.score, 100)] {
      let other = try judge(kind, weight, set)
      #expect(!other.warnings.contains { $0.contains("in 32 bits") }, "\(other.warnings)")
    }
  }

  @Test func programsReadThem() {
    let warnings: [ReferenceWarning] = [
      .unseenCategories(.init(name: "city", count: 2, all: 5, first: ["c", "e"])),
      .wrongLabels(.init(lines: 7)),
      .wrongLabels(.init(lines: 9, right: 1, common: .init(words: "'no'", lines: 6))),
      .swappedLabels(.init(first: "'no'", second: "'yes'", lines: 12, right: 1, rightSwapped: 11)),
      .saturatedOutputs(9),
    ]
    #expect(
      warnings.map(\.id.rawValue) == [
        "unseen-categories", "wrong-labels", "wrong-labels", "swapped-labels", "saturated-outputs",
      ])
    #expect(
      warnings.map { JSONValue.object($0.members).compact } == [
        #"{"categories":5,"count":2,"feature":"city","first":["c","e"]}"#,
        #"{"lines":7,"right":0}"#,
        #"{"common":{"label":"'no'","lines":6},"lines":9,"right":1}"#,
        #"{"labels":["'no'","'yes'"],"lines":12,"right":1,"rightSwapped":11}"#,
        #"{"inputs":9}"#,
      ])
  }
}
