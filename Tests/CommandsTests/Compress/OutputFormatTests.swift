import Foundation
import TestSupport
import Testing

/// The name of an output says the format, or is refused.
struct OutputFormatTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeModel()
  }

  private func run(_ arguments: String...) throws -> Program {
    try Program.run(arguments, in: folder.path)
  }

  struct Case: CustomTestStringConvertible {
    let output: String
    let format: String
    var testDescription: String { output }
  }

  @Test(arguments: [
    Case(output: "X.mlpackage", format: "mlpackage"),
    Case(output: "x.safetensors", format: "safetensors"),
    Case(output: "x.st", format: "safetensors"), Case(output: "x", format: "safetensors"),
    Case(output: "onnx", format: "safetensors"),
  ])
  func theNameSaysTheFormat(_ test: Case) throws {
    let made = try run("compress", "model", "-o", test.output, "--quiet")
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.output.hasPrefix("\(test.output): \(test.format), "), "\(made.output)")
    let isMLPackage = folder.exists("\(test.output)/Manifest.json")
    #expect(isMLPackage == (test.format == "mlpackage"))
    let planned = try run("plan", "model", "--output", test.output, "--json")
    #expect(try planned.json()["format"] as? String == test.format)
  }

  /// A flag for packages alone needs no --format beside such a name.
  @Test func flagsOfPackagesGoWithTheName() throws {
    let flags = ["--output-type", "float16"]
    let named = ["compress", "model", "-o", "X.mlpackage"] + flags
    #expect(try Program.run(named, in: folder.path).status == 0)
    let wrong = try Program.run(["compress", "model", "-o", "x"] + flags, in: folder.path)
    #expect(wrong.status == 64)
    #expect(wrong.errors.hasPrefix("Error: --output-type needs --format mlpackage\n"))
  }

  @Test(arguments: [
    ["compress", "model", "-o", "X.mlpackage", "--format", "safetensors"],
    ["plan", "model", "-o", "X.mlpackage", "--format", "safetensors"],
  ])
  func aNameThatContradictsTheFormatIsWrongUsage(_ arguments: [String]) throws {
    let made = try Program.run(arguments, in: folder.path)
    #expect(made.status == 64)
    #expect(made.output.isEmpty)
    #expect(
      made.errors.hasPrefix(
        "Error: --format safetensors and the name 'X.mlpackage', which is one of mlpackage, exclude "
          + "each other; leave out --format, or choose another --output\n"), "\(made.errors)")
    let other = try run("compress", "model", "-o", "x.safetensors", "--format", "mlpackage")
    #expect(other.status == 64)
    #expect(try folder.names() == ["model"])
  }

  @Test(arguments: [
    ("x.onnx", "an ONNX model"), ("x.gguf", "a GGUF file"), ("x.bin", "a PyTorch file"),
    ("x.pt", "a PyTorch file"), ("x.npz", "a numpy archive"),
    ("x.TFLite", "a TensorFlow Lite model"), ("x.tar.zst", "an archive"),
  ])
  func aNameOfAnotherKindIsRefused(_ output: String, _ kind: String) throws {
    for flags in [[], ["--format", "safetensors"]] {
      let made = try Program.run(["compress", "model", "-o", output] + flags, in: folder.path)
      #expect(made.status == 1)
      #expect(made.output.isEmpty)
      #expect(
        made.errors == """
          error: \(output): is the name of \(kind), which ingot does not write
          hint: call the output '….safetensors' or '….mlpackage' or '….mlmodel'

          """)
    }
    #expect(try folder.names() == ["model"])
  }
}
