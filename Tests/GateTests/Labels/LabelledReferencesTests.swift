import Graph
import ModelFixtures
import StrictJSON
import TestSupport
import Testing

@testable import Gate
@testable import Inputs

/// True labels of references, and what the gate makes of them. InteropTests compare the figures with those of
/// scikit-learn and numpy.
struct LabelledReferencesTests {
  private func set(_ rows: [String]) throws -> ReferenceSet {
    try ReferenceSet(
      bytes: Array((["x0,y"] + rows).joined(separator: "\n").utf8), origin: "data.csv",
      columns: NamedColumns(label: "y"))
  }

  private func judge(
    _ kind: Kind, _ old: [[Float]], _ new: [[Float]], _ set: ReferenceSet,
    threshold: Double? = nil
  ) throws -> Verdict {
    try Gate(on: set, Limits(), threshold: threshold, jobs: 1).judge(
      [denseModel(new, kind)], against: [denseModel(old, kind)])
  }

  private static let rows = [
    "-4,no", "-3,no", "-2,yes", "-1,no", "1,yes", "2,yes", "3,no", "4,yes", "4,no", "0.5,",
  ]

  @Test func accuracyIsOfEveryLabelledLine() throws {
    let verdict = try judge(.binary, [[1]], [[-1]], set(Self.rows))
    let labels = try #require(verdict.labels)
    #expect(labels.lines == 9)
    // Right on −4, −3, −1, 1, 2 and one of the two lines of 4.
    #expect(labels.accuracy == LabelRecord.Change(baseline: 6.0 / 9, candidate: 3.0 / 9))
    #expect(verdict.refusalLines.isEmpty == false)
    #expect(
      verdict.summaryLines.contains {
        $0.hasPrefix("accuracy: 0.67 → 0.33, calibration error: ")
          && $0.hasSuffix("; on 9 labelled lines")
      }, "\(verdict.summaryLines)")
    guard case .object(let members) = verdict.json else { return }
    #expect(members["labels"] == labels.report)
  }

  /// Libraries give the first label where both are as likely; a threshold that is given is reached.
  @Test(arguments: [Kind.binary, .score])
  func aTieIsTheFirstLabel(_ kind: Kind) throws {
    let rows = (-3...4).map { "\($0),\($0 > 0 ? "yes" : "no")" }
    func accuracy(_ threshold: Double?) throws -> Double? {
      try judge(kind, [[1]], [[1]], set(rows), threshold: threshold).labels?.accuracy.baseline
    }
    #expect(try accuracy(nil) == 1)
    #expect(try accuracy(kind == .binary ? 0.5 : 0) == 7.0 / 8)
  }

  @Test func scoresHaveNoCalibration() throws {
    let verdict = try judge(.score, [[1]], [[1]], set(Self.rows))
    #expect(verdict.labels?.accuracy.baseline == 6.0 / 9)
    #expect(verdict.labels?.calibrationError == nil)
  }

  /// A bin holds its upper bound: 0.2 = 3 ÷ 15 is in the third, and certainty in the last.
  @Test func calibrationIsMeasuredInFifteenBins() {
    #expect(CalibrationError.expected([], isRight: []) == 0)
    #expect(CalibrationError.expected([1, 1], isRight: [true, true]) == 0)
    #expect(CalibrationError.expected([1, 1, 1, 1], isRight: [true, false, true, false]) == 0.5)
    let apart = CalibrationError.expected([0.7, 0.9], isRight: [false, true])
    #expect((apart - (0.7 + 0.1) / 2).magnitude < 1e-12)
    // In one bin a right decision and a wrong one make up for each other.
    let together = CalibrationError.expected([0.61, 0.65], isRight: [false, true])
    #expect((together - (1.26 - 1) / 2).magnitude < 1e-12)
    let edge = CalibrationError.expected([0.2, 0.15], isRight: [true, false])
    #expect((edge - (1 - 0.35) / 2).magnitude < 1e-12)
  }

  @Test func flipsAreCountedByClass() throws {
    let rows = ["[1, 0]", "[2, 0]", "[0, 1]", "[0, 2]", "[0, 3]"]
    let set = try references(rows.map { #"{"input": {"values": \#($0)}}"# })
    let verdict = try judge(
      .softmax, [[2, 0], [0, 2], [-1, -1]], [[2, 0], [2, 0], [1, 3]], set)
    #expect(verdict.metrics?.flips == 3)
    #expect(
      verdict.classes == [
        ClassFlips(label: "label0", words: "'label0'", inputs: 2, to: []),
        ClassFlips(
          label: "label1", words: "'label1'", inputs: 3,
          to: [ClassFlips.Target(label: "label2", words: "'label2'", count: 3)]),
        ClassFlips(label: "label2", words: "'label2'", inputs: 0, to: []),
      ])
    #expect(
      verdict.summaryLines.contains("flips by class: 'label1' 3 of 3 (3 to 'label2')"),
      "\(verdict.summaryLines)")
    #expect(verdict.labels == nil)
  }

  @Test func whatIsNoLabelIsAnErrorWithItsLine() throws {
    #expect(
      refusal { _ = try judge(.binary, [[1]], [[1]], set(["1,yes", "2,maybe"])) }
        == "data.csv:3: the label is 'maybe', the model gives 'no', 'yes'")
    #expect(
      refusal { _ = try judge(.numbers, [[1]], [[1]], set(["1,yes", "2,no"])) }
        == "data.csv: holds true labels (line 2); they are for classifiers, and the model gives "
        + "1 number")
  }

  /// Whole numbers are labels as pandas writes them, too.
  @Test func wholeNumbersAreLabels() {
    let numbers = LabelPlaces(.integers([7, 3]))
    #expect(numbers["3"] == 1)
    #expect(numbers["7.0"] == 0)
    #expect(numbers["7.5"] == nil)
    #expect(numbers["yes"] == nil)
    let texts = LabelPlaces(.texts(["1", "é"]))
    #expect(texts["1"] == 0)
    #expect(texts["1.0"] == nil)
    #expect(texts["e\u{301}"] == nil)
  }

  @Test func theReceiptHoldsThemAndReadsBack() throws {
    let verdict = try judge(.binary, [[1]], [[1.001]], set(Self.rows))
    let receipt = try #require(verdict.receipt)
    let text = receipt.json.compact
    #expect(text.contains(#""labels":{"accuracy":{"baseline":"0.6667","candidate":"0.6667"},"#))
    let read = try RecordedReceipt(Array(text.utf8), origin: "r.json")
    #expect(read.records(receipt))
    #expect(read.labels?.lines == 9)
    func fault(_ old: String, _ new: String) -> String {
      refusal {
        _ = try RecordedReceipt(Array(text.replacing(old, with: new).utf8), origin: "r.json")
      }
    }
    #expect(fault(#""lines":9"#, #""lines":0"#).contains("'lines' is"))
    #expect(fault("0.6667", "1.6667").contains("expected a number from 0 to 1"))
  }

  /// Classes that lost inputs are in the receipt, and add up to its flips.
  @Test func theReceiptHasFlipsByClass() throws {
    // One of three inputs that are 'no' is so near to the decision that its flip is tolerated.
    let rows = (1...9).map { "[\($0), \($0)]" } + ["[-1, -1]", "[-2, -2]", "[1, -1.0005]"]
    let set = try references(rows.map { #"{"input": {"values": \#($0)}}"# })
    let verdict = try judge(.binary, [[1, 1]], [[1, 1]], set)
    let receipt = try #require(verdict.receipt)
    #expect(receipt.metrics.flips == 0 && receipt.classes.isEmpty)
    #expect(!receipt.json.compact.contains(#""classes""#))
    let flipped = try #require(try judge(.binary, [[1, 1]], [[1.001, 1]], set).receipt)
    let text = flipped.json.compact
    let list = #"[{"flips":1,"inputs":3,"label":"no","to":[{"count":1,"label":"yes"}]}]"#
    #expect(text.contains(#""classes":\#(list)"#), "\(text)")
    let read = try RecordedReceipt(Array(text.utf8), origin: "r.json")
    #expect(read.records(flipped) && read.classes.map(\.label) == ["no"])
    func fault(_ old: String, _ new: String) -> String {
      #expect(text.contains(old))
      return refusal {
        _ = try RecordedReceipt(Array(text.replacing(old, with: new).utf8), origin: "r.json")
      }
    }
    #expect(fault(#""count":1"#, #""count":2"#).contains("is not what 'to' adds up to"))
    #expect(fault(#""label":"yes""#, #""label":"no""#).contains("to the class 'no' twice"))
    #expect(
      fault(#""flips":1,"inputs":3"#, #""flips":2,"inputs":3"#).contains("adds up to"))
    let two = fault(
      #""flips":1,"inputs":3,"label":"no","to":[{"count":1"#,
      #""flips":2,"inputs":3,"label":"no","to":[{"count":2"#)
    #expect(two.contains("the metrics count 1 flip, its classes 2"), "\(two)")
    #expect(fault(list, "[]").contains("'classes' is empty"))
  }

  @Test func aRecordOfOtherLinesIsNotRecalled() throws {
    let (old, new) = (try denseModel([[1]], .binary), try denseModel([[1.001]], .binary))
    let labelled = try set(Self.rows)
    let receipt = try #require(
      try Gate(on: labelled, Limits(), threshold: nil, jobs: 1).judge([new], against: [old]).receipt
    )
    let record = try RecordedReceipt(Array(receipt.json.compact.utf8), origin: "r.json")
    func recalls(_ set: ReferenceSet) throws -> Bool {
      try Gate.recall(
        [record], baseline: [old], candidate: [new], references: set, limits: Limits(),
        threshold: nil) != nil
    }
    #expect(try recalls(labelled))
    // The same bytes, whose labels are passed over.
    let bytes = Array((["x0,y"] + Self.rows).joined(separator: "\n").utf8)
    #expect(
      try !recalls(
        ReferenceSet(bytes: bytes, origin: "data.csv", columns: NamedColumns(ignored: ["y"]))))
  }
}
