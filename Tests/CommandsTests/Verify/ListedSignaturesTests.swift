import Foundation
import TestSupport
import Testing

/// `verify --allowed-signers` of a list looks at what lies beside each package in it.
@Suite(.enabled(if: Program.has("ssh-keygen"), "needs ssh-keygen")) struct ListedSignaturesTests {
  private let folder: TemporaryFolder
  private static let archives = TemporaryFolder.apps.map {
    "out/\(TemporaryFolder.archive($0))"
  }

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeFaultProject()
    let made = try Program.shell(
      """
      "$0" build project --output out --quiet && echo "a@x $(cat project/keys/release.pub)" >signers
      """, in: folder.path)
    try #require(made.status == 0, "\(made.errors)")
  }

  private func verify(_ path: String, _ flags: [String] = []) throws -> Program {
    try Program.run(
      ["verify", path, "--allowed-signers", "signers"] + flags, in: folder.path)
  }

  @Test(arguments: ["out", "out/SHA256SUMS"])
  func everyPackageIsCounted(_ path: String) throws {
    let run = try verify(path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.output.contains("\n  signatures: good, all of 2 packages; provenance of 2\n"),
      "\(run.output)")
    let json = try verify(path, ["--json"]).json()
    #expect(json["packageSignatures"] as? [String: Int] == ["packages": 2, "provenance": 2])
    #expect((json["checked"] as? [String])?.contains("packageSignatures") == true)
    // Nobody looked: null, and no line.
    let open = try Program.run(["verify", path, "--json"], in: folder.path).json()
    #expect(open["packageSignatures"] is NSNull)
    // Provenance may be missing, as beside one archive.
    try FileManager.default.removeItem(atPath: folder.path("\(Self.archives[0]).intoto.jsonl"))
    #expect(try verify(path).output.contains("all of 2 packages; provenance of 1\n"))
  }

  /// With a signer it is more than a claim.
  @Test func whatSignedReceiptsSayIsCounted() throws {
    let contract = String(decoding: try folder.bytes("project/ingot.yaml"), as: UTF8.self)
    let references = #""flows/{flowName}/references.jsonl""#
    let limits = "limits: {profile: strict, cosineMin: 0.5, weakened: true}"
    try folder.write(
      "project/ingot.yaml",
      contract.replacing(references, with: "\(references), \(limits)")
        .replacing("1.0.0, sdk", with: "1.1.0, sdk"))
    let build = try Program.run(["build", "project", "--output", "out"], in: folder.path)
    try #require(build.status == 0, "\(build.errors)")
    let first = "out/\(TemporaryFolder.archive(TemporaryFolder.apps[0], version: "1.1.0"))"
    let words =
      "\n  receipts: 2 of 2 packages hold models that passed weakened limits; verify each alone to "
      + "read them, the first is \(first)\n"
    let run = try verify("out/SHA256SUMS")
    #expect(run.output.contains(words), "\(run.output)\(run.errors)")
  }

  @Test(arguments: [
    ("rm \(archives[1]).sig", "\(archives[1]): is not signed, '\(archives[1]).sig' is not there"),
    (
      "cp \(archives[0]).sig \(archives[1]).sig",
      "\(archives[1]).sig: does not fit \(archives[1]): the file or the signature has changed"
    ),
    ("echo x >\(archives[1]).sig", "\(archives[1]).sig: does not begin with"),
    (
      "ssh-keygen -q -t ed25519 -N '' -f k && rm \(archives[1]).sig && ssh-keygen -q -Y sign -f k "
        + "-n package@ingot.dev \(archives[1]) 2>&1", "\(archives[1]).sig: "
    ),
    (
      "cp \(archives[0]).intoto.jsonl \(archives[1]).intoto.jsonl",
      "\(archives[1]).intoto.jsonl: speaks of"
    ),
  ])
  func aPackageThatIsNotSignedIsNamed(_ change: String, _ words: String) throws {
    let made = try Program.shell(change, in: folder.path)
    try #require(made.status == 0, "\(made.errors)")
    for path in ["out", "out/SHA256SUMS"] {
      let run = try verify(path)
      #expect(run.status == 4)
      #expect(run.output.isEmpty)
      #expect(
        run.errors.hasPrefix(
          "error: out/SHA256SUMS: 1 of 2 packages not sound and signed\n  \(words)"),
        "\(run.errors)")
      #expect(try Program.run(["verify", path], in: folder.path).status == 0)
    }
  }

  /// What can be neither read nor missing is a fault of its package, and the next one is looked at.
  @Test(arguments: [
    ("rm $F && mkfifo $F", ".sig"), ("rm $F && mkdir $F", ".sig"),
    ("rm $F && ln -s nowhere $F", ".sig"), ("rm $F && mkfifo $F", ".intoto.jsonl"),
    ("rm $F && ln -s nowhere $F", ".intoto.jsonl"),
  ])
  func whatIsNoFileBesideAPackageEndsNothing(_ change: String, _ suffix: String) throws {
    let place = "\(Self.archives[0])\(suffix)"
    let made = try Program.shell(
      "F=\(place); \(change) && rm \(Self.archives[1]).sig", in: folder.path)
    try #require(made.status == 0, "\(made.errors)")
    let run = try verify("out")
    #expect(run.status == 4)
    #expect(run.errors.contains("2 of 2 packages not sound and signed\n"), "\(run.errors)")
    #expect(run.errors.contains("  \(place): is not a regular file\n"), "\(run.errors)")
    #expect(run.errors.contains("\(Self.archives[1]): is not signed"), "\(run.errors)")
  }
}
