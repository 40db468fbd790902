import Foundation
import TestSupport
import Testing

// Faults of inputs and outputs.
extension EmbedTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    let lines: String
    let error: String
    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "blank line", lines: "{\"values\": [1, 2]}\n\n{\"values\": [1, 2]}\n",
      error: "in.jsonl:2:1: the line is blank"),
    Case(
      name: "bad JSON", lines: "{\"values\": [1, 2]}\n{\"values\": [1, 2}\n",
      error: "in.jsonl:2:17: ',' or ']' is expected here"),
    Case(
      name: "too few values", lines: "{\"values\": [1]}\n",
      error: "in.jsonl:1: [1.0]: has 1 value, the model takes 2 ('a', 'b')"),
    Case(
      name: "too many values", lines: "{\"values\": [1, 2]}\n{\"values\": [1, 2, 3]}\n",
      error: "in.jsonl:2: [1.0, 2.0, 3.0]: has 3 values, the model takes 2 ('a', 'b')"),
    Case(
      name: "text", lines: "{\"text\": \"hello\"}\n",
      error: "in.jsonl:1: \"hello\": is a text of 5 characters, "
        + "the model takes 2 values ('a', 'b')"),
    Case(
      name: "huge number", lines: "{\"values\": [1e39, 0]}\n",
      error: "in.jsonl:1:13: a value of 'values' is the number 1e39, too large for a 32-bit float"),
    Case(
      name: "NaN", lines: "{\"values\": [NaN, 0]}\n",
      error: "in.jsonl:1:13: a value is expected here"),
    Case(
      name: "unknown key", lines: "{\"value\": [1, 2]}\n",
      error: "in.jsonl:1:11: unknown key 'value'; known here: a, b, sentence1, sentence2, input, "
        + "image, text, text_pair, values"),
    Case(
      name: "image", lines: "{\"image\": \"a.png\"}\n",
      error: "in.jsonl:1: a.png: is an image, the model takes 2 values ('a', 'b')"),
    Case(
      name: "number", lines: "7\n",
      error:
        "in.jsonl:1:1: a line is the number 7, expected a string or an object with 'image', 'text' or "
        + "'values', or a line of a reference set"
    ),
  ]

  @Test(arguments: cases)
  func badLinesFailByPlaceAndLeaveTheOutput(_ test: Case) throws {
    try writeDoubler()
    try folder.write("in.jsonl", test.lines)
    try folder.write("o.npy", "precious")
    let run = try embed()
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    // One right line for the model follows.
    let hint = "hint: a line for this model: {\"values\": [0.1, 0.2]}\n"
    #expect(run.errors == "error: \(test.error)\n\(hint)")
    #expect(try folder.bytes("o.npy") == Data("precious".utf8))
    #expect(try folder.names() == ["in.jsonl", "m", "o.npy"])
  }

  @Test(arguments: ["in.jsonl", "m/w.npy", "m/model.json"])
  func inputsAreNeverOverwritten(_ output: String) throws {
    try writeDoubler()
    try folder.write("in.jsonl", "{\"values\": [1, 2]}\n")
    let before = try folder.bytes(output)
    let run = try Program.run(
      ["embed", "m", "--inputs", "in.jsonl", "-o", output], in: folder.path)
    #expect(run.status == 1)
    #expect(
      run.errors == """
        error: \(output): is an input of this very command
        hint: choose another --output

        """)
    #expect(try folder.bytes(output) == before)
  }

  @Test func theFileBehindStdinIsNeverOverwritten() throws {
    try writeDoubler()
    let lines = "{\"values\": [1, 2]}\n"
    try folder.write("own", lines)
    let run = try Program.shell(#""$0" embed m --inputs - -o ./own < own"#, in: folder.path)
    #expect(run.status == 1)
    #expect(
      run.errors == """
        error: ./own: is the file behind stdin, an input of this very command
        hint: choose another --output

        """)
    #expect(try folder.bytes("own") == Data(lines.utf8))
    // Another file is written, and stdin does not matter where it is not read.
    #expect(
      try Program.shell(#""$0" embed m --inputs - -o o.npy < own"#, in: folder.path).status == 0)
    #expect(
      try Program.shell(#""$0" embed m --inputs own -o o.npy < o.npy"#, in: folder.path).status
        == 0)
  }

  @Test func filesOfTheModelsFolderStay() throws {
    try writeDoubler()
    try folder.write("in.jsonl", "{\"values\": [1, 2]}\n")
    try folder.write("m/notes", "mine")
    let run = try Program.run(
      ["embed", "m", "--inputs", "in.jsonl", "-o", "./m/notes"], in: folder.path)
    #expect(run.status == 1)
    #expect(
      run.errors == """
        error: ./m/notes: is a file of the model's folder 'm', and is not replaced
        hint: choose another --output

        """)
    #expect(try folder.bytes("m/notes") == Data("mine".utf8))
  }

  @Test(arguments: [
    (output: "x.safetensors", kind: "a file of weights"), (output: "x.txt", kind: "a text"),
    (output: "x.JSON", kind: "a JSON file"), (output: "x.mlpackage", kind: "a Core ML package"),
  ])
  func namesOfOtherKindsAreRefused(_ test: (output: String, kind: String)) throws {
    try writeDoubler()
    try folder.write("in.jsonl", "{\"values\": [1, 2]}\n")
    let run = try Program.run(
      ["embed", "m", "--inputs", "in.jsonl", "-o", test.output], in: folder.path)
    #expect(run.status == 1)
    #expect(
      run.errors == """
        error: \(test.output): is the name of \(test.kind), the output is a numpy array
        hint: call the output '….npy'

        """)
    #expect(try folder.names() == ["in.jsonl", "m"])
  }

  @Test func outputsThatAreNotFiniteAreRefused() throws {
    let folder = try TemporaryFolder()
    let model = try folder.writeModel(first: [.nan])
    let inputs = try folder.write(
      "in.jsonl", String(repeating: "{\"values\": [1, 2, 3, 4]}\n", count: 3))
    let run = try Program.run([
      "embed", model, "--inputs", inputs, "--output", folder.path("out.npy"),
    ])
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(
      run.errors == """
        error: \(inputs):1: the model's output is not finite, as are those of 2 further lines; \
        nothing was written
        hint: look for NaN, infinities and huge values with: ingot inspect \(model)

        """)
    #expect(try folder.names() == ["in.jsonl", "model"])
  }

  @Test func missingInputsAndModelsAreNamed() throws {
    try writeDoubler()
    let noInputs = try embed()
    #expect(noInputs.status == 1)
    #expect(noInputs.errors == "error: in.jsonl: cannot open: no such file or directory\n")
    try folder.write("in.jsonl", "{\"values\": [1, 2]}\n")
    let noModel = try Program.run(
      ["embed", "gone", "--inputs", "in.jsonl", "-o", "o.npy"], in: folder.path)
    #expect(noModel.status == 1)
    #expect(noModel.errors == "error: gone: cannot open: no such file or directory\n")
    #expect(try folder.names() == ["in.jsonl", "m"])
  }

}
