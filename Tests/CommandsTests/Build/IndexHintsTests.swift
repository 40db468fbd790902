import Foundation
import TestSupport
import Testing

/// What is said where the index of a signed folder is gone or damaged suits the case, and works.
@Suite(.enabled(if: Program.has("ssh-keygen"), "needs ssh-keygen")) struct IndexHintsTests {
  private let folder: TemporaryFolder

  /// Two releases, and the project and the list of the first.
  init() throws {
    folder = try TemporaryFolder()
    try folder.writeFaultProject()
    try require(try build())
    try shell("cp -a project first && mkdir list && cp out/SHA256SUMS* list/")
    try folder.writeFaultProject(version: "1.1.0")
    try require(try build())
  }

  private func build(_ project: String = "project", _ flags: [String] = []) throws -> Program {
    try Program.run(["build", project, "--output", "out"] + flags, in: folder.path)
  }

  private func verify() throws -> Program {
    try Program.run(["verify", "out"], in: folder.path)
  }

  private func require(_ run: Program) throws {
    try #require(run.status == 0, "\(run.errors)\(run.output)")
  }

  private func shell(_ script: String) throws {
    try require(try Program.shell(script, in: folder.path))
  }

  private func archives() throws -> [String: Data] {
    try folder.contents(of: "out").filter { $0.key.hasSuffix(".tar.zst") }
  }

  /// Without a backup, following one hint after the other makes the folder sound.
  @Test func anIndexThatIsGoneIsBegunAnewByTheHints() throws {
    let before = try archives()
    try shell("rm out/index.jsonl")
    let gone = try verify()
    #expect(gone.status == 4)
    #expect(
      gone.errors.hasSuffix(
        """
          out/index.jsonl: is not there
        hint: bring index.jsonl back from a backup; without one, build the last release again, which \
        adds the missing lines or says what else it takes

        """), "\(gone.errors)")
    let refused = try build()
    #expect(refused.status == 1)
    #expect(
      refused.errors == """
        error: out/index.jsonl: ends behind line 0, SHA256SUMS says behind line 4; lines are missing
        hint: bring index.jsonl back from a backup; without one, say --accept-index, which goes on \
        without those lines; then build every release whose archives lie here again from its \
        project, the last one last, before 'verify' of the folder is sound

        """)
    try require(try build("project", ["--accept-index"]))
    let unknown = try verify()
    #expect(unknown.status == 4)
    for app in TemporaryFolder.apps.prefix(2) {
      #expect(
        unknown.errors.contains(
          "  out/\(TemporaryFolder.archive(app)): is not in index.jsonl; build version 1.0.0 again "
            + "from its project, or take away what no build made\n"), "\(unknown.errors)")
    }
    try require(try build("first"))
    try require(try build())
    try require(try verify())
    #expect(try archives() == before)
  }

  @Test func linesThatAreMissingAreSaidToComeFromABackup() throws {
    try shell("sed -i '2,$d' out/index.jsonl")
    let run = try verify()
    #expect(run.status == 4)
    #expect(run.errors.contains("says behind line 4; lines are missing\n"), "\(run.errors)")
    #expect(run.errors.contains("\nhint: bring index.jsonl back from a backup; without one, build"))
  }

  /// The list of the first release is put back, so that the index goes on behind its end.
  @Test func linesThatNoListConfirmAreToBeLookedAt() throws {
    try shell("cp list/* out/")
    let run = try build()
    #expect(run.status == 1)
    #expect(
      run.errors.hasSuffix(
        """
        ; lines were added that are of no build
        hint: bring index.jsonl and SHA256SUMS back from a backup; without one, --accept-index takes \
        the lines at their word, so look at them first

        """), "\(run.errors)")
  }

  @Test func aDamagedIndexIsNotSaidToBeMadeAnew() throws {
    try shell("printf x >>out/index.jsonl")
    let words =
      "out/index.jsonl:5:1: the line is cut short; bring the file back from a backup, or remove it "
      + "and build again, which says what a signed folder needs then\n"
    for (run, status) in [(try verify(), 4), (try build(), 1)] {
      #expect(run.status == Int32(status))
      #expect(run.errors == "error: \(words)")
    }
  }
}
