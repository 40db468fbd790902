import ModelFixtures
import TestSupport
import Testing

@testable import Inputs

struct InputLinesTests {
  private func read(_ text: String) throws -> InputLines {
    try InputLines(bytes: Array(text.utf8), origin: "in.jsonl")
  }

  @Test func everyFormOfALineIsRead() throws {
    let lines = try read("\"bare\"\n{\"text\": \"\"}\n{\"values\": [0.5, 1]}\n")
    #expect(lines.inputs == [.text("bare"), .text(""), .values([0.5, 1])])
  }

  @Test func noLinesAreNoInputs() throws { #expect(try read("").inputs == []) }

  @Test(arguments: [
    ("\"a\"\n\n\"b\"", "in.jsonl:2:1: the line is blank"),
    ("\n", "in.jsonl:1:1: the line is blank"),
    ("\"a\"\n\n", "in.jsonl:2:1: the line is blank"),
    (
      "\"a\"\n5",
      "in.jsonl:2:1: a line is the number 5, expected a string or an object with 'image', 'text' or "
        + "'values', or a line of a reference set"
    ),
    ("plain words", "in.jsonl:1:1: a value is expected here"),
    ("{\"text\": \"a\"", "in.jsonl:1:13: the text ends inside an object or array"),
    ("{\"image\": \"\"}", "in.jsonl:1:11: 'image' is empty, expected the path of an image"),
    (
      "{\"image\": \"a\\u0000b\"}",
      "in.jsonl:1:11: the path in 'image' holds a control character"
    ),
  ])
  func faultsNameTheLine(_ test: (text: String, fault: String)) {
    #expect(refusal { _ = try read(test.text) } == test.fault)
  }

  @Test func labelsAreShort() {
    #expect(Input.text("a \"quoted\"\nline").label == #""a \"quoted\"\nline""#)
    let long = String(repeating: "x", count: 41)
    #expect(Input.text(long).label == "\"" + String(repeating: "x", count: 40) + "…\"")
    #expect(Input.values([1, 2.5]).label == "[1.0, 2.5]")
    #expect(Input.values([110_770_000, 0.1, .nan]).label == "[1.1077e+08, 0.1, null]")
    #expect(Input.values([1, 2, 3, 4, 5]).label == "[1.0, 2.0, 3.0, 4.0, …]")
  }
}
