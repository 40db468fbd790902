import Foundation
import TestSupport
import Testing

// What is refused.
extension CoreMLCommandTests {
  struct Refusal: CustomTestStringConvertible {
    let name: String
    var output = "X.mlpackage"
    var flags: [String] = []
    var status: Int32 = 1
    let message: String
    var testDescription: String { name }
  }

  static let refusals = [
    Refusal(
      name: "another folder", output: "notes.mlpackage",
      message: "notes.mlpackage: is a folder but no Core ML package, and is not replaced"),
    Refusal(
      name: "a file", output: "file.mlpackage",
      message: "file.mlpackage: is a file, the output is a package, which is a folder"),
    Refusal(
      name: "another suffix", output: "X.package",
      message: "X.package: a Core ML package is called '….mlpackage'"),
    Refusal(
      name: "no folder around it", output: "gone/X.mlpackage",
      message: "gone/X.mlpackage: the folder 'gone' is not there"),
    Refusal(
      name: "a length for features", flags: ["--sequence-length", "64"],
      message: "takes no text; leave it out"),
    Refusal(
      name: "an older system than 3 bits need",
      flags: ["--scheme", "palettize", "--bits", "3", "--minimum-deployment-target", "iOS17"],
      message: "tensor 'w0': palette 3 bits per tensor"),
    Refusal(
      name: "an older system than groups need",
      flags: [
        "--scheme", "palettize", "--bits", "4", "--granularity", "per-group", "--group-size", "1",
        "--minimum-deployment-target", "iOS16",
      ], message: "tensor 'w0': palette 4 bits in groups of 1"),
    Refusal(
      name: "an unknown system", flags: ["--minimum-deployment-target", "iOS15"], status: 64,
      message: "--minimum-deployment-target 'iOS15' is none of iOS16, iOS17, iOS18"),
    Refusal(
      name: "no numbers", flags: ["--sequence-length", "16,"], status: 64,
      message: "--sequence-length '16,' is no list of numbers"),
    Refusal(
      name: "an unknown type", flags: ["--output-type", "int8"], status: 64,
      message: "--output-type 'int8' is none of float16, float32"),
  ]

  @Test(arguments: refusals)
  func whatCannotBeDoneIsRefusedBeforeAnyWork(_ test: Refusal) throws {
    try folder.writeModel()
    try folder.write("notes.mlpackage/notes.txt", "precious")
    try folder.write("file.mlpackage", "precious")
    let before = try folder.files()
    let made = try compress(test.flags, output: test.output)
    #expect(made.status == test.status)
    #expect(made.output.isEmpty)
    #expect(made.errors.contains(test.message), "\(made.errors)")
    #expect(try folder.files() == before)
  }

  @Test(arguments: [
    ["--minimum-deployment-target", "iOS18"], ["--sequence-length", "64"],
    ["--output-type", "float16"],
  ])
  func flagsOfPackagesNeedTheFormat(_ flags: [String]) throws {
    try folder.writeModel()
    for command in [["compress", "model", "-o", "s.st"], ["plan", "model"]] {
      let made = try run(command + flags)
      #expect(made.status == 64)
      #expect(made.errors.contains("\(flags[0]) needs --format mlpackage"))
    }
    #expect(try folder.names() == ["model"])
  }

  @Test func refusedPackageIsNotWritten() throws {
    try folder.writeModel()
    try folder.writePairs()
    let flags = ["--references", "pairs.jsonl", "--scheme", "palettize", "--bits", "1"]
    let refused = try compress(flags)
    #expect(refused.status == 3)
    #expect(refused.output.isEmpty)
    #expect(
      refused.errors.contains("error: model: refused, nothing was written to X.mlpackage\n"))
    #expect(try folder.names() == ["model", "pairs.jsonl"])
    #expect(try compress(["--references", "pairs.jsonl"]).status == 0)
    let before = try contents("X.mlpackage")
    #expect(try compress(flags).status == 3)
    #expect(try contents("X.mlpackage") == before)
    #expect(try folder.names() == ["X.mlpackage", "model", "pairs.jsonl"])
  }

}
