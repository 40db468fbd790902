import Foundation
import TestSupport
import Testing

/// Where models of ONNX are; nil where no environment made them.
private let trained = ProcessInfo.processInfo.environment["INGOT_TREES"].map { "\($0)/onnx" }

/// Commands on a pipeline that a converter wrote: scaler, imputer and one-hot encoder before a classifier.
@Suite(.enabled(if: trained != nil, "no models of tables: run scripts/test"))
struct PipelineCommandTests {
  private static let name = "columns-logistic-21"

  let folder: TemporaryFolder
  private let references = ["--references", "references.jsonl"]

  init() throws {
    folder = try TemporaryFolder()
    let source = "\(try #require(trained))/\(Self.name)"
    try FileManager.default.createDirectory(
      atPath: folder.path("model"), withIntermediateDirectories: false)
    try FileManager.default.copyItem(
      atPath: "\(source)/model.onnx", toPath: folder.path("model/plans.onnx"))
    // Two numbers and two codes.
    let lines = (0..<200).map { row in
      let values = [
        "\(Double(row % 17) / 4 - 2)", row % 11 == 3 ? "null" : "\(Double(row % 13) / 3 - 2)",
        "\(row % 4)", "\(row % 5 - 1)",
      ]
      return "{\"input\": {\"values\": [\(values.joined(separator: ", "))]}}\n"
    }
    try lines.joined().write(
      toFile: folder.path("references.jsonl"), atomically: true, encoding: .utf8)
  }

  @Test func aPipelineIsInspectedCompressedAndJudged() throws {
    let shown = try Program.run(["inspect", "model"], in: folder.path)
    #expect(shown.status == 0, "\(shown.errors)")
    #expect(
      shown.output.contains(
        "architecture: dense, takes 4 values ('level', 'age', 'city', 'kind')"),
      "\(shown.output)")
    let made = try Program.run(
      ["compress", "model", "--scheme", "int8", "--output", "small.safetensors"] + references,
      in: folder.path)
    #expect(made.status == 0, "\(made.errors)")
    let checked = try Program.run(
      ["check", "model/plans.onnx", "small.safetensors"] + references, in: folder.path)
    #expect(checked.status == 0, "\(checked.errors)")
    #expect(checked.output.contains("flips: 0"), "\(checked.output)")
  }

  @Test func aPipelineBecomesAFileAndAPackageOfCoreML() throws {
    for path in ["small.mlmodel", "Small.mlpackage"] {
      let made = try Program.run(
        ["compress", "model", "--output", path] + references, in: folder.path)
      #expect(made.status == 0, "\(path): \(made.errors)")
      let checked = try Program.run(
        ["check", "model", path] + references, in: folder.path)
      #expect(checked.status == 0, "\(path): \(checked.output)\(checked.errors)")
      let shown = try Program.run(["inspect", path], in: folder.path)
      let output = shown.output.replacing("'", with: "")
      #expect(output.contains("high, low, mid"), "\(output)")
    }
  }

  @Test(arguments: ["mlmodel", "mlpackage"])
  func aProjectBuildsAPipelineForCoreML(_ format: String) throws {
    let project = try PipelineProject("imputed-forest", formats: format)
    let built = try project.run(["build", "project", "--output", "out"])
    try #require(built.status == 0, "\(built.output)\(built.errors)")
    let verified = try project.run(["verify", PipelineProject.archive, "--replay", "project"])
    #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
  }

  @Test(arguments: [["small.mlmodel"], ["Small.mlpackage"]])
  func aStepWithoutCounterpartIsNamed(_ path: [String]) throws {
    let source = "\(try #require(trained))/ridge-scaled/model.onnx"
    try FileManager.default.copyItem(atPath: source, toPath: folder.path("limits.onnx"))
    let made = try Program.run(["compress", "limits.onnx", "--output"] + path, in: folder.path)
    #expect(made.status == 1)
    #expect(
      made.errors
        == "error: limits.onnx: step 'larger_2' (larger, made of Clip 'Cl_Clip') takes the larger of two "
        + "numbers, as limits do, and Core ML's models of tables have no step for that; leave it out of the "
        + "pipeline, or write a safetensors file\n", "\(made.errors)")
  }

  @Test func twoModelsInAFolderAreNamed() throws {
    try FileManager.default.copyItem(
      atPath: folder.path("model/plans.onnx"), toPath: folder.path("model/other.onnx"))
    let shown = try Program.run(["inspect", "model"], in: folder.path)
    #expect(shown.status == 1)
    #expect(
      shown.errors.contains(
        "model: holds 2 models, 'other.onnx' and 'plans.onnx'; name the file itself"),
      "\(shown.errors)")
  }
}
