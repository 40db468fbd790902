import Graph
import ModelFixtures
import StrictJSON
import TestSupport
import Testing
import Weights

@testable import Gate

/// Flips as receipts list them, and the encoder that ran beside.
struct FlipReceiptTests {
  private static let digest = String(repeating: "0a", count: 32)

  /// Pairs of similarity 0.8 and 0.6; the first crosses.
  private func judge(threshold: Double = 0.8002) throws -> Verdict {
    try Gate(
      on: references([
        pairLine([1, 0], [0.6, 0.8]), pairLine([1, 0], [0.8, 0.6]),
        pairLine([0, 1], [0.8, 0.6]),
      ]), Limits(), threshold: threshold, jobs: 1
    ).judge([denseModel([[1, 0.002], [0, 1]])], against: [denseModel([[1, 0], [0, 1]])])
  }

  private func recorded(_ text: String) throws -> RecordedReceipt {
    try RecordedReceipt(Array(text.utf8), origin: "r.json")
  }

  @Test func toleratedFlipsAreListedWithBothSimilarities() throws {
    let verdict = try judge()
    let receipt = try #require(verdict.receipt)
    #expect(receipt.flips.map(\.line) == [2])
    #expect(
      receipt.json.compact.contains(
        #""flips":[{"after":"0.8004","before":"0.8","line":2}],"limits""#))
    let record = try recorded(receipt.json.compact)
    #expect(record.records(receipt))
    #expect(record.flips.map(\.line) == [2])
    #expect(record.flips.map(\.before) == [0.8])
    #expect(try recorded(record.json.pretty) == record)
    // Without a flip the key is left out.
    let none = try #require(try judge(threshold: -0.9).receipt)
    #expect(!none.json.compact.contains(#""flips":["#))
    #expect(none.flips == [])
  }

  @Test func labelsThatChangeAreListed() throws {
    let verdict = try Gate(
      on: references([
        #"{"input": {"values": [1]}}"#, #"{"input": {"values": [0.4054651]}}"#,
      ]), Limits(), threshold: 0.5995, jobs: 1
    ).judge([denseModel([[0.99]], .binary)], against: [denseModel([[1]], .binary)])
    let receipt = try #require(verdict.receipt)
    #expect(receipt.json.compact.contains(#""flips":[{"after":"0.599","before":"0.6","line":2}]"#))
    #expect(try recorded(receipt.json.compact).records(receipt))
  }

  @Test func aFlipThatRoundsAwayIsStillOne() throws {
    // 0.8 exactly and a little less are one number to four decimals.
    let verdict = try Gate(
      on: references([
        pairLine([1, 0], [0.8, 0.6]), pairLine([0, 1], [0.8, 0.6]),
      ]), Limits(), threshold: 0.799999, jobs: 1
    ).judge([denseModel([[1, -0.00001], [0, 1]])], against: [denseModel([[1, 0], [0, 1]])])
    let receipt = try #require(verdict.receipt)
    #expect(receipt.flips.count == 1)
    #expect(try recorded(receipt.json.compact).records(receipt))
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let old: String
    let new: String
    let fault: String
    var testDescription: String { new }
  }

  /// A sound receipt of two encoders with a flip.
  private static let sound =
    #"{"architecture":"clip","baseline":{"files":{},"sha256":"\#(digest)"},"#
    + #""candidate":{"files":{"tokenizer.json":"\#(digest)"},"sha256":"\#(digest)"},"#
    + #""flips":[{"after":"0.3461","before":"0.3508","line":2},"#
    + #"{"after":"0.35","before":"0.35","line":5}],"#
    + #""limits":{"cosineMean":"0.99","cosineMin":"0.97","neighbourOverlap":"0.9","#
    + #""profile":"standard","similarityDriftMax":"0.05","similarityDriftMean":"0.01"},"#
    + #""metrics":{"cosine":{"mean":"0.9999","min":"0.98","p1":"0.99"},"flips":2,"inputs":12,"#
    + #""neighbourOverlap":"1","normDrift":"0","pairs":6,"similarityDrift":{"max":"0.0047","#
    + #""mean":"0.001"},"topOneAgreement":"0.95"},"#
    + #""partner":{"baseline":{"files":{},"sha256":"\#(digest)"},"#
    + #""candidate":{"files":{},"sha256":"\#(digest)"},"encoder":"image"},"#
    + #""references":{"sha256":"\#(digest)"},"schemaVersion":1,"threshold":"0.35","warnings":[]}"#

  @Test func aSoundReceiptIsReadAndWrittenAgain() throws {
    let record = try recorded(Self.sound)
    #expect(record.json.compact == Self.sound)
    #expect(record.encoder == .text)
    #expect(record.partner?.encoder == .image)
    #expect(record.flips.map(\.line) == [2, 5])
  }

  @Test(arguments: [
    Case(
      old: #""flips":2"#, new: #""flips":1"#, fault: "the metrics count 1 flip, 2 are listed"),
    Case(
      old: #""flips":2"#, new: #""flips":3"#, fault: "the metrics count 3 flips, 2 are listed"),
    Case(
      old: #""flips":[{"after":"0.3461","before":"0.3508","line":2},"#
        + #"{"after":"0.35","before":"0.35","line":5}],"#, new: "",
      fault: "the metrics count 2 flips, 0 are listed"),
    Case(
      old: #"{"after":"0.3461","before":"0.3508","line":2},"#
        + #"{"after":"0.35","before":"0.35","line":5}"#, new: "",
      fault: "'flips' is empty; without flips there is no such key"),
    Case(
      old: #""line":5"#, new: #""line":2"#,
      fault: "a flip of line 2 comes behind one of line 2"),
    Case(
      old: #""line":2"#, new: #""line":9"#,
      fault: "a flip of line 5 comes behind one of line 9"),
    Case(
      old: #""line":2"#, new: #""line":0"#, fault: "'line' is the number 0, expected 1...20000"),
    Case(
      old: #""line":5"#, new: #""line":20001"#,
      fault: "'line' is the number 20001, expected 1...20000"),
    Case(
      old: #""after":"0.3461""#, new: #""after":"0.3561""#,
      fault: "line 2 flips from 0.3508 to 0.3561, which does not cross 0.35"),
    Case(
      old: #""after":"0.3461""#, new: #""after":"0.34610""#,
      fault: #"'after' is "0.34610", expected a decimal in its shortest form"#),
    Case(
      old: #""after":"0.3461""#, new: #""after":"0.34612""#,
      fault: "'after' has more than 4 decimals"),
    Case(
      old: #""after":"0.3461""#, new: #""after":0.3461"#,
      fault: "'after' is the number 0.3461, expected a string"),
    Case(
      old: #""after":"0.3461""#, new: #""after":"-1.1""#,
      fault: "line 2 flips between similarities outside -1...1"),
    Case(
      old: #""before":"0.3508""#, new: #""before":"0.3602""#,
      fault: "line 2 flips from 0.3602, farther from 0.35 than 0.01, which is refused"),
    Case(
      old: #""line":2}"#, new: #""line":2,"text":"x"}"#,
      fault: "unknown key 'text'; known here: line, before, after"),
    Case(old: #","line":2}"#, new: "}", fault: "the key 'line' is missing"),
    Case(
      old: #""flips":[{"#, new: #""flips":[1,{"#,
      fault: "'flips' holds the number 1, expected objects"),
    Case(old: #""pairs":6"#, new: #""pairs":1"#, fault: "2 flips of 1 pair"),
    Case(
      old: #""threshold":"0.35","#, new: "", fault: "a pair flips, but there is no threshold"),
    Case(
      old: #""encoder":"image""#, new: #""encoder":"audio""#,
      fault: #"'encoder' is the string "audio", expected image or text"#),
    Case(
      old: #","encoder":"image""#, new: "", fault: "the key 'encoder' is missing"),
    Case(
      old: #""encoder":"image""#, new: #""encoder":"image","more":1"#,
      fault: "unknown key 'more'; known here: encoder, baseline, candidate"),
    Case(
      old: #""partner":{"baseline":{"files":{},"sha256":"0a"#,
      new: #""partner":{"baseline":{"files":{},"sha256":"0A"#,
      fault: "expected 64 lower-case hexadecimal digits"),
    Case(
      old: #""partner":{"baseline":{"files":{},"#, new: #""partner":{"baseline":{"#,
      fault: "the key 'files' is missing"),
  ])
  func onlyWhatWouldBeWrittenIsRead(_ test: Case) throws {
    let parts = Self.sound.split(
      separator: test.old, maxSplits: 1, omittingEmptySubsequences: false)
    try #require(parts.count == 2)
    let fault = refusal { _ = try recorded(parts[0] + test.new + parts[1]) }
    #expect(fault.hasPrefix("r.json:1:"))
    #expect(fault.hasSuffix(test.fault), "\(fault)")
  }
}
