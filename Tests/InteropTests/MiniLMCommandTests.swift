import Foundation
import TestSupport
import Testing

/// The main job on the real encoder, as a user types it.
@Suite(.enabled(if: Oracle.hasMiniLM, "no oracle environment or model: run scripts/test"))
struct MiniLMCommandTests {
  private let pairs = "\(Oracle.repository)/specs/examples/minilm/pairs.jsonl"

  private func run(_ arguments: [String]) throws -> (status: Int32, json: [String: Any]) {
    let run = try Program.run(arguments)
    return (run.status, (try? run.json()) ?? [:])
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

  /// The bias of an attention's key moves far when weights are fitted, and the softmax takes it out:
  /// a refusal blames weights that move outputs.
  @Test func calibratedRefusalsNameNoBiasThatCancels() throws {
    let folder = try TemporaryFolder()
    let model = try #require(Oracle.miniLM)
    let lines = try String(contentsOfFile: pairs, encoding: .utf8)
      .split(separator: "\n").map { $0 + "\n" }
    for (name, part) in [("references", lines[..<24]), ("calibration", lines[100..<116])] {
      try part.joined().write(
        toFile: folder.path("\(name).jsonl"), atomically: true, encoding: .utf8)
    }
    let made = try run([
      "compress", model, "--output", folder.path("small.safetensors"), "--scheme", "palettize",
      "--bits", "1", "--calibration", folder.path("calibration.jsonl"), "--references",
      folder.path("references.jsonl"), "--json",
    ])
    #expect(made.status == 3)
    let reasons = try #require((made.json["gate"] as? [String: Any])?["reasons"] as? [String])
    let blamed = reasons.filter { $0.hasPrefix("swapping in ") }
    #expect(!blamed.isEmpty, "\(reasons)")
    #expect(!reasons.contains { $0.contains("self.key.bias") }, "\(blamed)")
  }

  /// A change to one weight of a compressed file, and the reason that must follow.
  struct Damage: CustomTestStringConvertible, Sendable {
    let name: String
    /// The stored tensor that is changed.
    let part: String
    let change: @Sendable (inout Data) -> Void
    let reason: String
    var testDescription: String { name }
  }

  static let weight = "encoder.layer.3.intermediate.dense.weight"

  static let damages: [Damage] = [
    Damage(
      name: "scales doubled", part: weight + ":scale",
      change: { setScales(&$0) { $0 * 2 } }, reason: "times the baseline's"),
    Damage(
      name: "all zero", part: weight + ":scale", change: { setScales(&$0) { _ in 0 } },
      reason: "all zero"),
    Damage(
      name: "one NaN", part: weight + ":scale",
      change: { data in
        var first = true
        setScales(&data) { scale in
          defer { first = false }
          return first ? .nan : scale
        }
      }, reason: "not finite"),
    Damage(
      name: "rows of codes shuffled", part: weight,
      change: { data in
        let rows = stride(from: 0, to: data.count, by: 384).map { data[$0..<$0 + 384] }
        data = rows.reversed().reduce(Data(), +)
      }, reason: "swapping in"),
  ]

  private static func setScales(_ data: inout Data, _ change: (Float) -> Float) {
    let scales = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }.map(change)
    data = scales.withUnsafeBytes { Data($0) }
  }

  @Test(arguments: damages)
  func aDamagedFileIsRefusedAndTheWeightNamed(_ damage: Damage) throws {
    let folder = try TemporaryFolder()
    let model = try #require(Oracle.miniLM)
    let small = folder.path("small.safetensors")
    #expect(try run(["compress", model, "--output", small, "--quiet"]).status == 0)
    try edit(small, part: damage.part, damage.change)
    for profile in ["strict", "standard", "lenient"] {
      let checked = try run([
        "check", model, small, "--references", pairs, "--limits", profile, "--json",
      ])
      #expect(checked.status == 3, "\(profile)")
      let reasons = checked.json["reasons"] as? [String] ?? []
      #expect(
        reasons.contains { $0.contains(Self.weight) && $0.contains(damage.reason) },
        "\(profile): \(reasons)")
    }
  }

  /// Changes the bytes of one tensor of a safetensors file.
  private func edit(_ path: String, part: String, _ change: (inout Data) -> Void) throws {
    var file = try Data(contentsOf: URL(filePath: path))
    let length = file.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
    let header = try JSONSerialization.jsonObject(with: file[8..<8 + length]) as? [String: Any]
    let entry = try #require(header?[part] as? [String: Any])
    let offsets = try #require(entry["data_offsets"] as? [Int])
    let range = 8 + length + offsets[0]..<8 + length + offsets[1]
    var bytes = Data(file[range])
    change(&bytes)
    file.replaceSubrange(range, with: bytes)
    try file.write(to: URL(filePath: path))
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
