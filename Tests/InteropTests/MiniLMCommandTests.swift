import Foundation
import Testing

/// The main job on the real encoder, as a user types it.
@Suite(.enabled(if: Oracle.hasMiniLM, "no oracle environment or model: run scripts/test"))
struct MiniLMCommandTests {
  private let pairs = "\(Oracle.repository)/specs/examples/minilm/pairs.jsonl"

  /// The built program beside the test bundle.
  private let ingot = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "ingot").path

  private func run(_ arguments: [String]) throws -> (status: Int32, json: [String: Any]) {
    let process = Process()
    process.executableURL = URL(filePath: ingot)
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let json = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
    return (process.terminationStatus, json ?? [:])
  }

  @Test func int8PassesStrictAndRunsFromItsOneFile() throws {
    let folder = try TemporaryFolder()
    let model = try #require(Oracle.miniLM)
    let small = folder.path("small.safetensors")
    let made = try run([
      "compress", model, "--output", small, "--references", pairs, "--limits", "strict", "--json",
    ])
    #expect(made.status == 0)
    #expect((made.json["gate"] as? [String: Any])?["verdict"] as? String == "passed")
    #expect(
      made.json["unused"] as? [String]
        == ["embeddings.position_ids", "pooler.dense.bias", "pooler.dense.weight"])
    let tensors = try #require(made.json["tensors"] as? [[String: Any]])
    #expect(tensors.count { $0["scheme"] as? String == "int8 per channel" } == 37)
    let bytes = tensors.compactMap { $0["bytes"] as? Int }.reduce(0, +)
    #expect(bytes < 23_700_000)
    let checked = try run([
      "check", model, small, "--references", pairs, "--limits", "strict", "--json",
    ])
    #expect(checked.status == 0)
    let metrics = try #require(checked.json["metrics"] as? [String: Any])
    #expect(metrics["pairs"] as? Int ?? 0 >= 200)
  }

  @Test(arguments: ["strict", "standard", "lenient"])
  func threeBitsAreRefusedAndLeaveNothing(_ profile: String) throws {
    let folder = try TemporaryFolder()
    let made = try run([
      "compress", try #require(Oracle.miniLM), "--scheme", "palettize", "--bits", "3", "--output",
      folder.path("small.safetensors"), "--references", pairs, "--limits", profile, "--json",
    ])
    #expect(made.status == 3)
    #expect((made.json["gate"] as? [String: Any])?["verdict"] as? String == "refused")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }
}
