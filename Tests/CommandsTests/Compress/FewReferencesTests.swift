import Foundation
import TestSupport
import Testing

/// References that repeat carry no model that all of them refuse.
struct FewReferencesTests {
  let folder: TemporaryFolder
  private let flow = "quickstart/flows/churn_risk"

  init() throws {
    folder = try TemporaryFolder()
    try folder.copyQuickstart()
  }

  /// The two of the 96 references that the quickstart's refused model keeps, four times each.
  private func repeated() throws -> String {
    let text = String(decoding: try folder.bytes("\(flow)/references.jsonl"), as: UTF8.self)
    let lines = text.split(separator: "\n")
    return String(repeating: "\(lines[5])\n\(lines[74])\n", count: 4)
  }

  private func compress(_ references: String, _ flags: [String] = []) throws -> Program {
    try Program.run(
      ["compress", "\(flow)/v9", "-o", "small.st", "--references", references] + flags,
      in: folder.path)
  }

  private static let fault =
    "has only 2 distinct samples in 8 lines, a proof needs 8; line 3 is to the model what line 1 is"

  @Test func repeatedLinesCarryNoRefusedModel() throws {
    #expect(try compress("\(flow)/references.jsonl").status == 3)
    try folder.write("repeated.jsonl", try repeated())
    for arguments in [[], ["--quiet"], ["--limits", "lenient"]] {
      let run = try compress("repeated.jsonl", arguments)
      #expect(run.status == 1)
      #expect(
        run.errors.contains(
          "error: repeated.jsonl: \(Self.fault)\nhint: add inputs like those the app will see, or "
            + "say that so few are meant: --few-references\n"), "\(run.errors)")
    }
    #expect(!folder.exists("small.st"))
    let meant = try compress("repeated.jsonl", ["--few-references", "--json"])
    #expect(meant.status == 0)
    let gate = try #require(try meant.json()["gate"] as? [String: Any])
    let metrics = try #require(gate["metrics"] as? [String: Any])
    #expect(metrics["distinct"] as? [String: Int] == ["inputs": 2, "pairs": 0])
    #expect(
      (gate["warnings"] as? [String])?.contains(
        "the reference set has only 2 distinct samples in 8 lines; fewer than 8 say little")
        == true)
  }

  @Test func neitherValidateNorBuildNorReplayTakesThem() throws {
    try folder.write("\(flow)/references.jsonl", try repeated())
    let place = "error: \(flow)/references.jsonl:1:1: the reference set \(Self.fault)\n"
    for command in [["validate"], ["build", "--output", "out"]] {
      let run = try Program.run(command + ["quickstart"], in: folder.path)
      #expect(run.status == 1)
      #expect(run.errors.contains(place), "\(run.errors)")
      #expect(run.errors.contains("'fewReferences: true' under 'gate'"))
    }
    let contract = String(decoding: try folder.bytes("quickstart/ingot.yaml"), as: UTF8.self)
    try folder.write(
      "quickstart/ingot.yaml",
      contract.replacing(#"references.jsonl"}"#, with: #"references.jsonl", fewReferences: true}"#))
    let built = try Program.run(["build", "quickstart", "--output", "out"], in: folder.path)
    #expect(built.status == 0, "\(built.errors)")
    #expect(built.errors.contains("only 2 distinct samples in 8 lines; fewer than 8 say little"))
    let archive = try #require(
      try folder.archives(in: "out").keys.sorted().first { archive in
        try Program.run(["inspect", "out/\(archive)"], in: folder.path).output
          .contains("churn_risk")
      })
    func replay() throws -> Program {
      try Program.run(["verify", "out/\(archive)", "--replay", "quickstart"], in: folder.path)
    }
    #expect(try replay().status == 0)
    try folder.write("quickstart/ingot.yaml", contract)
    let replayed = try replay()
    #expect(replayed.status == 4)
    #expect(replayed.errors.contains(Self.fault), "\(replayed.errors)")
  }

  @Test func theWordNeedsReferences() throws {
    for arguments in [
      ["compress", "model", "-o", "x", "--few-references"],
      ["check", "v.npy", "model", "--inputs", "i.jsonl", "--few-references"],
    ] {
      let run = try Program.run(arguments, in: folder.path)
      #expect(run.status == 64)
      #expect(run.errors.contains("Error: --few-references is for --references\n"))
    }
  }
}
