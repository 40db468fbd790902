import ModelFixtures
import TestSupport
import Testing
import Weights

@testable import Inputs

struct ReferenceSetTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let lines: [String]
    let fault: String
    var testDescription: String { name }
  }

  static let pair = #"{"a": {"text": "x"}, "b": {"text": "y"}}"#
  static let sample = #"{"input": {"values": [1]}}"#

  @Test(arguments: [
    Case(
      name: "empty file", lines: [],
      fault: "refs.jsonl:1:1: the reference set is empty; a model cannot be judged on nothing"),
    Case(name: "blank line", lines: [pair, "", pair], fault: "refs.jsonl:2:1: the line is blank"),
    Case(
      name: "line of spaces", lines: [pair, " \t\r"], fault: "refs.jsonl:2:1: the line is blank"),
    Case(
      name: "pair after sample", lines: [sample, pair],
      fault: "refs.jsonl:2:1: this line is a pair, line 1 is a sample; a set holds one kind"),
    Case(
      name: "sample after pairs", lines: [pair, pair, " " + sample],
      fault: "refs.jsonl:3:2: this line is a sample, line 1 is a pair; a set holds one kind"),
    Case(
      name: "both kinds in one", lines: [#"{"a": {"text": "x"}, "input": {"text": "y"}}"#],
      fault: "refs.jsonl:1:1: a line is a pair ('a' and 'b') or a sample ('input'), not both"),
    Case(
      name: "neither kind", lines: [#"{"text": "x"}"#],
      fault: "refs.jsonl:1:1: a line needs 'a' and 'b' (a pair) or 'input' (a sample)"),
    Case(
      name: "an array", lines: [pair, "[1, 2]"],
      fault:
        "refs.jsonl:2:1: a line is an array of 2, expected a string or an object with 'image', "
        + "'text' or 'values', or a line of a reference set"),
    Case(
      name: "two objects on a line", lines: [pair + pair],
      fault: "refs.jsonl:1:41: text after the value"),
    Case(
      name: "one side", lines: [#"{"a": {"text": "x"}}"#],
      fault: "refs.jsonl:1:1: the key 'b' is missing"),
    Case(
      name: "unknown key", lines: [#"{"a": {"text": "x"}, "b": {"text": "y"}, "label": 1}"#],
      fault: "refs.jsonl:1:51: unknown key 'label'; known here: a, b, similarity, expect"),
    Case(
      name: "unknown key of a sample", lines: [#"{"input": {"values": [1]}, "expect": "match"}"#],
      fault: "refs.jsonl:1:38: unknown key 'expect'; known here: input, output, outcome, label"),
    Case(
      name: "feature that is no value", lines: [#"{"input": {"txt": ["x"]}}"#],
      fault: "refs.jsonl:1:19: the feature 'txt' is an array of 1, expected a number, a text, "
        + "true, false, or null where it is missing"),
    Case(
      name: "key twice", lines: [#"{"a": {"text": "x"}, "a": {"text": "y"}}"#],
      fault: "refs.jsonl:1:22: the key 'a' appears twice in one object"),
    Case(
      name: "label as string",
      lines: [#"{"a": {"text": "x"}, "b": {"text": "y"}, "similarity": "5"}"#],
      fault: #"refs.jsonl:1:56: 'similarity' is the string "5", expected a number"#),
    Case(
      name: "label null", lines: [#"{"a": {"text": "x"}, "b": {"text": "y"}, "similarity": null}"#],
      fault: "refs.jsonl:1:56: 'similarity' is null, expected a number"),
    Case(
      name: "label infinite",
      lines: [#"{"a": {"text": "x"}, "b": {"text": "y"}, "similarity": 1e999}"#],
      fault: "refs.jsonl:1:56: 'similarity' is the number 1e999, too large for a 64-bit float"),
    Case(
      name: "label NaN", lines: [#"{"a": {"text": "x"}, "b": {"text": "y"}, "similarity": NaN}"#],
      fault: "refs.jsonl:1:56: a value is expected here"),
    Case(
      name: "wrong expectation",
      lines: [#"{"a": {"text": "x"}, "b": {"text": "y"}, "expect": "Match"}"#],
      fault: #"refs.jsonl:1:52: 'expect' is the string "Match", expected "match" or "mismatch""#),
    Case(
      name: "image", lines: [pair, #"{"a": {"image": "x.jpg"}, "b": {"text": "y"}}"#],
      fault: "refs.jsonl:2:17: x.jpg: cannot open: no such file or directory"),
    Case(
      name: "number as side", lines: [#"{"a": 5, "b": {"text": "y"}}"#],
      fault: "refs.jsonl:1:7: 'a' is the number 5, expected a string or an object with 'image', "
        + "'text' or 'values'"),
    Case(
      name: "bare strings alone", lines: [#""x""#],
      fault: "refs.jsonl:1:1: a line needs 'a' and 'b' (a pair) or 'input' (a sample)"),
    Case(
      name: "two labels", lines: [#"{"sentence1": "x", "sentence2": "y", "score": 1, "label": 1}"#],
      fault: "refs.jsonl:1:1: a pair has one label, 'score' and 'label' are two"),
    Case(
      name: "one sentence", lines: [#"{"sentence1": "x", "score": 1}"#],
      fault: "refs.jsonl:1:1: the key 'sentence2' is missing"),
    Case(
      name: "pairs under two names", lines: [#"{"sentence1": "x", "b": "y"}"#],
      fault: "refs.jsonl:1:1: a line is a pair ('a' and 'b') or a sample ('input'), not both"),
    Case(
      name: "empty input", lines: [#"{"input": {}}"#],
      fault: "refs.jsonl:1:11: an input needs 'image', 'text' or 'values'"),
    Case(
      name: "text and values", lines: [#"{"input": {"text": "x", "values": [1]}}"#],
      fault: "refs.jsonl:1:11: an input has one of 'image', 'text' and 'values', not 2"),
    Case(
      name: "text that is a number", lines: [#"{"input": {"text": 5}}"#],
      fault: "refs.jsonl:1:20: 'text' is the number 5, expected a string"),
    Case(
      name: "value too large", lines: [#"{"input": {"values": [1, 1e39]}}"#],
      fault:
        "refs.jsonl:1:26: a value of 'values' is the number 1e39, too large for a 32-bit float"),
    Case(
      name: "value true", lines: [#"{"input": {"values": [true]}}"#],
      fault:
        "refs.jsonl:1:23: a value of 'values' is true, expected a number, or null where it is missing"
    ),
    Case(
      name: "output null", lines: [#"{"input": {"values": [1]}, "output": null}"#],
      fault: "refs.jsonl:1:38: 'output' is null, expected an array"),
    Case(
      name: "same input everywhere", lines: [#"{"a": {"text": "x"}, "b": {"text": "x"}}"#],
      fault: "refs.jsonl:1:1: every pair holds the same input; at least two different ones "
        + "are needed"),
    Case(
      name: "byte order mark", lines: ["\u{FEFF}" + pair],
      fault: "refs.jsonl:1:1: the text starts with a byte order mark; save it as plain UTF-8"),
    Case(
      name: "cut off", lines: [pair, #"{"a": {"text": "x"#],
      fault: "refs.jsonl:2:18: the text ends inside a string"),
    Case(
      name: "too deep", lines: [String(repeating: "[", count: 100_000)],
      fault: "refs.jsonl:1:66: values nest deeper than 64 levels"),
  ])
  func hostileLines(_ test: Case) {
    #expect(refusal { _ = try references(test.lines) } == test.fault)
  }

  @Test func invalidUTF8IsRefused() {
    let bytes = Array(#"{"input": {"text": ""#.utf8) + [0xC3, 0x28] + Array(#""}}"#.utf8)
    let fault = refusal { _ = try ReferenceSet(bytes: bytes, origin: "r") }
    #expect(fault.hasPrefix("r:1:"))
  }

  @Test func tooManyLinesAreRefused() {
    let lines = Array(repeating: Self.sample, count: 20_001)
    #expect(
      refusal { _ = try references(lines) }
        == "refs.jsonl:20001:1: the file has more than 20000 lines")
  }

  @Test func aMissingFileIsNamed() {
    #expect(
      refusal { _ = try ReferenceSet(path: "nowhere.jsonl") }
        == "nowhere.jsonl: cannot open: no such file or directory")
  }

  @Test func pairsAreReadWithLabelsAndExpectations() throws {
    let set = try references([
      #"{"a": {"text": "x"}, "b": {"text": "y"}, "similarity": 4.5}"#,
      #"{"a": {"text": "y"}, "b": {"values": [1, -2.5]}, "expect": "mismatch"}"# + "\r",
    ])
    #expect(set.inputs == [.text("x"), .text("y"), .values([1, -2.5])])
    #expect(set.lines == [1, 1, 2])
    #expect(
      set.content
        == .pairs([
          .init(a: [0], b: [1], similarity: 4.5, expectation: nil, line: 1),
          .init(a: [1], b: [2], similarity: nil, expectation: .mismatch, line: 2),
        ]))
  }

  @Test func samplesAreReadAndEqualInputsCountOnce() throws {
    let set = try references(
      Array(repeating: #"{"input": {"values": [1]}, "output": [0.5]}"#, count: 8) + [""])
    #expect(set.inputs == [.values([1])])
    #expect(set.content.count == 8)
  }

  @Test func theDigestIsThatOfTheBytes() throws {
    let set = try references([Self.sample])
    #expect(
      set.digest.hex == "1b2dc5ca640b81843778a1f62801571c6148fb3f6794625a2dc1fc2fdec0a8eb")
    #expect(try references([Self.sample, ""]).digest != set.digest)
  }

  @Test func textsAreComparedByBytes() throws {
    let set = try references([
      "{\"a\": {\"text\": \"\u{E9}\"}, \"b\": {\"text\": \"e\u{301}\"}}"
    ])
    #expect(set.inputs.count == 2)
    let zeros = try references([#"{"a": {"values": [0]}, "b": {"values": [-0.0]}}"#])
    #expect(zeros.inputs.count == 2)
  }
}
