import Files
package import Project
package import TestSupport
import Weights

package struct NotThere: Error {
  package let what: String

  package init(what: String) { self.what = what }
}

/// A project of tiny dense models that builds at once.
package struct SmallProject {
  package let scratch: TemporaryFolder

  package static let apps = [
    "3f6f0c1e-8a52-4d0b-9c57-6e1b2a94d7f3", "9b1d4e72-53c8-4f3a-b0e6-d27c8f15a604",
    "e07a95b8-2c4d-4b96-8f21-7d3e60c9a1b5",
  ]

  package static let contract = """
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

  package static let customers = """
    [{"bundle_identifiers": ["com.one.app", "com.one.beta"], "app_id": "\(apps[0])",
      "customModels": [{"flowId": 1, "flowName": "upsell", "modelVersion": 7}]},
     {"bundle_identifiers": ["com.two.app"], "app_id": "\(apps[1])", "plan": {"seats": 3},
      "customModels": [{"flowId": 2, "flowName": "upsell", "modelVersion": 7},
                       {"flowId": 3, "flowName": "churn", "modelVersion": 1, "note": null}]},
     {"bundle_identifiers": ["com.three.app"], "app_id": "\(apps[2])", "customModels": []}]

    """

  /// Writes the project; weights that INT8 per channel keeps well.
  package init() throws {
    scratch = try TemporaryFolder()
    try scratch.write("ingot.yaml", SmallProject.contract)
    try scratch.write("customers.json", SmallProject.customers)
    let lines = (0..<12).map { #"{"input": {"values": [\#($0), \#(12 - 2 * $0)]}}"# }
    try scratch.write("references.jsonl", lines.joined(separator: "\n") + "\n")
    try model("models/ranker", [0.25, 0.75])
    try model("flows/upsell/v7", [0.5, -0.25])
    try model("flows/churn/v1", [-0.125, 0.375])
  }

  /// Makes the shared model a family 'users', each member with references of its own, and leaves out
  /// the custom models.
  package func writeFamily(_ members: [String] = ["ada", "ben", "cyd"]) throws {
    try scratch.write("ingot.yaml", SmallProject.familyContract)
    try scratch.write("customers.json", SmallProject.familyCustomers)
    for (index, member) in members.enumerated() {
      try writeMember(member, [0.25 + Float(index) / 8, 0.75 - Float(index) / 16])
    }
  }

  /// Writes a member of that family and its references.
  package func writeMember(_ member: String, _ weights: [Float]) throws {
    try model("users/\(member)", weights)
    let lines = (0..<12).map { #"{"input": {"values": [\#($0), \#(12 - 2 * $0)]}}"# }
    try scratch.write("users/\(member)/references.jsonl", lines.joined(separator: "\n") + "\n")
  }

  package static let familyContract = """
    ingot: 1
    models:
      users:
        source: users/{member}
        compress: {scheme: int8}
        gate: {references: "users/{member}/references.jsonl", limits: standard}
        formats: [safetensors]
    customers: customers.json
    release:
      version: 1.4.0
      sdk: ">=3.2.0 <5.0.0"

    """

  private static let familyCustomers = """
    [{"bundle_identifiers": ["com.one.app"], "app_id": "\(apps[0])"}]

    """

  /// Writes a logistic regression over two features.
  ///
  /// - Parameter rows: of its weights, for those who give it another description.
  package func model(_ folder: String, _ weights: [Float], rows: Int = 1) throws {
    try SmallProject.model(folder, weights, rows: rows, in: scratch)
  }

  package static func model(
    _ folder: String, _ weights: [Float], rows: Int = 1, in scratch: TemporaryFolder
  ) throws {
    try scratch.write(
      "\(folder)/model.json",
      """
      {"architecture": "dense", "inputs": [{"name": "a"}, {"name": "b"}],
       "layers": [{"weight": "w.npy", "activation": "sigmoid"}],
       "output": {"name": "score", "kind": "classifier", "labels": ["no", "yes"]}}
      """)
    var npy = try AtomicFile(path: scratch.path("\(folder)/w.npy"))
    try NpyWriter.write(weights, rows: rows, columns: weights.count / rows, to: &npy)
    try npy.commit()
  }

  /// Makes a model that INT8 destroys: one scale for weights that are far apart.
  package func breakFlow() throws {
    try model("flows/churn/v1", [1000, 0.5])
    try scratch.write(
      "references.jsonl",
      (0..<12).map { #"{"input": {"values": [0, \#($0 - 6)]}}"# }.joined(separator: "\n") + "\n")
  }

  /// Every archive of an output folder, and what lies beside it, with its bytes.
  package func files(_ output: String = "out") throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    let names = try Folder.names(in: scratch.path(output))
    for folder in names where Folder.kind(of: scratch.path("\(output)/\(folder)")) == .folder {
      for name in try Folder.names(in: scratch.path("\(output)/\(folder)")) {
        let path = scratch.path("\(output)/\(folder)/\(name)")
        files["\(folder)/\(name)"] = try MappedFile.contents(of: path, limit: 1 << 20)
      }
    }
    return files
  }
}

/// Faults as `line:column: message [hint]`.
package func lines(_ faults: ProjectFaults) -> [String] {
  faults.faults.map { fault in
    "\(fault.place.line):\(fault.place.column): \(fault.message)"
      + (fault.hint.map { " [\($0)]" } ?? "")
  }
}
