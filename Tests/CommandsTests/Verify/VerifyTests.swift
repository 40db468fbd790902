import Foundation
import TestSupport
import Testing

struct VerifyTests {
  let folder: TemporaryFolder
  let archive: Data

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeProject()
    _ = try Program.run(["build", "project", "--output", "out", "--quiet"], in: folder.path)
    archive = try folder.bytes("out/\(TemporaryFolder.archive(TemporaryFolder.apps[0]))")
  }

  private func verify(_ bytes: Data, _ flags: [String] = []) throws -> Program {
    try folder.write("a.tar.zst", bytes)
    return try Program.run(["verify", "a.tar.zst"] + flags, in: folder.path)
  }

  @Test func soundArchiveIsDescribed() throws {
    let run = try verify(archive)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines.first == "a.tar.zst: sound")
    #expect(lines.contains { $0.contains("model 'first_flow' version 1, flow 7001, int8") })
    #expect(lines.contains { $0.contains("model 'vector', int8") })
  }

  @Test func jsonHoldsTheManifest() throws {
    let run = try verify(archive, ["--json"])
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    let json = try run.json()
    #expect(json["schemaVersion"] as? Int == 1)
    #expect(json["verdict"] as? String == "sound")
    #expect(json["bytes"] as? Int == archive.count)
    #expect((json["manifest"] as? [String: Any])?["files"] is [Any])
    let keys = run.output.matches(of: /(?m)^  "([A-Za-z0-9]+)":/).map { String($0.1) }
    #expect(
      keys == [
        "authenticated", "bytes", "checked", "coverage", "limits", "manifest", "path",
        "schemaVersion", "searches",
        "sha256", "signature", "sourceChecks", "tarSha256", "verdict", "warnings",
      ])
  }

  /// A few bits of a zstd frame can change without changing what it decodes to; until packages are
  /// signed that passes, and nothing else may.
  @Test func aFlippedBitIsNoticedOrChangesNothing() throws {
    let sound = try verify(archive, ["--json"]).json()["tarSha256"] as? String
    let spread = stride(from: 16, to: archive.count, by: archive.count / 24)
    let places = Array(0..<16) + spread + Array(archive.count - 6..<archive.count)
    var refused = 0
    for (index, place) in places.enumerated() {
      var bytes = archive
      bytes[place] ^= 1 << UInt8(index % 8)
      let run = try verify(bytes, ["--json"])
      if run.status == 0 {
        #expect(try run.json()["tarSha256"] as? String == sound, "byte \(place)")
        continue
      }
      refused += 1
      #expect(run.status == 4, "byte \(place)")
      #expect(run.output.isEmpty)
      #expect(run.errors.hasPrefix("error: a.tar.zst: "), "byte \(place)")
      #expect(run.errors.split(separator: "\n").count == 1)
    }
    #expect(refused >= places.count - 3)
  }

  @Test func everyTruncationIsNoticed() throws {
    for count in [0, 1, 3, 4, 5, 6, 10, 17, 18, archive.count / 2, archive.count - 1] {
      let run = try verify(archive.prefix(count))
      #expect(run.status == 4, "\(count) bytes")
      #expect(run.output.isEmpty)
      #expect(run.errors.hasPrefix("error: a.tar.zst: "))
    }
  }

  @Test func whatFollowsIsNoticed() throws {
    let byte = try verify(archive + [0x0A, 0x0A])
    #expect(byte.status == 4)
    #expect(byte.errors == "error: a.tar.zst: 2 bytes follow the zstd frame\n")
    let frame = try verify(archive + archive)
    #expect(frame.status == 4)
    #expect(
      frame.errors == "error: a.tar.zst: a second zstd frame starts at byte \(archive.count)\n")
  }

  @Test(.enabled(if: Program.has("zstd") && Program.has("tar"), "zstd and tar are needed"))
  func repackedArchiveIsNotOurs() throws {
    _ = try verify(archive)
    let repack = try Program.shell(
      "mkdir t && tar -xf a.tar.zst -C t && cd t && printf x >> models/vector/model.safetensors "
        + "&& tar --zstd -cf ../b.tar.zst manifest.json models receipts", in: folder.path)
    #expect(repack.status == 0)
    let run = try Program.run(["verify", "b.tar.zst"], in: folder.path)
    #expect(run.status == 4)
    #expect(run.output.isEmpty)
    #expect(
      run.errors
        == "error: b.tar.zst: the zstd frame does not declare the size of its content\n")
  }

  @Test func whatCannotBeReadIsAFailureOfAnotherKind() throws {
    let missing = try Program.run(["verify", "gone.tar.zst"], in: folder.path)
    #expect(missing.status == 1)
    #expect(missing.errors == "error: gone.tar.zst: cannot open: no such file or directory\n")
    let isFolder = try Program.run(["verify", "project"], in: folder.path)
    #expect(isFolder.status == 1)
    #expect(isFolder.errors == "error: project: is a folder, expected a regular file\n")
  }

  /// Not one byte can be written to any file, here or elsewhere, and nothing is missed.
  @Test func nothingIsWritten() throws {
    let free = try verify(archive)
    let before = try folder.files()
    let run = try Program.shell(#"ulimit -f 0; "$0" verify a.tar.zst"#, in: folder.path)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(run.output == free.output)
    #expect(try folder.files() == before)
  }
}
