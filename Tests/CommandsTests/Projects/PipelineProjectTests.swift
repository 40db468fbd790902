import Foundation
import TestSupport
import Testing

/// Pipelines of several steps, from a converter's file to the device: built, verified, proven again, updated.
@Suite(.enabled(if: PipelineProject.root != nil, "no models of tables: run scripts/test"))
struct PipelineProjectTests {
  @Test(arguments: PipelineProject.names) func aPipelineIsBuiltAndProvenAgain(_ name: String) throws
  {
    let project = try PipelineProject(name)
    let built = try project.run(["build", "project", "--output", "out"])
    try #require(built.status == 0, "\(built.output)\(built.errors)")
    let verified = try project.run(["verify", PipelineProject.archive, "--json"])
    #expect(verified.status == 0, "\(verified.errors)")
    #expect(try verified.json()["verdict"] as? String == "sound")
    let replayed = try project.run(["verify", PipelineProject.archive, "--replay", "project"])
    #expect(replayed.status == 0, "\(replayed.output)\(replayed.errors)")
    #expect(
      replayed.output.contains("model 'plan': proven again, passed lenient"), "\(replayed.output)")
    // The same bytes without the store.
    let again = try project.run(["build", "project", "--output", "again", "--no-store"])
    #expect(again.status == 0, "\(again.errors)")
    let other = PipelineProject.archive.replacing("out/", with: "again/")
    let packages = try [PipelineProject.archive, other].map {
      try Data(contentsOf: URL(filePath: project.folder.path($0)))
    }
    #expect(packages[0] == packages[1])
  }

  /// A replay runs the model as trained: one that is another is seen.
  @Test func anotherModelIsNotProvenAgain() throws {
    let project = try PipelineProject("imputed-forest")
    let built = try project.run(["build", "project", "--output", "out"])
    try #require(built.status == 0, "\(built.errors)")
    try project.replaceModel(by: "forest-3")
    let replayed = try project.run(["verify", PipelineProject.archive, "--replay", "project"])
    #expect(replayed.status == 4, "\(replayed.output)\(replayed.errors)")
    #expect(!replayed.output.contains("proven again"), "\(replayed.output)")
  }

  @Test(arguments: PipelineProject.names) func aDriftIsExplained(_ name: String) throws {
    let project = try PipelineProject(name)
    let references = ["--references", "project/references.jsonl"]
    // As much as two bits lose, of whatever weights there are.
    let made = try project.run(
      [
        "compress", PipelineProject.model, "--scheme", "palettize", "--bits", "2", "--granularity",
        "per-tensor", "--output", "small.safetensors",
      ])
    try #require(made.status == 0, "\(made.errors)")
    let explained = try project.run(
      ["explain", PipelineProject.model, "small.safetensors", "--json"] + references)
    #expect([0, 3].contains(explained.status), "\(explained.errors)")
    let json = try explained.json()
    let verdict = (json["gate"] as? [String: Any])?["verdict"] as? String
    #expect(["passed", "refused"].contains(verdict), "\(explained.output)")
    #expect(json["culprits"] is [Any], "\(explained.output)")
    // The file as it is loses nothing.
    let none = try project.run(
      ["compress", PipelineProject.model, "--scheme", "none", "--output", "whole.safetensors"]
        + references + ["--limits", "strict"])
    #expect(none.status == 0, "\(none.errors)")
  }

  /// The device takes the package, and the app's self-tests run the model in it.
  @Test(arguments: PipelineProject.names) func aDeviceTakesAPipeline(_ name: String) throws {
    let project = try PipelineProject(name)
    let repository = project.folder.path("repository")
    let server = try Nginx { listening, _ in "server { listen \(listening); root \(repository); }" }
    let steps = [
      ["build", "project", "--output", "out"], ["publish", "keys", "keys"],
      ["publish", "out", "--repository", "repository", "--keys", "keys"],
      [
        "client", "init", "phone", "--repository", server.address, "--root",
        "repository/apps/\(PipelineProject.app)/metadata/1.root.json", "--bundle",
        "com.example.app1", "--sdk", "1.5.0",
      ],
      ["client", "update", "phone"],
    ]
    for step in steps {
      let run = try project.run(step)
      try #require(run.status == 0, "\(step): \(run.output)\(run.errors)")
    }
    let confirmed = try project.run(["client", "confirm", "phone"])
    #expect(confirmed.status == 0, "\(confirmed.errors)")
    #expect(confirmed.output.hasPrefix("in use: 1.0.0\n"), "\(confirmed.output)")
    #expect(confirmed.output.contains("self-tests passed"), "\(confirmed.output)")
  }
}

/// A project with one model that a converter wrote, and references of the rows it was judged on.
struct PipelineProject {
  static let root = ProcessInfo.processInfo.environment["INGOT_TREES"].map { "\($0)/onnx" }
  /// One-hot and scaler before a linear model, an imputer before trees, a scaler before a network, limits
  /// before a regressor, and the mean of four forests.
  static let names = [
    "columns-logistic-21", "imputed-forest", "network-3-21", "ridge-scaled", "bagging",
  ]
  static let app = TemporaryFolder.apps[0]
  static let archive = "out/\(app)/\(app)-1.0.0.tar.zst"
  static let model = "project/models/plan/plan.onnx"

  let folder: TemporaryFolder

  /// - Parameter formats: of the file; that of every model where nothing is said.
  init(_ name: String, formats: String? = nil) throws {
    folder = try TemporaryFolder()
    try folder.write(
      "project/ingot.yaml",
      """
      ingot: 1
      models:
        plan:
          source: models/plan
          compress: {scheme: int8}
          gate: {references: references.jsonl, limits: lenient}
      \(formats.map { "    formats: [\($0)]" } ?? "")
      customers: customers.json
      release: {version: 1.0.0, sdk: ">=1.0.0 <2.0.0"}

      """)
    try folder.write(
      "project/customers.json",
      "[{\"app_id\": \"\(Self.app)\", \"bundle_identifiers\": [\"com.example.app1\"], \"customModels\": []}]"
    )
    try folder.write("project/references.jsonl", try Self.lines(name).joined())
    try FileManager.default.createDirectory(
      atPath: folder.path("project/models/plan"), withIntermediateDirectories: true)
    try replaceModel(by: name)
  }

  func replaceModel(by name: String) throws {
    let path = folder.path(Self.model)
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.copyItem(
      atPath: "\(try #require(Self.root))/\(name)/model.onnx", toPath: path)
  }

  func run(_ arguments: [String]) throws -> Program {
    try Program.run(arguments, in: folder.path)
  }

  /// The first 200 rows of a model, by names where they have texts.
  private static func lines(_ name: String) throws -> [String] {
    let folder = "\(try #require(root))/\(name)"
    if FileManager.default.fileExists(atPath: "\(folder)/rows.jsonl") {
      let names = ["level", "age", "city", "kind"]
      return try String(contentsOfFile: "\(folder)/rows.jsonl", encoding: .utf8)
        .split(separator: "\n").prefix(200).map { line in
          let cells = line.replacing("NaN", with: "null").dropFirst().dropLast()
            .split(separator: "], [").map { $0.drop { $0 == "[" }.prefix { $0 != "]" } }
          try #require(cells.count == names.count)
          let members = zip(names, cells).map { "\"\($0)\": \($1)" }
          return "{\"input\": {\(members.joined(separator: ", "))}}\n"
        }
    }
    let bytes = try Data(contentsOf: URL(filePath: "\(folder)/rows.f64"))
    let values = bytes.withUnsafeBytes { raw in
      (0..<raw.count / 8).map { raw.loadUnaligned(fromByteOffset: 8 * $0, as: Double.self) }
    }
    let width = 8
    try #require(values.count.isMultiple(of: width))
    return stride(from: 0, to: min(values.count, 200 * width), by: width).map { start in
      let row = values[start..<start + width].map { $0.isNaN ? "null" : "\($0)" }
      return "{\"input\": {\"values\": [\(row.joined(separator: ", "))]}}\n"
    }
  }
}
