import Foundation
import TestSupport
import Testing

/// Projects to build: a tiny one made in code, and the quickstart of the repository.
extension TemporaryFolder {
  static let apps = [
    "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222",
    "33333333-3333-4333-8333-333333333333",
  ]

  /// Writes a project of one shared model and three customers with a flow each; the last one's
  /// loses its only used weight to a far larger one and is refused.
  @discardableResult
  func writeProject(_ name: String = "project") throws -> String {
    try write(
      "\(name)/ingot.yaml",
      """
      ingot: 1
      models:
        vector:
          source: models/vector
          compress: {scheme: int8}
          gate: {references: pairs.jsonl}
      customModels:
        source: flows/{flowName}/v{modelVersion}
        compress: {scheme: int8}
        gate: {references: "flows/{flowName}/references.jsonl"}
      customers: customers.json
      release: {version: 1.0.0, sdk: ">=1.0.0 <2.0.0"}

      """)
    try writeModel("\(name)/models/vector")
    try writePairs("\(name)/pairs.jsonl")
    let flows = [("first_flow", Float(0.5)), ("second_flow", 0.25), ("broken_flow", 100_000)]
    var customers: [String] = []
    for (index, (flow, weight)) in flows.enumerated() {
      try writeFlow("\(name)/flows/\(flow)", version: index + 1, weight: weight)
      customers.append(
        """
        {"app_id": "\(Self.apps[index])", "bundle_identifiers": ["com.example.app\(index + 1)"],
         "customModels": [{"flowId": \(7001 + index), "flowName": "\(flow)",
                           "modelVersion": \(index + 1)}]}
        """)
    }
    try write("\(name)/customers.json", "[\(customers.joined(separator: ",\n"))]\n")
    return path(name)
  }

  /// A folder with the project, built without a store into `out`.
  static func withBuiltProject() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.writeProject()
    let run = try Program.run(
      ["build", "project", "--output", "out", "--no-store", "--quiet"], in: folder.path)
    // The last customer's flow is refused, the others get their packages.
    try #require(run.status == 3, "\(run.errors)")
    return folder
  }

  func writeFlow(_ name: String, version: Int, weight: Float) throws {
    try write("\(name)/v\(version)/coef.npy", Npy.bytes([1, 2], [weight, 1]))
    try write(
      "\(name)/v\(version)/model.json",
      """
      {"architecture": "dense", "inputs": [{"name": "a"}, {"name": "b"}],
       "layers": [{"weight": "coef.npy"}], "output": {"name": "y", "kind": "regressor"}}
      """)
    // Of two values, so that the gate has nothing to say of 'a'.
    let lines = (0..<20).map { "{\"input\": {\"values\": [\($0 == 0 ? 1e-12 : 0), \($0)]}}\n" }
    try write("\(name)/references.jsonl", lines.joined())
  }

  /// Copies the quickstart's project.
  @discardableResult
  func copyQuickstart(_ name: String = "quickstart") throws -> String {
    try FileManager.default.createDirectory(
      at: URL(filePath: path(name)).deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: "\(Program.repository)/specs/examples/quickstart", toPath: path(name))
    return path(name)
  }

  /// Where a customer's archive lies.
  static func archive(_ app: String, version: String = "1.0.0") -> String {
    "\(app)/\(app)-\(version).tar.zst"
  }

  /// Every archive under a folder, by its path there.
  func archives(in folder: String) throws -> [String: Data] {
    try contents(of: folder).filter { $0.key.hasSuffix(".tar.zst") || $0.key.hasSuffix(".zip") }
  }

  /// Every file under a folder, by its path there.
  func contents(of folder: String) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for file in try files() where file.hasPrefix("\(folder)/") {
      contents[String(file.dropFirst(folder.count + 1))] = try bytes(file)
    }
    return contents
  }
}
