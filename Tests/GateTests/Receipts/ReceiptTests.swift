import Graph
import ModelFixtures
import StrictJSON
import TestSupport
import Testing
import Weights

@testable import Gate
@testable import Inputs

struct ReceiptTests {
  private static let digest = String(repeating: "0a", count: 32)

  private func receipt(threshold: Double? = nil) throws -> DriftReceipt {
    var weight = GateTests.weight
    weight[0][0] = 1.001
    let verdict = try Gate(
      on: GateTests.references(7, more: #", "similarity": 1"#),
      Limits(profile: .strict, overrides: ["cosineMin": 0.5]), threshold: threshold, jobs: 1
    ).judge([denseModel(weight)], against: [denseModel(GateTests.weight)])
    return try #require(verdict.receipt)
  }

  private static func samples() throws -> ReferenceSet {
    try references([#"{"input": {"values": [1]}}"#, #"{"input": {"values": [2]}}"#])
  }

  private func sampleReceipt() throws -> DriftReceipt {
    let model = try denseModel([[1]], .binary)
    let verdict = try Gate(on: Self.samples(), Limits(), threshold: nil, jobs: 1).judge(
      [model], against: [model])
    return try #require(verdict.receipt)
  }

  private func recorded(_ text: String) throws -> RecordedReceipt {
    try RecordedReceipt(Array(text.utf8), origin: "r.json")
  }

  @Test func theTextOfAReceipt() throws {
    let model = try denseModel([[1]], .binary)
    let set = try Self.samples()
    let file = try #require(try model.files.bytes(of: "model.json"))
    #expect(
      try sampleReceipt().json.compact
        == #"{"architecture":"dense","#
        + #""baseline":{"files":{"model.json":"\#(ContentDigest(of: file).hex)"},"#
        + #""sha256":"\#(model.digest.hex)"},"#
        + #""candidate":{"files":{"model.json":"\#(ContentDigest(of: file).hex)"},"#
        + #""sha256":"\#(model.digest.hex)"},"#
        + #""limits":{"cosineMean":"0.99","cosineMin":"0.97","neighbourOverlap":"0.9","#
        + #""profile":"standard","similarityDriftMax":"0.05","similarityDriftMean":"0.01"},"#
        + #""metrics":{"distinct":{"inputs":2,"pairs":0},"flips":0,"inputs":2,"#
        + #""outputDrift":{"max":"0","mean":"0"},"pairs":0},"#
        + #""references":{"sha256":"\#(set.digest.hex)"},"schemaVersion":1,"#
        + #""warnings":["baseline and candidate are the same bytes: a model was judged by itself","#
        + #""the reference set has only 2 samples; fewer than 8 say little"]}"#)
  }

  @Test func noReceiptHoldsAFloat() throws {
    func check(_ value: JSONValue) {
      switch value {
      case .double: Issue.record("a receipt holds a float")
      case .array(let elements): elements.forEach(check)
      case .object(let members): members.values.forEach(check)
      default: break
      }
    }
    check(try receipt(threshold: 0.123456789).json)
    check(try sampleReceipt().json)
  }

  @Test func receiptsAreReadBackAsWritten() throws {
    for receipt in [try receipt(), try receipt(threshold: 0.99), try sampleReceipt()] {
      for text in [receipt.json.compact, receipt.json.pretty] {
        let recorded = try recorded(text)
        #expect(recorded.json == receipt.json)
        #expect(recorded.records(receipt))
        #expect(recorded.candidate == receipt.candidate)
        #expect(recorded.baseline == receipt.baseline)
        #expect(recorded.references == receipt.references)
        #expect(recorded.limits == receipt.limits)
        #expect(recorded.threshold == receipt.threshold)
        #expect(recorded.warnings == receipt.warnings)
      }
    }
    #expect(!(try recorded(try receipt().json.compact).records(try sampleReceipt())))
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let old: String
    let new: String
    let fault: String
    var testDescription: String { new }
  }

  @Test(arguments: [
    Case(
      old: #""schemaVersion":1"#, new: #""schemaVersion":2"#,
      fault: "'schemaVersion' is the number 2, expected 1...1"),
    Case(
      old: #""flips":0"#, new: #""flips":-1"#,
      fault: "'flips' is the number -1, expected 0...9223372036854775807"),
    Case(
      old: #""flips":0,"inputs":2"#, new: #""flips":0,"inputs":0"#,
      fault: "'inputs' is the number 0, expected 1...9223372036854775807"),
    Case(
      old: #""distinct":{"inputs":2"#, new: #""distinct":{"inputs":3"#,
      fault: "'inputs' is the number 3, expected 1...2"),
    Case(
      old: #""distinct":{"inputs":2,"pairs":0}"#, new: #""distinct":{"inputs":2,"pairs":1}"#,
      fault: "'pairs' is the number 1, expected 0...0"),
    Case(
      old: #""distinct":{"#, new: #""distinct":{"lines":2,"#,
      fault: "unknown key 'lines'; known here: inputs, pairs"),
    Case(
      old: #""mean":"0""#, new: #""mean":"0.02""#,
      fault: "the receipt says that its model passed, but output drift mean 0.02 is above 0.01 "
        + "(standard)"),
    Case(
      old: #""mean":"0""#, new: #""mean":"0.0""#,
      fault: #"'mean' is "0.0", expected a decimal in its shortest form"#),
    Case(
      old: #""mean":"0""#, new: #""mean":"1e-5""#,
      fault: #"'mean' is "1e-5", expected a decimal in its shortest form"#),
    Case(
      old: #""mean":"0""#, new: #""mean":"nan""#,
      fault: #"'mean' is "nan", expected a decimal in its shortest form"#),
    Case(
      old: #""mean":"0""#, new: #""mean":"0.00001""#, fault: "'mean' has more than 4 decimals"),
    Case(
      old: #""mean":"0""#, new: #""mean":0"#, fault: "'mean' is the number 0, expected a string"),
    Case(
      old: #""similarityDriftMean":"0.01""#, new: #""similarityDriftMean":"3""#,
      fault: "the limit 'similarityDriftMean' is 3, expected a number from 0 to 2"),
    Case(
      old: #""profile":"standard""#, new: #""profile":"none""#,
      fault: #"'profile' is the string "none", expected strict, standard, lenient"#),
    Case(
      old: #""cosineMin":"0.97","#, new: "", fault: "the key 'cosineMin' is missing"),
    Case(
      old: #""warnings":["#, new: #""warnings":[1,"#,
      fault: "'warnings' holds the number 1, expected strings"),
    Case(
      old: #""architecture":"dense""#, new: #""architecture":"dense","more":1"#,
      fault: "unknown key 'more'; known here: schemaVersion, architecture, baseline, "
        + "calibration, candidate, classes, coverage, knownOutputs, labels, partner, references, limits, metrics, flips, "
        + "search, sourceCheck, threshold, vocabulary, warnings"
    ),
    Case(
      old: #""outputDrift""#, new: #""cosine":1,"outputDrift""#,
      fault: "unknown key 'cosine'; known here: distinct, flips, inputs, pairs, outputDrift"),
    Case(
      old: #""baseline":{"#, new: #""baseline":{"more":1,"#,
      fault: "unknown key 'more'; known here: sha256, files"),
    Case(
      old: #""baseline":{"files":{"#, new: #""baseline":{"file":{"#,
      fault: "unknown key 'file'; known here: sha256, files"),
    Case(
      old: #""files":{"#,
      new: #""files":{"\u00e9":"\#(digest)","e\u0301":"\#(digest)","#,
      fault: "'e\u{301}' and another path differ in their Unicode form only"),
    Case(
      old: #""baseline":{"#,
      new: #""calibration":{"inputs":0,"sha256":"\#(digest)"},"baseline":{"#,
      fault: "'inputs' is the number 0, expected 1...9223372036854775807"),
    Case(
      old: #""baseline":{"#, new: #""calibration":{"sha256":"\#(digest)"},"baseline":{"#,
      fault: "the key 'inputs' is missing"),
    Case(
      old: #""baseline":{"#,
      new: #""calibration":{"inputs":1,"more":2,"sha256":"\#(digest)"},"baseline":{"#,
      fault: "unknown key 'more'; known here: sha256, inputs"),
    Case(
      old: #""references":{"sha256":""#, new: #""references":{"sha256":"A"#,
      fault: "expected 64 lower-case hexadecimal digits"),
  ])
  func onlyWhatWouldBeWrittenIsRead(_ test: Case) throws {
    let text = try sampleReceipt().json.compact
    let parts = text.split(separator: test.old, maxSplits: 1, omittingEmptySubsequences: false)
    try #require(parts.count == 2)
    let fault = refusal { _ = try recorded(parts[0] + test.new + parts[1]) }
    #expect(fault.hasPrefix("r.json:1:"))
    #expect(fault.hasSuffix(test.fault))
  }

  /// Receipts of before distinct inputs were counted say nothing of them.
  @Test func aReceiptWithoutDistinctInputsIsStillRead() throws {
    let text = try sampleReceipt().json.compact
    let old = text.replacing(#""distinct":{"inputs":2,"pairs":0},"#, with: "")
    #expect(old != text)
    let record = try recorded(old)
    #expect(record.json.compact == old)
    #expect(!record.metrics.countsDistinct)
  }

  @Test func metricsAreRecordedToFourDecimals() throws {
    let metrics = LimitsTests.metrics(mean: 0.999949, min: 0.99995, drift: 1.0 / 3)
    let json = metrics.json { .string(Figures.recorded($0)) }.compact
    #expect(json.contains(#""cosine":{"mean":"0.9999","min":"1","p1":"0.996"}"#))
    #expect(json.contains(#""similarityDrift":{"max":"0.02","mean":"0.3333"}"#))
  }
}
