import Files
import IngotFeatures
import ModelFixtures
import StrictJSON
import TestSupport
import Testing
import Weights

@testable import Inputs

/// The forms a file of inputs may have, and how they are told apart.
struct InputFormTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let file: String
    let text: String
    var inputs: [Input] = []
    var decision: String?
    var testDescription: String { name }
  }

  static let texts: [Input] = [.text("a plane"), .text("a cat")]

  static let cases = [
    Case(
      name: "JSON lines", file: "x.jsonl", text: "\"a plane\"\n{\"text\": \"a cat\"}\n",
      inputs: texts),
    Case(
      name: "JSON lines of texts that are read together", file: "x.jsonl",
      text: "{\"text_pair\": \"a cat\", \"text\": \"\"}\n", inputs: [.textPair("", "a cat")]),
    Case(
      name: "JSON lines by content", file: "x", text: "{\"text\": \"a plane\"}\n\"a cat\"",
      inputs: texts, decision: "x: read as JSON lines"),
    Case(
      name: "bare strings by content", file: "x.data", text: "\"a plane\"\n\"a cat\"",
      inputs: texts,
      decision: "x.data: read as JSON lines"),
    Case(
      name: "plain lines", file: "x.txt", text: "a plane\r\na cat\n", inputs: texts,
      decision: "x.txt: read as plain lines, one text each"),
    Case(
      name: "plain lines by content", file: "x", text: "a plane\na cat", inputs: texts,
      decision: "x: read as plain lines, one text each"),
    Case(
      name: "plain lines and blank ones behind them", file: "x.txt",
      text: "a plane\na cat\n\n \t\r\n",
      inputs: texts, decision: "x.txt: read as plain lines, one text each; 2 blank lines left out"),
    Case(
      name: "plain lines that look like JSON, by name", file: "x.txt", text: "\"a plane\"\n",
      inputs: [.text("\"a plane\"")], decision: "x.txt: read as plain lines, one text each"),
    Case(
      name: "CSV of texts", file: "x.csv", text: "id,text\n1,a plane\n2,\"a cat\"\n", inputs: texts,
      decision: "x.csv: read as CSV: texts"),
    Case(
      name: "CSV of texts that are read together", file: "x.csv",
      text: "text_pair,id,text\na cat,1,\"a plane, red\"\n",
      inputs: [.textPair("a plane, red", "a cat")], decision: "x.csv: read as CSV: pairs of texts"),
    Case(
      name: "TSV of pairs", file: "x.tsv",
      text: "genre\tsentence1\tsentence2\tscore\nnews\ta plane\ta cat\t0.5\n", inputs: texts,
      decision: "x.tsv: read as TSV: pairs with labels"),
    Case(
      name: "CSV by content", file: "x", text: "a,b,similarity\na plane,a cat,\n", inputs: texts,
      decision: "x: read as CSV: pairs with labels"),
    Case(
      name: "features by content", file: "x", text: "age,height\n1,-2.5\n",
      inputs: [.values([1, -2.5])],
      decision: "x: read as CSV: the features 'age', 'height'"),
    Case(
      name: "features with outputs", file: "x.csv", text: "a,b,output\n1,2,3\n4, 5e0 ,\n",
      inputs: [
        .values([1, 2]),
        .named(
          NamedFeatures(
            names: ["a", "b"], values: [.number(4), .number(5)], written: [1: " 5e0 "])),
      ],
      decision: "x.csv: read as CSV: the features 'a', 'b' with outputs"),
    Case(
      name: "a spreadsheet's byte order mark", file: "x.csv",
      text: "\u{FEFF}text\na plane\na cat\n",
      inputs: texts, decision: "x.csv: read as CSV: texts"),
    Case(
      name: "a reference set", file: "x.jsonl",
      text: #"{"a": "a plane", "b": {"anyOf": ["a cat", {"text": "a plane"}]}, "expect": "match"}"#,
      inputs: texts + [.text("a plane")]),
    Case(
      name: "the names of sentence pairs", file: "x.jsonl",
      text: #"{"idx": 0, "sentence1": "a plane", "sentence2": "a cat", "label": 1}"#, inputs: texts),
    Case(name: "nothing", file: "x.jsonl", text: ""),
    Case(name: "nothing at all", file: "x", text: ""),
  ]

  // Where texts are gathered and no row is counted, a blank line says nothing.
  @Test func blankLinesBetweenGatheredTextsAreLeftOut() throws {
    let file = try InputFile(
      bytes: Array("\na plane\n\r\na cat".utf8), origin: "x.txt", limit: InputLines.sizeLimit)
    let lines = try InputLines(file, blankLines: .skipped)
    #expect(lines.inputs == Self.texts)
    #expect(lines.lines == [2, 4])
    #expect(
      lines.decision == "x.txt: read as plain lines, one text each; 2 blank lines left out")
  }

  @Test(arguments: cases) func reads(_ test: Case) throws {
    let lines = try InputLines(bytes: Array(test.text.utf8), origin: test.file)
    #expect(lines.inputs == test.inputs)
    #expect(lines.lines.count == lines.inputs.count)
    #expect(lines.decision == test.decision)
  }

  @Test func tablesArePairsAndSamples() throws {
    let pairs = try references(
      ["sentence1,sentence2,score,expect", "x,\"y, z\",4.5,match", "y,z,,", "z,x,-1,mismatch"],
      origin: "refs.csv")
    #expect(
      pairs.content
        == .pairs([
          .init(a: [0], b: [1], similarity: 4.5, expectation: .match, line: 2),
          .init(a: [2], b: [3], similarity: nil, expectation: nil, line: 3),
          .init(a: [3], b: [0], similarity: -1, expectation: .mismatch, line: 4),
        ]))
    let samples = try references(["x,y,output", "1,2,0.5", "3,4,"], origin: "refs.csv")
    #expect(
      samples.content
        == .samples([
          .init(input: 0, output: [0.5], line: 2), .init(input: 1, output: nil, line: 3),
        ]))
    #expect(samples.features == ["x", "y"])
  }

  /// Every form that says the same is the same set.
  @Test func formsOfOnePairAreEqual() throws {
    let forms = [
      ("r.jsonl", #"{"a": {"text": "x"}, "b": {"text": "y"}, "similarity": 1}"#),
      ("r.jsonl", #"{"a": "x", "b": "y", "similarity": 1}"#),
      ("r.jsonl", #"{"sentence1": "x", "sentence2": "y", "score": 1}"#),
      ("r.jsonl", #"{"sentence1": "x", "sentence2": "y", "label": 1.0}"#),
      ("r.jsonl", #"{"sentence1": "x", "sentence2": "y", "similarity": 1}"#),
    ]
    let expected = try references([forms[0].1]).content
    for (origin, text) in forms {
      #expect(try references([text], origin: origin).content == expected, "\(text)")
    }
  }

  @Test func theDigestIsThatOfTheFileAsGiven() throws {
    let bytes = Array("sentence1,sentence2\nx,y\n".utf8)
    #expect(
      try ReferenceSet(bytes: bytes, origin: "r.csv").digest == ContentDigest(of: bytes))
    let packed = InputFormTests.gzipped
    let set = try ReferenceSet(bytes: packed, origin: "r.jsonl.gz")
    #expect(set.digest == ContentDigest(of: packed))
    #expect(set.inputs == [.text("x"), .text("y")])
    #expect(set.decision == nil)
    // The bytes say it where the name does not.
    let unnamed = try ReferenceSet(bytes: packed, origin: "r")
    #expect(unnamed.inputs == set.inputs)
    #expect(unnamed.decision == "r: read as JSON lines")
  }

  /// `{"a": "x", "b": "y"}` by gzip.
  static let gzipped: [UInt8] = [
    0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xFF, 0xAB, 0x56,
    0x4A, 0x54, 0xB2, 0x52, 0x50, 0xAA, 0x50, 0xD2, 0x51, 0x50, 0x4A, 0x02,
    0xB1, 0x2A, 0x95, 0x6A, 0xB9, 0x00, 0xD3, 0x1E, 0x90, 0xCB, 0x15, 0x00,
    0x00, 0x00,
  ]

  @Test func plainTextsAreNoReferenceSet() {
    let fault = refusal { _ = try references(["a plane", "a cat"], origin: "r.txt") }
    #expect(fault == "r.txt:1:1: a line needs 'a' and 'b' (a pair) or 'input' (a sample)")
  }
}
