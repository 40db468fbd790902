import Foundation
import TestSupport
import Testing

/// Attacks on a signed output folder: somebody without the key cuts, deletes and rewrites files, so
/// that a version that was shipped can be built again with other content.
@Suite(.enabled(if: Program.has("ssh-keygen"), "needs ssh-keygen")) struct IndexEndTests {
  private let folder: TemporaryFolder
  private let second = "out/\(TemporaryFolder.archive(TemporaryFolder.apps[1]))"

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeFaultProject()
    try build()
    try shell("echo \"a@x $(cat project/keys/release.pub)\" >signers")
  }

  private func build() throws {
    let run = try Program.run(["build", "project", "--output", "out"], in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
  }

  private func shell(_ script: String) throws {
    let run = try Program.shell(script, in: folder.path)
    try #require(run.status == 0, "\(run.errors)\(run.output)")
  }

  private func verify(_ path: String, _ flags: [String] = []) throws -> Program {
    try Program.run(
      ["verify", path, "--allowed-signers", "signers"] + flags, in: folder.path)
  }

  /// Takes the second customer's archive away, and changes its model.
  private func replaceTheSecondPackage(version: String = "1.0.0") throws {
    try shell("rm \(second)*")
    try folder.writeFaultProject(version: version, weight: 0.75)
  }

  /// The attack that this is about: the last line goes with its archive, and another 1.0.0 is built.
  @Test(arguments: ["sed -i '$d' out/index.jsonl", "rm out/index.jsonl"])
  func aVersionBehindTheCutIsNotBuiltAgain(_ cut: String) throws {
    try replaceTheSecondPackage()
    try shell(cut)
    // The second time the only trace is the one that the first run kept.
    for _ in 0..<2 {
      let run = try Program.run(["build", "project", "--output", "out", "--json"], in: folder.path)
      #expect(run.status == 1)
      let refused = try #require(try run.json()["refused"] as? [[String: Any]])
      #expect(refused.map { $0["customer"] as? String } == [TemporaryFolder.apps[1]])
      #expect(refused.map { $0["cause"] as? String } == ["conflict"])
      #expect(run.errors.contains("a version is never written twice"), "\(run.errors)")
      #expect(!folder.exists(second))
    }
    #expect(try verify("out").status == 0)
  }

  /// Two releases: what only the index knew of the first is not lost with its end.
  @Test(arguments: [
    (
      "sed -i '$d' out/index.jsonl; sed -i '$d' out/index.jsonl; sed -i '$d' out/index.jsonl",
      "ends behind line 1,"
    ),
    ("rm out/index.jsonl", "ends behind line 0,"),
    ("sed -i '2,$d' out/index.jsonl; rm out/SHA256SUMS.sig", "is not signed"),
    ("sed -i '2,$d' out/index.jsonl; rm out/SHA256SUMS", "is not there"),
    ("sed -i '2,$d' out/index.jsonl; sed -i 1d out/SHA256SUMS", "is not what"),
    ("echo x >out/SHA256SUMS.sig", "does not begin with"),
    (
      "sed -i 's/ to 4 / to 1 /' out/SHA256SUMS; ssh-keygen -q -t ed25519 -N '' -f k; "
        + "rm out/SHA256SUMS.sig; ssh-keygen -q -Y sign -f k -n sums@ingot.dev out/SHA256SUMS 2>&1",
      "is signed with SHA256:"
    ),
  ])
  func anIndexThatTheSignedListDoesNotConfirmEndsTheBuild(_ cut: String, _ words: String)
    throws
  {
    try folder.writeFaultProject(version: "1.1.0")
    try build()
    try shell(cut)
    try replaceTheSecondPackage()
    let before = try folder.contents(of: "out")
    let run = try Program.run(
      ["build", "project", "--output", "out", "--allow-downgrade"], in: folder.path)
    #expect(run.status == 1)
    #expect(run.errors.contains(words), "\(run.errors)")
    let lost = words.hasPrefix("ends ") ? "index.jsonl" : "index.jsonl and SHA256SUMS"
    #expect(run.errors.contains("hint: bring \(lost) back from a backup; "), "\(run.errors)")
    #expect(
      try folder.contents(of: "out").filter { $0.key != ".lock" }
        == before.filter { $0.key != ".lock" })
  }

  /// Lines that fit the chain are added, with the digests of a package that nobody signed, to unlock
  /// a second 1.0.0.
  @Test(.enabled(if: Program.has("python3"), "needs python3"))
  func linesThatWereAddedUnlockNothing() throws {
    try folder.writeFaultProject(version: "1.1.0")
    try build()
    try replaceTheSecondPackage()
    try shell("cp -a project forged && sed -i 's/, sign: [^}]*//' forged/ingot.yaml")
    let forged = try Program.run(["build", "forged", "--output", "other"], in: folder.path)
    try #require(forged.status == 0, "\(forged.errors)")
    try shell(
      #"""
      python3 - <<'END'
      import hashlib, json
      index = open("out/index.jsonl").read()
      line = json.loads(index.splitlines()[1])
      other = json.loads(open("other/index.jsonl").read().splitlines()[1])
      assert line["path"] == other["path"] and line["sha256"] != other["sha256"]
      for key in ["sha256", "bytes", "inputs", "terms", "models"]:
          line[key] = other[key]
      line["previous"] = hashlib.sha256(index.splitlines()[-1].encode()).hexdigest()
      text = json.dumps(line, sort_keys=True, separators=(",", ":"))
      open("out/index.jsonl", "a").write(text + "\n")
      END
      """#)
    let words = "ends behind line 5, SHA256SUMS says behind line 4; lines were added"
    let before = try folder.contents(of: "out").filter { $0.key != ".lock" }
    let run = try Program.run(["build", "project", "--output", "out"], in: folder.path)
    #expect(run.status == 1)
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(run.errors.contains("hint: bring index.jsonl and SHA256SUMS back from a backup"))
    #expect(try folder.contents(of: "out").filter { $0.key != ".lock" } == before)
    let audit = try verify("out")
    #expect(audit.status == 4)
    #expect(audit.errors.contains(words), "\(audit.errors)")
    // Taken at its word, the index still has a line of the first 1.0.0.
    let accepted = try Program.run(
      ["build", "project", "--output", "out", "--json", "--accept-index"], in: folder.path)
    #expect(accepted.status == 1)
    let refused = try #require(try accepted.json()["refused"] as? [[String: Any]])
    #expect(refused.map { $0["customer"] as? String } == [TemporaryFolder.apps[1]])
    #expect(refused.map { $0["cause"] as? String } == ["conflict"])
    #expect(!folder.exists(second))
  }

  @Test(.enabled(if: Program.has("sha256sum"), "needs sha256sum"))
  func sha256sumPassesOverTheFirstLine() throws {
    try folder.writeFaultProject(version: "1.1.0")
    try shell("cp out/SHA256SUMS first")
    try build()
    try shell("cd out && sha256sum --strict --quiet -c SHA256SUMS ../first")
    let list = String(decoding: try folder.bytes("out/SHA256SUMS"), as: UTF8.self)
    #expect(list.hasPrefix("# index.jsonl from 2 "))
    #expect(list.split(separator: "\n").count == 3)
  }

  @Test func aFolderIsVerifiedWhole() throws {
    let run = try verify("out")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("out/SHA256SUMS: sound, 2 files\n  signature: good, by 'a@x'"))
    #expect(run.output.hasSuffix("  index: all of its 2 lines as listed\n"))
    let json = try verify("out", ["--json"]).json()
    #expect(json["index"] as? [String: Int] == ["lines": 2, "listed": 2])
    #expect(
      json["checked"] as? [String] == [
        "integrity", "models", "index", "signature", "packageSignatures",
      ])
    #expect(json["authenticated"] as? Bool == true)
    // A copy of an earlier list holds beside the index of today.
    try shell("mkdir old && cp out/SHA256SUMS* old/")
    try folder.writeFaultProject(version: "1.1.0")
    try build()
    try shell("cp -a out/[0-9]* out/index.jsonl old/")
    let old = try verify("old/SHA256SUMS")
    #expect(old.status == 0, "\(old.errors)")
    #expect(old.output.contains("  index: 2 of 4 lines as listed, the others came later\n"))
  }

  @Test(arguments: [
    ("sed -i '$d' out/index.jsonl", "ends behind line 1, SHA256SUMS says behind line 2"),
    ("rm out/index.jsonl", "out/index.jsonl: is not there"),
    ("rm out/SHA256SUMS", "has an index and no SHA256SUMS"),
    ("rm out/SHA256SUMS.sig", "is not signed"),
    ("sed -i '1s/.*/# hello/' out/SHA256SUMS", "the file or the signature has"),
    (
      "cp \(TemporaryFolder.stray(0)) \(TemporaryFolder.stray(9))",
      "-9.0.0.tar.zst: is not in index.jsonl; build version 9.0.0 again"
    ),
  ])
  func whatDoesNotAgreeIsAVerificationFailure(_ change: String, _ words: String) throws {
    try shell(change)
    let run = try verify("out")
    #expect(run.status == 4)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains(words), "\(run.errors)")
  }

  /// Lists of before did not say where the index ends; somebody must say that this one is the last, and
  /// the next one says it.
  @Test func aListOfBeforeIsTakenAndReplaced() throws {
    try shell(
      "sed -i 1d out/SHA256SUMS && rm out/SHA256SUMS.sig && ssh-keygen -q -Y sign "
        + "-f project/keys/release -n sums@ingot.dev out/SHA256SUMS 2>&1")
    #expect(try verify("out").output.contains("index: not checked, the list does not say where"))
    let before = try folder.contents(of: "out").filter { $0.key != ".lock" }
    let refused = try Program.run(["build", "project", "--output", "out"], in: folder.path)
    #expect(refused.status == 1)
    let words = "does not say where index.jsonl ends, as lists of older Ingots do not: lines may"
    #expect(refused.errors.contains("error: out/SHA256SUMS: \(words) have"), "\(refused.errors)")
    #expect(refused.errors.hasSuffix("; where this list is the last one, say --accept-index\n"))
    #expect(try folder.contents(of: "out").filter { $0.key != ".lock" } == before)
    let run = try Program.run(
      ["build", "project", "--output", "out", "--accept-index"], in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("cut off its end unseen; it is taken at its word"))
    #expect(try verify("out").output.contains("index: all of its 2 lines as listed"))
  }

  /// A build that is killed leaves the new list waiting for its name; the next build gives it.
  @Test func aListThatWaitsGetsItsName() throws {
    let list = try folder.bytes("out/SHA256SUMS")
    try shell("mv out/SHA256SUMS out/.ingot-SHA256SUMS && rm out/index.jsonl")
    try build()
    #expect(try folder.bytes("out/SHA256SUMS") == list)
    #expect(!folder.exists("out/.ingot-SHA256SUMS"))
    // One that the signature does not fit is nothing.
    try folder.write("out/.ingot-SHA256SUMS", "x")
    try build()
    #expect(try folder.bytes("out/SHA256SUMS") == list)
    #expect(!folder.exists("out/.ingot-SHA256SUMS"))
  }

  @Test func withoutAKeyNothingIsAuthenticated() throws {
    let text = String(decoding: try folder.bytes("project/ingot.yaml"), as: UTF8.self)
    try folder.write("project/ingot.yaml", text.replacing(/, sign: [^}]*/, with: ""))
    let run = try Program.run(["build", "project", "--output", "plain"], in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
    let found = try Program.run(["verify", "plain"], in: folder.path)
    #expect(found.status == 0)
    #expect(
      found.output == """
        plain/SHA256SUMS: sound, 2 files
          integrity only, not authenticated: there is no signature
          models: opened, all of 2 packages
          index: all of its 2 lines as listed

        """)
  }
}

extension TemporaryFolder {
  /// Where an archive of the first customer lies, or would, by its major version.
  fileprivate static func stray(_ major: Int) -> String {
    "out/\(archive(apps[0], version: major == 0 ? "1.0.0" : "\(major).0.0"))"
  }
}
