import Files
import Foundation
import Packaging
import Testing
import Weights

@testable import Release

/// A folder that is removed when the test ends.
final class Scratch: Sendable {
  let path: String

  init() throws {
    path = try Folder.createTemporary(
      in: System.environment("TMPDIR") ?? "/tmp", prefix: "ingot-release-")
  }

  deinit { try? Folder.remove(path) }

  func inside(_ name: String) -> String { Folder.join(path, name) }

  /// Writes a file, its folders included.
  @discardableResult
  func file(_ name: String, _ text: String) throws -> String {
    try file(name, Array(text.utf8))
  }

  @discardableResult
  func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Folder.create(Folder.parent(of: inside(name)))
    guard FileManager.default.createFile(atPath: inside(name), contents: Data(bytes)) else {
      throw NotThere(what: name)
    }
    return inside(name)
  }
}

struct NotThere: Error {
  let what: String
}

/// A project of tiny dense models that builds at once.
struct SmallProject {
  let scratch: Scratch

  static let apps = [
    "3f6f0c1e-8a52-4d0b-9c57-6e1b2a94d7f3", "9b1d4e72-53c8-4f3a-b0e6-d27c8f15a604",
    "e07a95b8-2c4d-4b96-8f21-7d3e60c9a1b5",
  ]

  static let contract = """
    ingot: 1
    models:
      ranker:
        source: models/ranker
        compress: {scheme: int8}
        gate: {references: references.jsonl, limits: standard}
        formats: [safetensors]
    customModels:
      source: flows/{flowName}/v{modelVersion}
      compress: {scheme: int8}
      gate:
        references: references.jsonl
        limits: {profile: lenient, similarityDriftMax: 0.1}
        threshold: 0.5
    customers: customers.json
    release:
      version: 1.4.0
      sdk: ">=3.2.0 <5.0.0"
      archive: tar.zst

    """

  static let customers = """
    [{"bundle_identifiers": ["com.one.app", "com.one.beta"], "app_id": "\(apps[0])",
      "customModels": [{"flowId": 1, "flowName": "upsell", "modelVersion": 7}]},
     {"bundle_identifiers": ["com.two.app"], "app_id": "\(apps[1])", "plan": {"seats": 3},
      "customModels": [{"flowId": 2, "flowName": "upsell", "modelVersion": 7},
                       {"flowId": 3, "flowName": "churn", "modelVersion": 1, "note": null}]},
     {"bundle_identifiers": ["com.three.app"], "app_id": "\(apps[2])", "customModels": []}]

    """

  /// Writes the project; weights that INT8 per channel keeps well.
  init() throws {
    scratch = try Scratch()
    try scratch.file("ingot.yaml", SmallProject.contract)
    try scratch.file("customers.json", SmallProject.customers)
    let lines = (0..<12).map { #"{"input": {"values": [\#($0), \#(12 - 2 * $0)]}}"# }
    try scratch.file("references.jsonl", lines.joined(separator: "\n") + "\n")
    try model("models/ranker", [0.25, 0.75])
    try model("flows/upsell/v7", [0.5, -0.25])
    try model("flows/churn/v1", [-0.125, 0.375])
  }

  /// Writes a logistic regression over two features.
  func model(_ folder: String, _ weights: [Float]) throws {
    try SmallProject.model(folder, weights, in: scratch)
  }

  static func model(_ folder: String, _ weights: [Float], in scratch: Scratch) throws {
    try scratch.file(
      "\(folder)/model.json",
      """
      {"architecture": "dense", "inputs": [{"name": "a"}, {"name": "b"}],
       "layers": [{"weight": "w.npy", "activation": "sigmoid"}],
       "output": {"name": "score", "kind": "classifier", "labels": ["no", "yes"]}}
      """)
    var npy = try AtomicFile(path: scratch.inside("\(folder)/w.npy"))
    try NpyWriter.write(weights, rows: 1, columns: 2, to: &npy)
    try npy.commit()
  }

  /// Makes a model that INT8 destroys: one scale for weights that are far apart.
  func breakFlow() throws {
    try model("flows/churn/v1", [1000, 0.5])
    try scratch.file(
      "references.jsonl",
      (0..<12).map { #"{"input": {"values": [0, \#($0 - 6)]}}"# }.joined(separator: "\n") + "\n")
  }

  /// What a build of the project is asked for; without a store.
  func request(_ output: String = "out", epoch: String? = nil) throws -> BuildRequest {
    BuildRequest(
      project: scratch.path, output: scratch.inside(output), tool: try SmallProject.tool(),
      time: try Timestamp(sourceDateEpoch: epoch))
  }

  static func tool(_ program: String = "program") throws -> BuildTool {
    try BuildTool(
      version: "0.1.0", program: ContentDigest(of: Array(program.utf8)), libraries: [:])
  }

  func build(
    _ output: String = "out", jobs: Int = 1, epoch: String? = nil,
    progress: (BuildEvent) -> Void = { _ in }
  ) throws -> BuildReport {
    var request = try request(output, epoch: epoch)
    request.jobs = jobs
    return try Builder.build(request, progress: progress)
  }

  /// What a replay of a package against the project says of each model, by its name.
  func replay(_ package: VerifiedPackage) throws -> [String: ReplayReport.Outcome] {
    let report = try Replay.run(package, project: scratch.path, jobs: 1)
    #expect(report.models.map(\.name) == ["churn", "ranker", "upsell"])
    return Dictionary(uniqueKeysWithValues: report.models.map { ($0.name, $0.outcome) })
  }

  /// Every archive of an output folder, and what lies beside it, with its bytes.
  func files(_ output: String = "out") throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    let names = try Folder.names(in: scratch.inside(output))
    for folder in names where Folder.kind(of: scratch.inside("\(output)/\(folder)")) == .folder {
      for name in try Folder.names(in: scratch.inside("\(output)/\(folder)")) {
        let path = scratch.inside("\(output)/\(folder)/\(name)")
        files["\(folder)/\(name)"] = try MappedFile.contents(of: path, limit: 1 << 20)
      }
    }
    return files
  }
}

/// Faults as `line:column: message [hint]`.
func lines(_ faults: ProjectFaults) -> [String] {
  faults.faults.map { fault in
    "\(fault.place.line):\(fault.place.column): \(fault.message)"
      + (fault.hint.map { " [\($0)]" } ?? "")
  }
}

/// What `body` says when it fails; nil when it does not.
func message(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch {
    return "\(error)"
  }
}
