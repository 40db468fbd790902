import Foundation
import Inputs
import TestSupport
import Testing
import Weights

@testable import Calibration

@Suite struct CalibrationSetTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    let lines: [String]
    let inputs: [Input]
    let places: [Int]
    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "texts and strings", lines: [#"{"text": "a"}"#, #""b""#],
      inputs: [.text("a"), .text("b")], places: [1, 2]),
    Case(
      name: "the same input again", lines: [#""a""#, #""b""#, #"{"text": "a"}"#],
      inputs: [.text("a"), .text("b")], places: [1, 2]),
    Case(
      name: "texts that are equal to Unicode only", lines: [#""é""#, #""e\u0301""#],
      inputs: [.text("\u{e9}"), .text("e\u{301}")], places: [1, 2]),
    Case(
      name: "values", lines: [#"{"values": [1, -0.0]}"#, #"{"values": [1, 0]}"#],
      inputs: [.values([1, -0.0]), .values([1, 0])], places: [1, 2]),
    Case(
      name: "pairs of a reference set",
      lines: [
        #"{"a": {"text": "a"}, "b": {"text": "b"}, "similarity": 4}"#,
        #"{"a": {"text": "b"}, "b": {"anyOf": [{"text": "c"}, {"text": "a"}, {"text": "d"}]}}"#,
      ], inputs: [.text("a"), .text("b"), .text("c"), .text("d")], places: [1, 1, 2, 2]),
    Case(
      name: "samples of a reference set",
      lines: [#"{"input": {"values": [1]}, "output": [2]}"#, #"{"input": {"values": [3]}}"#],
      inputs: [.values([1]), .values([3])], places: [1, 2]),
  ]

  @Test(arguments: cases) func reads(_ testCase: Case) throws {
    let set = try calibration(testCase.lines)
    #expect(set.inputs == testCase.inputs)
    #expect(set.lines == testCase.places)
  }

  struct Fault: CustomTestStringConvertible {
    let name: String
    let text: String
    let message: String
    var testDescription: String { name }
  }

  static let faults = [
    Fault(
      name: "an empty file", text: "",
      message: "lines.jsonl:1:1: the calibration set is empty; it says nothing of what a model sees"
    ),
    Fault(
      name: "a blank line", text: "\"a\"\n\n\"b\"", message: "lines.jsonl:2:1: the line is blank"),
    Fault(
      name: "a number", text: "\"a\"\n7",
      message:
        "lines.jsonl:2:1: a line is the number 7, expected a string or an object with 'image', 'text' or "
        + "'values', or a line of a reference set"),
    Fault(
      name: "an unknown key", text: #"{"txt": "a"}"#,
      message: "lines.jsonl:1:9: unknown key 'txt'; known here: a, b, sentence1, sentence2, "
        + "input, image, text, text_pair, values"),
    Fault(
      name: "half a pair", text: #"{"a": {"text": "a"}}"#,
      message: "lines.jsonl:1:1: the key 'b' is missing"),
    Fault(
      name: "an image that is not there", text: "\"a\"\n{\"image\": \"no/such.png\"}",
      message: "lines.jsonl:2:11: no/such.png: cannot open: no such file or directory"),
  ]

  @Test(arguments: faults) func refuses(_ fault: Fault) {
    let found = refusal { _ = try calibration(fault.text.isEmpty ? [] : [fault.text]) }
    #expect(found == fault.message)
  }

  @Test func digestIsThatOfTheFileWithoutImages() throws {
    let set = try calibration([#""a""#, #""b""#])
    #expect(set.digest == ContentDigest(of: Array("\"a\"\n\"b\"".utf8)))
  }

  @Test func digestFollowsTheBytesOfImages() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "calibration-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(#"{"image": "x.png"}"#.utf8).write(to: folder.appending(path: "set.jsonl"))
    func digest(_ bytes: [UInt8]) throws -> ContentDigest {
      try Data(bytes).write(to: folder.appending(path: "x.png"))
      return try CalibrationSet(path: folder.appending(path: "set.jsonl").path).digest
    }
    let first = try digest([1]), second = try digest([2])
    #expect(first != second)
    #expect(try digest([1]) == first)
    let line = Array(#"{"image": "x.png"}"#.utf8)
    let text = "\(ContentDigest(of: line).hex)\n\(ContentDigest(of: [1]).hex)  x.png\n"
    #expect(first == ContentDigest(of: Array(text.utf8)))
  }
}
