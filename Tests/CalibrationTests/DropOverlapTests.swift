import Graph
import Inputs
import TestSupport
import Testing
import Weights

@testable import Calibration

@Suite struct DropOverlapTests {
  private static let pairs = [#"{"a": "w1", "b": "w2"}"#, #"{"a": "w3", "b": "w2"}"#]

  private func besides(
    _ set: CalibrationSet, _ overlap: CalibrationSet.Overlap = .dropped
  ) throws -> (set: CalibrationSet, dropped: [SharedInput]) {
    try set.besides(
      [try references(Self.pairs)], overlap, for: try TinyBert.model(), runs: true, jobs: 1)
  }

  @Test func sharedInputsAreLeftOut() throws {
    let lines = [#""w4""#, #""w2""#, #"{"text": "w5"}"#, #""w1""#]
    let set = try calibration(lines)
    let (rest, dropped) = try besides(set)
    #expect(dropped.map(\.likeness) == [.written, .written])
    #expect(rest.inputs == [.text("w4"), .text("w5")])
    #expect(rest.lines == [1, 3])
    // The record names the file, and how many of it were used.
    #expect(rest.digest == ContentDigest(of: Array(lines.joined(separator: "\n").utf8)))
    #expect(
      refusal { _ = try besides(set, .refused) }
        .hasPrefix("lines.jsonl:2: \"w2\" is an input of the reference set (refs.jsonl:1) too; 2"))
  }

  @Test func aSetThatSharesNothingStays() throws {
    let set = try calibration([#""w4""#])
    let (rest, dropped) = try besides(set)
    #expect(dropped.isEmpty)
    #expect(rest.inputs == set.inputs)
  }

  @Test func nothingLeftIsAnError() throws {
    let set = try calibration([#""w2""#, #""w1""#])
    let fault = refusal {
      _ = try besides(set)
    }
    #expect(
      fault
        == "lines.jsonl: every input is one of the reference set 'refs.jsonl'; nothing is left to "
        + "calibrate with")
  }

  /// Columns are compared in the model's order, whatever theirs is.
  @Test func columnsAreComparedByName() throws {
    let set = try CalibrationSet(bytes: Array("z,y,x\n3,2,1\n6,5,4\n".utf8), origin: "c.csv")
    let samples = try references([#"{"input": {"values": [1, 2, 3]}}"#])
    let (rest, dropped) = try set.besides(
      [samples], .dropped, for: try denseModel(), runs: true, jobs: 1)
    #expect(dropped.count == 1)
    #expect(rest.inputs == [.values([4, 5, 6])])
  }
}
