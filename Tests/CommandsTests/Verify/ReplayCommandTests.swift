import Foundation
import TestSupport
import Testing

/// `ingot verify --replay`: the gate runs again from the archive and the models as trained.
struct ReplayCommandTests {
  let folder: TemporaryFolder
  private let archive = "out/\(TemporaryFolder.archive(TemporaryFolder.apps[0]))"

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeProject()
    _ = try Program.run(["build", "project", "--output", "out", "--quiet"], in: folder.path)
  }

  private func replay(
    _ project: String = "project", archive: String? = nil, flags: [String] = ["--quiet"]
  ) throws -> Program {
    try Program.run(
      ["verify", archive ?? self.archive, "--replay", project] + flags, in: folder.path)
  }

  @Test func everyModelIsProvenAgain() throws {
    let run = try replay([])
    #expect(run.status == 0)
    #expect(
      run.output.hasSuffix(
        "  model 'first_flow': proven again, passed standard\n"
          + "  model 'vector': proven again, passed standard\n"))
    #expect(
      run.errors == """
        [1/2] first_flow: running the gate again
        [2/2] vector: running the gate again

        """)
  }

  @Test func theAnswerIsOneObject() throws {
    let run = try replay(["--json", "--quiet", "--jobs", "1"])
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    let json = try run.json()
    #expect(json["verdict"] as? String == "sound")
    let models = try #require(json["replay"] as? [[String: Any]])
    #expect(models.map { $0["model"] as? String } == ["first_flow", "vector"])
    #expect(models.map { $0["verdict"] as? String } == ["proven", "proven"])
    #expect(models.allSatisfy { ($0["reasons"] as? [String]) == [] })
    let plain = try Program.run(["verify", archive, "--json"], in: folder.path).json()
    #expect(plain["replay"] == nil)
    #expect(Set(json.keys) == Set(plain.keys).union(["replay"]))
  }

  @Test func otherWeightsAreAVerificationFailure() throws {
    try folder.write("project/flows/first_flow/v1/coef.npy", Npy.bytes([1, 2], [0.75, 1]))
    let run = try replay()
    #expect(run.status == 4)
    #expect(run.output.contains("  model 'first_flow': differs from its receipt\n"))
    #expect(run.output.contains("  model 'vector': proven again, passed standard\n"))
    let lines = run.errors.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first ?? "" == "error: \(archive): not every model could be proven again")
    let start = "  model 'first_flow': weights of 'project/flows/first_flow/v1': recorded "
    #expect(lines.last?.hasPrefix(start) == true, "\(run.errors)")
    let json = try replay(["--json"])
    #expect(json.status == 4)
    let models = try #require(try json.json()["replay"] as? [[String: Any]])
    #expect(models.map { $0["verdict"] as? String } == ["differs", "proven"])
    let differences = try #require(models[0]["differences"] as? [[String: Any]])
    #expect(differences.map { $0["what"] as? String } == ["weights"])
    #expect(differences[0]["path"] as? String == "project/flows/first_flow/v1")
    let sentences = differences.compactMap { $0["sentence"] as? String }
    #expect(sentences == models[0]["reasons"] as? [String])
    #expect(models[1]["differences"] == nil)
  }

  @Test func otherReferencesAreAVerificationFailure() throws {
    try folder.writePairs("project/pairs.jsonl", count: 13)
    let run = try replay()
    #expect(run.status == 4)
    #expect(run.errors.contains("  model 'vector': reference set 'project/pairs.jsonl': recorded "))
  }

  @Test func aSourceThatIsGoneIsNoContradiction() throws {
    try FileManager.default.removeItem(atPath: folder.path("project/flows/first_flow/v1"))
    let run = try replay()
    #expect(run.status == 1)
    #expect(run.output.contains("  model 'first_flow': cannot be proven again\n"))
    #expect(
      run.errors == """
        error: \(archive): not every model could be proven again
          model 'first_flow': the source 'project/flows/first_flow/v1' is not there

        """)
  }

  @Test func aProjectThatCannotBeReadFails() throws {
    let run = try replay("nowhere")
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors == "error: nowhere:1:1: cannot open: no such file or directory\n")
  }

  @Test func anUnsoundArchiveIsNotReplayed() throws {
    try folder.write("cut.tar.zst", try folder.bytes(archive).dropLast())
    let run = try replay(archive: "cut.tar.zst")
    #expect(run.status == 4)
    #expect(run.errors == "error: cut.tar.zst: the zstd frame is cut short\n")
  }

  @Test func aChangedTokenizerIsFound() throws {
    try folder.copyQuickstart()
    _ = try Program.run(["build", "quickstart", "--output", "q", "--quiet"], in: folder.path)
    let found = try folder.files().first { $0.hasPrefix("q/") && $0.hasSuffix(".tar.zst") }
    let archive = try #require(found)
    #expect(try replay("quickstart", archive: archive).status == 0)
    let tokenizer = "quickstart/models/sentence-encoder/tokenizer.json"
    try folder.write(tokenizer, try folder.bytes(tokenizer) + [0x0A])
    let run = try replay("quickstart", archive: archive)
    #expect(run.status == 4)
    #expect(
      run.errors.contains("  model 'sentence-encoder': '\(tokenizer)': recorded "), "\(run.errors)")
  }

  @Test func nothingIsWrittenToTheProject() throws {
    let before = try folder.files()
    #expect(try replay().status == 0)
    #expect(try folder.files() == before)
  }
}

extension ReplayCommandTests {
  private func replay(_ flags: [String]) throws -> Program { try replay("project", flags: flags) }
}
