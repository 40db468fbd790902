import Evaluation
import Graph
import Testing
import Weights

@testable import Calibration

@Suite struct DropOverlapTests {
  private static let pairs = [#"{"a": "one", "b": "two"}"#, #"{"a": "three", "b": "two"}"#]
  private static let texts = ModelInput.tokens(maximumLength: 8, vocabulary: 10)

  @Test func sharedInputsAreLeftOut() throws {
    let lines = [#""four""#, #""two""#, #"{"text": "five"}"#, #""one""#]
    let set = try calibration(lines)
    let (rest, dropped) = try set.besides(
      try references(Self.pairs), .dropped, for: Self.texts)
    #expect(dropped == 2)
    #expect(rest.inputs == [.text("four"), .text("five")])
    #expect(rest.lines == [1, 3])
    // The record names the file, and how many of it were used.
    #expect(rest.digest == ContentDigest(of: Array(lines.joined(separator: "\n").utf8)))
    #expect(
      message { _ = try set.besides(try references(Self.pairs), .refused, for: Self.texts) }
        .hasPrefix("lines.jsonl:2: \"two\" is an input of the reference set (refs.jsonl:1) too; 2"))
  }

  @Test func aSetThatSharesNothingStays() throws {
    let set = try calibration([#""four""#])
    let (rest, dropped) = try set.besides(
      try references(Self.pairs), .dropped, for: Self.texts)
    #expect(dropped == 0)
    #expect(rest.inputs == set.inputs)
  }

  @Test func nothingLeftIsAnError() throws {
    let set = try calibration([#""two""#, #""one""#])
    let fault = message {
      _ = try set.besides(try references(Self.pairs), .dropped, for: Self.texts)
    }
    #expect(
      fault
        == "lines.jsonl: every input is one of the reference set 'refs.jsonl'; nothing is left to "
        + "calibrate with")
  }

  /// Columns are compared in the model's order, whatever theirs is.
  @Test func columnsAreComparedByName() throws {
    let set = try CalibrationSet(bytes: Array("y,x\n2,1\n4,3\n".utf8), origin: "c.csv")
    let samples = try references([#"{"input": {"values": [1, 2]}}"#])
    let (rest, dropped) = try set.besides(
      samples, .dropped, for: .features(names: ["x", "y"]))
    #expect(dropped == 1)
    #expect(rest.inputs == [.values([3, 4])])
  }
}
