import Foundation
import TestSupport
import Testing

struct EmbedTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A model whose output is its input times 2 plus 1.
  private func writeDoubler() throws {
    try folder.write("m/w.npy", Npy.bytes([2, 2], [2, 0, 0, 2]))
    try folder.write("m/b.npy", Npy.bytes([2], [1, 1]))
    try folder.write(
      "m/model.json",
      """
      {"architecture": "dense", "inputs": [{"name": "a"}, {"name": "b"}],
       "layers": [{"weight": "w.npy", "bias": "b.npy"}],
       "output": {"name": "twice", "kind": "regressor"}}
      """)
  }

  private func embed(
    _ flags: [String] = [], environment: [String: String] = [:]
  ) throws -> Program {
    try Program.run(
      ["embed", "m", "--inputs", "in.jsonl", "-o", "o.npy"] + flags, environment: environment,
      in: folder.path)
  }

  @Test func givesOneRowPerLineInOrder() throws {
    try writeDoubler()
    let lines = (0..<1000).map { "{\"values\": [\($0), \(-$0)]}\n" }.joined()
    try folder.write("in.jsonl", lines)
    let run = try embed()
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(run.output == "o.npy: float32 [1000, 2]\n")
    let npy = try #require(Npy(try folder.bytes("o.npy")))
    #expect(npy.header == "{'descr': '<f4', 'fortran_order': False, 'shape': (1000, 2), }")
    let expected: [Float] = (0..<1000).flatMap { (index: Int) -> [Float] in
      [Float(2 * index + 1), Float(1 - 2 * index)]
    }
    #expect(npy.values == expected)
  }

  /// Standardised first, then a weight of [in, out], worked out by hand.
  @Test func standardisesAndReadsWeightsOfEitherLayout() throws {
    try folder.write("m/mean.npy", Npy.bytes([2], [1, 1]))
    try folder.write("m/scale.npy", Npy.bytes([2], [2, 4]))
    try folder.write("m/b.npy", Npy.bytes([3], [0.5, 0, -1]))
    let description = { (layout: String) in
      """
      {"architecture": "dense", "inputs": [{"name": "a"}, {"name": "b"}],
       "standardize": {"mean": "mean.npy", "scale": "scale.npy"},
       "layers": [{"weight": "w.npy", "bias": "b.npy", "layout": "\(layout)"}],
       "output": {"name": "y", "kind": "regressor"}}
      """
    }
    try folder.write(
      "in.jsonl", "{\"values\": [3, 5]}\n{\"values\": [1, 1]}\n{\"values\": [5, -3]}\n")
    for (layout, weight) in [
      ("in,out", Npy.bytes([2, 3], [1, 2, 3, 10, 20, 30])),
      ("out,in", Npy.bytes([3, 2], [1, 10, 2, 20, 3, 30])),
    ] {
      try folder.write("m/w.npy", weight)
      try folder.write("m/model.json", description(layout))
      #expect(try embed().status == 0)
      let found = try #require(Npy(try folder.bytes("o.npy"))).values
      // Standardised: [1, 1], [0, 0] and [2, -1].
      #expect(found == [11.5, 22, 32, 0.5, 0, -1, -7.5, -16, -25], "\(layout)")
    }
  }

  @Test func lastLineNeedsNoNewline() throws {
    try writeDoubler()
    try folder.write("in.jsonl", "{\"values\": [1, 2]}")
    #expect(try embed().status == 0)
    #expect(Npy(try folder.bytes("o.npy"))?.values == [3, 5])
  }

  @Test(arguments: [(file: "in.jsonl", text: ""), (file: "in.csv", text: "a,b\n")])
  func aFileWithoutInputsIsAnError(_ inputs: (file: String, text: String)) throws {
    try writeDoubler()
    try folder.write(inputs.file, inputs.text)
    let run = try Program.run(
      ["embed", "m", "--inputs", inputs.file, "-o", "o.npy"], in: folder.path)
    #expect(run.status == 1)
    #expect(
      run.errors.hasSuffix(
        """
        error: \(inputs.file): holds no inputs; nothing was written
        hint: give one input on each line, below the header of a table

        """), "\(run.errors)")
    #expect(!folder.exists("o.npy"))
  }

  @Test func bytesDoNotDependOnThreadsOrEnvironment() throws {
    try folder.writeModel("m")
    var numbers = SeededGenerator(seed: 3)
    let lines = (0..<700).map { _ in
      "{\"values\": \((0..<4).map { _ in numbers.float() })}\n"
    }
    try folder.write("in.jsonl", lines.joined())
    var all: Set<Data> = []
    for jobs in ["1", "2", "2", "7"] {
      #expect(try embed(["--jobs", jobs]).status == 0)
      all.insert(try folder.bytes("o.npy"))
    }
    for (variable, value) in [
      ("SOURCE_DATE_EPOCH", "86400"), ("TZ", "Asia/Kathmandu"), ("LC_ALL", "tr_TR.UTF-8"),
    ] {
      #expect(try embed(environment: [variable: value]).status == 0)
      all.insert(try folder.bytes("o.npy"))
    }
    #expect(all.count == 1)
  }

  @Test func jsonNamesTheShape() throws {
    try writeDoubler()
    try folder.write("in.jsonl", "{\"values\": [1, 2]}\n")
    let run = try embed(["--json"])
    #expect(run.status == 0)
    #expect(
      run.output == """
        {
          "columns": 2,
          "path": "o.npy",
          "rows": 1,
          "schemaVersion": 1
        }

        """)
  }

  @Test func compressedModelRunsLikeItsSource() throws {
    try folder.writeModel("m")
    var numbers = SeededGenerator(seed: 4)
    let lines = (0..<20).map { _ in "{\"values\": \((0..<4).map { _ in numbers.float() })}\n" }
    try folder.write("in.jsonl", lines.joined())
    #expect(try embed().status == 0)
    let expected = try #require(Npy(try folder.bytes("o.npy"))).values
    #expect(expected.count == 20 * 5)
    let made = try Program.run(["compress", "m", "-o", "small", "--quiet"], in: folder.path)
    #expect(made.status == 0)
    try FileManager.default.removeItem(atPath: folder.path("m"))
    try FileManager.default.moveItem(atPath: folder.path("small"), toPath: folder.path("m"))
    #expect(try embed().status == 0)
    let found = try #require(Npy(try folder.bytes("o.npy"))).values
    #expect(found.count == expected.count)
    // Each weight, of at most 1, is off by half a step of 1/127 at most: a hidden value by 4 of
    // them, an output by 6 for its own weights and by 6 times what a hidden one is off.
    let step: Float = 0.5 / 127
    let largest = zip(found, expected).map { ($0 - $1).magnitude }.max() ?? .infinity
    #expect(largest <= (6 + 6 * 4) * step)
    #expect(largest > 0)
  }

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
      error: "in.jsonl:1: \"hello\": is a text, the model takes 2 values ('a', 'b')"),
    Case(
      name: "huge number", lines: "{\"values\": [1e39, 0]}\n",
      error: "in.jsonl:1:13: a value of 'values' is the number 1e39, too large for a 32-bit float"),
    Case(
      name: "NaN", lines: "{\"values\": [NaN, 0]}\n",
      error: "in.jsonl:1:13: a value is expected here"),
    Case(
      name: "unknown key", lines: "{\"value\": [1, 2]}\n",
      error: "in.jsonl:1:11: unknown key 'value'; known here: a, b, sentence1, sentence2, input, "
        + "image, text, values"),
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
