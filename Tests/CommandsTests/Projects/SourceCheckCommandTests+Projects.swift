import Foundation
import TestSupport
import Testing

// Source checks of projects.
extension SourceCheckCommandTests {
  private func writeProject(_ key: String = "source-check") throws {
    try folder.writeProject()
    let contract = String(decoding: try folder.bytes("project/ingot.yaml"), as: UTF8.self)
    try folder.write(
      "project/ingot.yaml",
      contract.replacing(
        "    source: models/vector\n",
        with: "    source: models/vector\n"
          + "    \(key): {vectors: vectors.npy, inputs: inputs.jsonl}\n"))
    try writeInputs("project/inputs.jsonl")
    try folder.write("project/vectors.npy", try folder.bytes("vectors.npy"))
  }

  @Test(arguments: ["source-check", "sourceCheck"])
  func aProjectIsCheckedAndItsPackagesSayIt(_ key: String) throws {
    try writeProject(key)
    let built = try run(["build", "project", "--output", "out", "--quiet"])
    let words = "agrees with vectors made elsewhere, cosine min 1 (20 inputs)"
    #expect(built.output.contains("source check: vector \(words)\n"))
    #expect(built.output.contains("source check: of 2 further models nobody checked"))
    for command in ["verify", "inspect"] {
      let text = try run([command, archive]).output
      #expect(text.contains("\n    \(words)\n"))
      #expect(
        text.contains("\n    nobody checked that outputs are those of where it was trained\n"))
    }
    let replay = try run(["verify", archive, "--replay", "project", "--quiet"])
    #expect(replay.status == 0)
    #expect(replay.output.contains("    \(words)\n"))
  }

  @Test func replayWantsTheSameFiles() throws {
    try writeProject()
    _ = try run(["build", "project", "--output", "out", "--quiet"])
    let contract = String(decoding: try folder.bytes("project/ingot.yaml"), as: UTF8.self)
    try folder.write(
      "project/ingot.yaml", contract.replacing(/[ ]*source-check:.*\n/, with: ""))
    let without = try run(["verify", archive, "--replay", "project", "--quiet"])
    #expect(without.status == 1)
    #expect(without.errors.contains("the project names none ('source-check')"))
    try folder.write("project/ingot.yaml", contract)
    try writeVectors("project/vectors.npy") { $1 * 1.00001 }
    let other = try run(["verify", archive, "--replay", "project", "--quiet"])
    #expect(other.status == 4)
    #expect(other.errors.contains("vectors 'project/vectors.npy': recorded "))
  }

  @Test func aDisagreementRefusesTheModelAndItsCustomers() throws {
    try writeProject()
    try writeVectors("project/vectors.npy") { -$1 + Float($0 % 2) }
    let built = try run(["build", "project", "--output", "out", "--quiet"])
    #expect(built.status == 3)
    #expect(
      built.errors.contains("  model 'vector': disagrees with project/vectors.npy on 20 of 20"))
    #expect(try folder.archives(in: "out").isEmpty)
  }

  @Test func validateFindsWhatIsWrongWithTheFiles() throws {
    try writeProject()
    #expect(try run(["validate", "project"]).status == 0)
    try writeVectors("project/vectors.npy", width: 4) { $1 }
    let rows = try run(["validate", "project"])
    #expect(rows.status == 1)
    #expect(rows.errors.contains("has 25 rows, project/inputs.jsonl has 20 inputs"))
    try FileManager.default.removeItem(atPath: folder.path("project/vectors.npy"))
    let gone = try run(["validate", "project"])
    #expect(gone.status == 1)
    #expect(gone.errors.contains("the vectors 'project/vectors.npy' is not there"))
  }

}
