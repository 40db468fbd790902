import Foundation
import TestSupport
import Testing

/// The commands' words about outputs that a reference set knows.
struct KnownOutputsCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: String...) throws -> Program {
    try Program.run(arguments + ["--references", "known.jsonl"], in: folder.path)
  }

  /// Outcomes that are half of each number, up to two tenths.
  private func writeOutcomes() throws {
    try folder.writeFlow("flow", version: 1, weight: 0.5)
    let lines = (1..<21).map { number in
      let tenths = number * 5 + number * 7 % 5 - 2
      return "{\"input\": {\"values\": [\(number), 0]}, \"outcome\": [\(Double(tenths) / 10)]}\n"
    }
    try folder.write("known.jsonl", lines.joined())
  }

  @Test func observedOutcomesAreSaidToProveNothingOfTheReading() throws {
    try writeOutcomes()
    for found in [
      try run("check", "flow/v1", "flow/v1"),
      try run("compress", "flow/v1", "-o", "small.safetensors"),
    ] {
      #expect(found.status == 0, "\(found.errors)")
      #expect(
        found.errors.contains(
          "warning: the known outputs were taken as observed outcomes: they differ from what the "
            + "model gives by up to 0.02"), "\(found.errors)")
    }
    let json = try run("check", "flow/v1", "flow/v1", "--json").json()
    let known = try #require(json["knownOutputs"] as? [String: Any])
    #expect(known["form"] as? String == "outcomes")
    #expect((known["caution"] as? String)?.contains("--source-check") == true)
  }
}
