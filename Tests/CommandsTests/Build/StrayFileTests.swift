import Foundation
import TestSupport
import Testing

/// Files in a signed output folder that a build did not put there.
@Suite(.enabled(if: Program.has("ssh-keygen"), "needs ssh-keygen")) struct StrayFileTests {
  private let folder: TemporaryFolder
  private static let app = TemporaryFolder.apps[0]
  private static let archive = "out/\(TemporaryFolder.archive(app))"

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeFaultProject()
    try shell("\"$0\" build project --output out --quiet")
    try shell("echo \"a@x $(cat project/keys/release.pub)\" >signers")
  }

  private func shell(_ script: String) throws {
    let run = try Program.shell(script, in: folder.path)
    try #require(run.status == 0, "\(run.errors)\(run.output)")
  }

  private func verify() throws -> Program {
    try Program.run(["verify", "out", "--allowed-signers", "signers"], in: folder.path)
  }

  /// An archive that no build made is found wherever it lies, and whatever it is.
  @Test(arguments: [
    "top.tar.zst", "\(app)/other.tar.zst",
    "\(app)/models.zip", "new/deep/x.tar.zst", "new/X.ZIP",
    "\(app)/\(app)-1.0.0.zip",
    "AAAAAAAA-2C4D-4B96-8F21-7D3E60C9A1B5/x.tar.zst",
  ])
  func anArchiveThatIsNotInTheIndexIsAFault(_ path: String) throws {
    let place = "out/\(path)"
    for change in ["cp \(Self.archive)", "mkfifo", "mkdir", "ln -s nowhere"] {
      try shell("mkdir -p $(dirname \(place)) && \(change) \(place)")
      let run = try verify()
      #expect(run.status == 4)
      #expect(run.errors.contains("\(place): is not in index.jsonl"), "\(run.errors)")
      try shell("rm -r \(place)")
    }
    // Files that a killed build left are not a release.
    try shell("mkdir out/.ingot-build-x && cp \(Self.archive) out/.ingot-build-x/")
    #expect(try verify().status == 0)
  }

  /// A list that waits must lie in the folder: the build would make a link out of `SHA256SUMS`.
  @Test func aLinkDoesNotBecomeTheList() throws {
    try shell("mv out/SHA256SUMS list && ln -s ../list out/.ingot-SHA256SUMS")
    let run = try Program.run(["build", "project", "--output", "out"], in: folder.path)
    #expect(run.status == 1)
    #expect(
      run.errors.contains(".ingot-SHA256SUMS: is a symbolic link, expected a regular file"),
      "\(run.errors)")
    #expect(!folder.exists("out/SHA256SUMS"))
  }
}
