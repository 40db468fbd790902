import ModelFixtures
import StrictJSON
import TestSupport
import Testing

@testable import Gate
@testable import Inputs

/// The limit of the rise of the expected calibration error.
struct CalibrationLimitTests {
  /// Inputs of one feature with true labels: a model of weight 1 is right on all but one.
  private static let rows = [
    "-4,no", "-3,no", "-2,no", "-1,no", "1,yes", "2,yes", "3,yes", "4,yes", "0.5,no", "-0.5,yes",
  ]

  private func set(_ rows: [String], labelled: Bool = true) throws -> ReferenceSet {
    try ReferenceSet(
      bytes: Array((["x0,y"] + rows).joined(separator: "\n").utf8), origin: "data.csv",
      columns: labelled ? NamedColumns(label: "y") : NamedColumns(ignored: ["y"]))
  }

  /// Limits that nothing but calibration can miss.
  private func limits(_ rise: Double?) throws -> Limits {
    var overrides = ["similarityDriftMean": 2.0, "similarityDriftMax": 2]
    overrides["calibrationError"] = rise
    return try Limits(overrides: overrides)
  }

  private func judge(
    _ old: Float, _ new: Float, rise: Double?, _ kind: Kind = .binary, labelled: Bool = true
  ) throws -> Verdict {
    try Gate(on: set(Self.rows, labelled: labelled), limits(rise), threshold: nil, jobs: 1).judge(
      [denseModel([[new]], kind)], against: [denseModel([[old]], kind)])
  }

  @Test func aRiseAboveItIsRefusedAndOneUpToItPasses() throws {
    let free = try judge(1, 0.2, rise: nil)
    let record = try #require(free.labels?.calibrationError)
    #expect(free.isPassed && record.rise > 0.05, "\(record)")
    #expect(free.metrics?.calibrationRise == nil)
    let at = try judge(1, 0.2, rise: record.rise)
    #expect(at.isPassed, "\(at.reasons)")
    #expect(at.metrics?.calibrationRise == record.rise)
    let below = try judge(1, 0.2, rise: record.rise.nextDown)
    #expect(!below.isPassed)
    #expect(
      below.reasons.first?.hasPrefix("rise of calibration error 0.") == true, "\(below.reasons)")
    #expect(below.reasons.first?.hasSuffix(" (standard, overridden)") == true, "\(below.reasons)")
    #expect(below.labels?.calibrationError == record)
    #expect(below.receipt == nil)
  }

  /// What is better calibrated keeps a limit of 0.
  @Test func aFallIsAllowed() throws {
    let found = try judge(0.2, 1, rise: 0)
    let record = try #require(found.labels?.calibrationError)
    #expect(record.rise < 0)
    #expect(found.isPassed, "\(found.reasons)")
  }

  @Test func itIsSaidWithTheLimits() throws {
    let limits = try Limits(overrides: ["calibrationError": 0.02])
    #expect(limits.words == "standard, tightened: rise of calibration error 0.02")
    #expect(limits.texts["calibrationError"] == "0.02")
    let free = try Limits()
    #expect(free.texts["calibrationError"] == nil)
    #expect(free.weaker(than: limits) == [.calibrationError])
    #expect(limits.weaker(than: free).isEmpty)
    guard case .object(let members) = free.report else { return #expect(Bool(false)) }
    #expect(members["calibrationError"] == nil)
  }

  struct Fault: Sendable, CustomTestStringConvertible {
    let kind: Kind
    let labelled: Bool
    let words: String
    var testDescription: String { words }
  }

  @Test(arguments: [
    Fault(kind: .binary, labelled: false, words: "no line has a true label"),
    Fault(
      kind: .score, labelled: true, words: "the model gives scores, which are no probabilities"),
    Fault(
      kind: .numbers, labelled: false, words: "it is for classifiers, the model gives 1 number"),
  ]) func withoutLabelsAndProbabilitiesItIsAFault(_ fault: Fault) throws {
    #expect(
      refusal { _ = try judge(1, 1, rise: 0.1, fault.kind, labelled: fault.labelled) }
        == "data.csv: the limit 'rise of calibration error 0.1' cannot be judged: \(fault.words)")
  }

  @Test func pairsAreAFaultToo() throws {
    let set = try references([#"{"a": {"values": [1, 2]}, "b": {"values": [2, 1]}}"#])
    let fault = refusal {
      let model = try denseModel([[1, 2], [2, 1]], .embedding)
      _ = try Gate(on: set, limits(0.1), threshold: nil, jobs: 1).judge([model], against: [model])
    }
    #expect(fault.contains("cannot be judged: it is for classifiers"), "\(fault)")
  }

  @Test func theReceiptHoldsItAndIsHeldToIt() throws {
    let rise = try #require(try judge(1, 0.2, rise: nil).labels?.calibrationError).rise
    // A limit just above; the figures of the receipt are rounded one by one.
    let passed = try judge(1, 0.2, rise: rise)
    let receipt = try #require(passed.receipt)
    let text = receipt.json.compact
    #expect(text.contains(#""calibrationError":"\#(Figures.plain(rise))""#), "\(text)")
    let read = try RecordedReceipt(Array(text.utf8), origin: "r.json")
    #expect(read.records(receipt) && read.limits == receipt.limits)
    func fault(_ old: String, _ new: String) -> String {
      refusal {
        _ = try RecordedReceipt(Array(text.replacing(old, with: new).utf8), origin: "r.json")
      }
    }
    let tighter = fault(Figures.plain(rise), "0.0001")
    #expect(
      tighter.contains("says that its model passed, but rise of calibration error 0."), "\(tighter)"
    )
    // Without the figures nothing says that it was kept.
    guard case .object(var members) = receipt.json else { return }
    members["labels"] = nil
    let without = JSONValue.object(members).compact
    let unproven = refusal { _ = try RecordedReceipt(Array(without.utf8), origin: "r.json") }
    #expect(unproven.contains("rise of calibration error is not a number"), "\(unproven)")
  }

  /// Rounding each of two figures does not refuse what kept the limit.
  @Test func roundedFiguresKeepTheLimit() throws {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<2_000 {
      let before = Double.random(in: 0...0.5, using: &generator)
      let after = before + Double.random(in: 0...0.3, using: &generator)
      let limits = try Limits(overrides: ["calibrationError": after - before])
      var metrics = DriftMetrics(
        drift: .outputs(.init(mean: 0, max: 0)), flips: 0, inputs: 9, pairs: 0)
      metrics.calibrationRise = Figures.rounded(after) - Figures.rounded(before)
      #expect(limits.forRecorded.misses(metrics).isEmpty, "\(before) \(after)")
      metrics.calibrationRise = after - before + 0.0003
      #expect(!limits.forRecorded.misses(metrics).isEmpty)
    }
  }
}
