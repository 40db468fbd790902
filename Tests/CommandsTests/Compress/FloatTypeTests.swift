import Foundation
import TestSupport
import Testing

/// Scores such as those of k-means, whose size says nothing: packages of float16 values and of float32.
struct FloatTypeTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    // Two centres; of 58.29 the nearest half is 58.28125, all other numbers float16 holds.
    try folder.write("kmeans/w.npy", Npy.bytes([2, 1], [1.0 / 128, 0]))
    try folder.write("kmeans/b.npy", Npy.bytes([2], [58.29, 20]))
    try folder.write(
      "kmeans/model.json",
      """
      {"architecture": "dense", "inputs": [{"name": "x"}],
       "layers": [{"weight": "w.npy", "bias": "b.npy"}],
       "output": {"name": "cluster", "kind": "classifier", "labels": [0, 1]}}
      """)
  }

  /// Compresses on samples from 0 to `maximum`, so that the scores range over `maximum` / 128.
  private func compress(_ maximum: Double, _ flags: [String]) throws -> Program {
    let lines = (0...10).map { #"{"input": {"values": [\#(maximum * Double($0) / 10)]}}"# + "\n" }
    try folder.write("samples.jsonl", lines.joined())
    return try Program.run(
      [
        "compress", "kmeans", "-o", "K.mlpackage", "--scheme", "none", "--references",
        "samples.jsonl", "--limits", "strict", "--json",
      ] + flags, in: folder.path)
  }

  private func drift(_ run: Program) throws -> Double {
    let gate = try #require(try run.json()["gate"] as? [String: Any])
    let metrics = try #require(gate["metrics"] as? [String: Any])
    let outputs = try #require(metrics["outputDrift"] as? [String: Any])
    return try #require(Double("\(outputs["max"] ?? "nothing")"))
  }

  @Test func float32KeepsEveryScore() throws {
    for maximum in [1.0, 6400] {
      let run = try compress(maximum, ["--float-type", "float32"])
      #expect(run.status == 0, "\(run.errors)")
      #expect(try drift(run) == 0)
      try FileManager.default.removeItem(atPath: folder.path("K.mlpackage"))
    }
  }

  /// Scores from 58.29 to 108.29: 0.00875 is nothing.
  @Test func float16PassesWhereScoresRangeWidely() throws {
    let run = try compress(6400, [])
    #expect(run.status == 0, "\(run.errors)")
    #expect((try drift(run) - 0.00875 / 50).magnitude < 5e-5)
  }

  /// Scores from 58.29 to 58.2978: the same 0.00875 is more than all there is to tell them apart.
  @Test func float16IsRefusedWhereScoresHardlyDiffer() throws {
    let run = try compress(1, [])
    #expect(run.status == 3)
    #expect(try drift(run) > 1)
    #expect(run.errors.contains("output drift max "), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("K.mlpackage")))
  }
}
