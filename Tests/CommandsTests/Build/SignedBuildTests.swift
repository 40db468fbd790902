import Foundation
import TestSupport
import Testing

/// Builds that sign: what lies beside each archive, and what becomes of it.
@Suite(.enabled(if: Program.has("ssh-keygen"), "needs ssh-keygen")) struct SignedBuildTests {
  private let folder: TemporaryFolder
  private let archive = "out/\(TemporaryFolder.archive(TemporaryFolder.apps[0]))"

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeProject()
    try sign(with: "release")
  }

  /// Makes a key and names it in the project.
  private func sign(with key: String) throws {
    let made = try Program.shell(
      #"ssh-keygen -q -t ed25519 -N '' -C "$1" -f "$1""#, [key], in: folder.path)
    #expect(made.status == 0, "\(made.errors)")
    let text = try String(contentsOfFile: folder.path("project/ingot.yaml"), encoding: .utf8)
    let unsigned = text.replacing(/, sign: [^}]*/, with: "")
    let end = #"<2.0.0"}"#
    #expect(unsigned.contains(end))
    try folder.write(
      "project/ingot.yaml", unsigned.replacing(end, with: #"<2.0.0", sign: ../\#(key)}"#))
  }

  private func build(_ flags: [String] = []) throws -> [Bool?] {
    let run = try Program.run(
      ["build", "project", "--output", "out", "--json"] + flags, in: folder.path)
    #expect(run.status == 3, "\(run.errors)")
    let packages = try #require(try run.json()["packages"] as? [[String: Any]])
    return packages.map { $0["reused"] as? Bool }
  }

  /// Whether OpenSSH finds a signature good.
  private func isGood(_ path: String, key: String, namespace: String) throws -> Bool {
    try Program.shell(
      #"""
      echo "release@example.com $(cat "$2.pub")" >signers
      ssh-keygen -Y verify -f signers -I release@example.com -n "$3" -s "$1.sig" <"$1"
      """#, [path, key, namespace], in: folder.path
    ).status == 0
  }

  @Test func everyArchiveAndTheListAreSigned() throws {
    #expect(try build() == [false, false])
    for app in TemporaryFolder.apps.prefix(2) {
      let path = "out/\(TemporaryFolder.archive(app))"
      #expect(try isGood(path, key: "release", namespace: "package@ingot.dev"))
      #expect(folder.exists("\(path).intoto.jsonl"))
      let verified = try Program.run(
        ["verify", path, "--allowed-signers", "signers"], in: folder.path)
      #expect(verified.status == 0, "\(verified.errors)")
      #expect(verified.output.contains("provenance: good"))
    }
    #expect(try isGood("out/SHA256SUMS", key: "release", namespace: "sums@ingot.dev"))
    #expect(try !isGood(archive, key: "release", namespace: "sums@ingot.dev"))
  }

  @Test func aSecondBuildChangesNothing() throws {
    _ = try build()
    let before = try folder.contents(of: "out").filter { $0.key != ".lock" }
    #expect(before.count == 9)
    #expect(try build() == [true, true])
    #expect(try folder.contents(of: "out").filter { $0.key != ".lock" } == before)
  }

  @Test(arguments: [".sig", ".intoto.jsonl"])
  func whatIsMissingOrChangedComesBack(_ suffix: String) throws {
    _ = try build()
    let before = try folder.bytes(archive + suffix)
    try FileManager.default.removeItem(atPath: folder.path(archive + suffix))
    #expect(try build() == [true, true])
    #expect(try folder.bytes(archive + suffix) == before)
    try folder.write(archive + suffix, "something else")
    #expect(try build() == [true, true])
    #expect(try folder.bytes(archive + suffix) == before)
  }

  /// Changes the lines of the index (`lines`, in Python) and chains them anew.
  private func forgeIndex(_ change: String) throws {
    let script = """
      import hashlib, json, os, shutil
      lines = [json.loads(line) for line in open("out/index.jsonl")]
      \(change)
      previous = hashlib.sha256(b"").hexdigest()
      with open("out/index.jsonl", "w") as index:
          for line in lines:
              line["previous"] = previous
              text = json.dumps(line, sort_keys=True, separators=(",", ":"))
              previous = hashlib.sha256(text.encode()).hexdigest()
              index.write(text + "\\n")
      """
    let forged = try Program.shell("python3 - <<'END'\n\(script)\nEND\n", in: folder.path)
    #expect(forged.status == 0, "\(forged.errors)")
  }

  /// An index that says, with a sound chain, that garbage is the signature is believed no more than
  /// one that lost its signature.
  @Test(.enabled(if: Program.has("python3"), "needs python3"))
  func garbageIsNoSignatureWhateverTheIndexSays() throws {
    _ = try build()
    let before = try folder.bytes(archive + ".sig")
    try forgeIndex(
      #"""
      garbage = b"garbage"
      open("out/" + lines[0]["path"] + ".sig", "wb").write(garbage)
      lines[0]["vouchers"][".sig"] = hashlib.sha256(garbage).hexdigest()
      """#)
    let run = try Program.run(["build", "project", "--output", "out"], in: folder.path)
    #expect(run.status == 1)
    #expect(run.errors.contains("index.jsonl"), "\(run.errors)")
    // Even an index that is taken as it is does not make garbage a signature.
    #expect(try build(["--accept-index"]) == [true, true])
    #expect(try folder.bytes(archive + ".sig") == before)
  }

  /// The right key's signature of another archive does not sign this one.
  @Test func theSignatureOfAnotherArchiveIsReplaced() throws {
    _ = try build()
    let before = try folder.bytes(archive + ".sig")
    let other = "out/\(TemporaryFolder.archive(TemporaryFolder.apps[1])).sig"
    let copied = try Program.shell(
      #"cp "$1" "$2""#, [other, archive + ".sig"], in: folder.path)
    #expect(copied.status == 0)
    #expect(try build() == [true, true])
    #expect(try folder.bytes(archive + ".sig") == before)
  }

  @Test func anotherKeySignsWhatIsThere() throws {
    _ = try build()
    let before = try folder.bytes(archive)
    let index = try folder.bytes("out/index.jsonl")
    try sign(with: "other")
    let refused = try Program.run(["build", "project", "--output", "out"], in: folder.path)
    #expect(refused.status == 1)
    #expect(
      refused.errors.contains("error: out/SHA256SUMS: is signed with SHA256:"), "\(refused.errors)")
    #expect(refused.errors.contains("say --accept-index"))
    #expect(try build(["--accept-index"]) == [true, true])
    #expect(try build() == [true, true])
    #expect(try folder.bytes(archive) == before)
    #expect(try isGood(archive, key: "other", namespace: "package@ingot.dev"))
    #expect(try isGood("out/SHA256SUMS", key: "other", namespace: "sums@ingot.dev"))
    let lines = try folder.bytes("out/index.jsonl")
    #expect(lines.starts(with: index))
    #expect(lines.count(where: { $0 == UInt8(ascii: "\n") }) == 4)
  }

  /// An index is anyone's word. This one says, with a sound chain, that the second customer's archive
  /// is the first one's; no key may vouch for that.
  @Test(
    .enabled(if: Program.has("python3"), "needs python3"), arguments: ["before", "after"])
  func nothingIsSignedOnTheWordOfAnIndex(_ signing: String) throws {
    let signed = try String(contentsOfFile: folder.path("project/ingot.yaml"), encoding: .utf8)
    if signing == "after" {
      try folder.write("project/ingot.yaml", signed.replacing(/, sign: [^}]*/, with: ""))
    }
    _ = try build()
    try folder.write("project/ingot.yaml", signed)
    try forgeIndex(
      #"""
      mine, other = lines[0], lines[1]
      for suffix in ["", ".sig", ".intoto.jsonl"]:
          if os.path.exists("out/" + other["path"] + suffix):
              shutil.copy("out/" + other["path"] + suffix, "out/" + mine["path"] + suffix)
      for key in ["sha256", "bytes", "vouchers"]:
          if key in other:
              mine[key] = other[key]
      """#)
    let sumsBefore = try folder.bytes("out/SHA256SUMS")
    let unread = try Program.run(["build", "project", "--output", "out"], in: folder.path)
    #expect(unread.status == 1)
    let words = signing == "after" ? "is not signed, the project signs with" : "is not the one with"
    #expect(unread.errors.contains(words), "\(unread.errors)")
    #expect(try folder.bytes("out/SHA256SUMS") == sumsBefore)
    // Not even somebody who takes the index at its word has it signed unseen.
    let run = try Program.run(
      ["build", "project", "--output", "out", "--json", "--accept-index"], in: folder.path)
    let refused = try #require(try run.json()["refused"] as? [[String: Any]])
    #expect(refused.first?["customer"] as? String == TemporaryFolder.apps[0])
    #expect(refused.first?["cause"] as? String == "conflict")
    let sums = String(decoding: try folder.bytes("out/SHA256SUMS"), as: UTF8.self)
    #expect(!sums.contains(archive.dropFirst(4)))
    let verified = try Program.run(["verify", archive], in: folder.path)
    #expect(verified.status == 4)
    #expect(verified.errors.contains("and is not called so"))
  }

  @Test func aKeyThatOthersCanReadSignsNothing() throws {
    #expect(try Program.shell("chmod 644 release", in: folder.path).status == 0)
    let run = try Program.run(["build", "project", "--output", "out"], in: folder.path)
    #expect(run.status == 1)
    #expect(run.errors.contains("has mode 0644, others can use it"), "\(run.errors)")
    #expect(run.errors.contains("hint: chmod 600"))
    #expect(!folder.exists("out"))
    let secret = try String(contentsOfFile: folder.path("release"), encoding: .utf8)
    for line in secret.split(separator: "\n").dropFirst().dropLast() {
      #expect(!run.errors.contains(line) && !run.output.contains(line))
    }
  }
}
