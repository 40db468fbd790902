import Foundation
import TestSupport
import Testing

// Where a model may be written.
extension CompressTests {
  @Test func inputsAreNeverOverwritten() throws {
    try folder.writeModel()
    try folder.writePairs()
    for (link, target) in [("w.link", "model/w1.npy"), ("hard.link", "model/model.json")] {
      if link.hasPrefix("hard") {
        try FileManager.default.linkItem(atPath: folder.path(target), toPath: folder.path(link))
      } else {
        try FileManager.default.createSymbolicLink(
          atPath: folder.path(link), withDestinationPath: target)
      }
    }
    let inputs = [
      "model/w0.npy", "w.link", "hard.link", "model/model.json", "model/../model/b0.npy",
      "pairs.jsonl",
    ]
    for output in inputs {
      let before = try folder.bytes(output)
      let run = try Program.run(
        ["compress", "model", "-o", output, "--references", "pairs.jsonl"], in: folder.path)
      #expect(run.status == 1)
      #expect(run.output.isEmpty)
      #expect(
        run.errors == """
          error: \(output): is an input of this very command
          hint: choose another --output

          """)
      #expect(try folder.bytes(output) == before)
    }
  }

  /// Also what is not read now may be a weight of the model; what Ingot wrote is not.
  @Test func filesOfTheModelsFolderStay() throws {
    try folder.writeModel()
    try folder.write("model/notes", "mine")
    try folder.write("model/out/notes", "mine")
    let run = try Program.run(["compress", "model", "-o", "./model/notes"], in: folder.path)
    #expect(run.status == 1)
    #expect(
      run.errors == """
        error: ./model/notes: is a file of the model's folder 'model', and is not replaced
        hint: choose another --output

        """)
    #expect(try folder.bytes("model/notes") == Data("mine".utf8))
    for scheme in ["int8", "uint8"] {
      let again = try Program.run(
        ["compress", "model", "--scheme", scheme, "-o", "model/out/small.safetensors"],
        in: folder.path)
      #expect(again.status == 0, "\(again.errors)")
    }
  }

  struct Case: CustomTestStringConvertible {
    let output: String
    let errors: String
    var testDescription: String { output }
  }

  static let badOutputs = [
    Case(
      output: "no/s.st",
      errors: """
        error: no/s.st: the folder 'no' is not there
        hint: make the folder, or choose another --output

        """),
    Case(
      output: "model/model.json/s.st",
      errors: """
        error: model/model.json/s.st: the folder 'model/model.json' is not there
        hint: make the folder, or choose another --output

        """),
    Case(
      output: "",
      errors: """
        error: '': is no name of a file
        hint: choose another --output

        """),
    Case(
      output: "new/",
      errors: """
        error: 'new/': is no name of a file
        hint: choose another --output

        """),
    Case(output: "model", errors: "error: model: is a folder, the output is one file\n"),
    // A pipe of the test's own: a program that fails this would replace a device of the machine.
    Case(
      output: "pipe", errors: "error: pipe: is a device or a pipe, the output is a regular file\n"),
    Case(
      output: "/proc/s.st", errors: "error: /proc/s.st: cannot write: no such file or directory\n"),
  ]

  @Test(arguments: badOutputs)
  func outputsThatCannotBeFailBeforeAnythingIsLost(_ test: Case) throws {
    try folder.writeModel()
    #expect(try Program.shell("mkfifo pipe", in: folder.path).status == 0)
    let before = try folder.files()
    let run = try Program.run(["compress", "model", "-o", test.output], in: folder.path)
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors == test.errors)
    #expect(try folder.files() == before)
  }

}
