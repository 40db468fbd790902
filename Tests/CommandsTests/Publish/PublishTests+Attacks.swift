import Foundation
import TestSupport
import Testing

/// What devices could not follow is not published.
extension PublishTests {
  private var metadata: String { folder.path("repository/apps/\(app)/metadata") }

  private func copy(_ name: String, to other: String) throws {
    try FileManager.default.copyItem(atPath: "\(metadata)/\(name)", toPath: "\(metadata)/\(other)")
  }

  /// Two equal keys are one signature: no device would take such a root, and none behind it.
  @Test func equalKeysOfARootAreRefusedBeforeAnythingIsWritten() throws {
    let equal = folder.path("keys/root-2")
    let other = try folder.text("keys/root-2")
    try folder.write("keys/root-2", try folder.text("keys/root-1"))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: equal)
    for more in [["--dry-run"], []] {
      let run = try run(["out"] + more)
      #expect(run.status == 1)
      #expect(run.errors.contains("'root-1', 'root-2' are one key"))
    }
    #expect(!FileManager.default.fileExists(atPath: "\(metadata)/1.root.json"))
    try folder.write("keys/root-2", other)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: equal)
    #expect(try run(["out"]).status == 0)
  }

  /// Whoever may write to a build's output is nobody whose models are published.
  @Test func anArchiveThatIsNotAsListedIsRefused() throws {
    let archive = "out/\(TemporaryFolder.archive(app))"
    let bytes = try folder.bytes(archive)
    let other = "out/\(TemporaryFolder.archive(TemporaryFolder.apps[1]))"
    try folder.write(archive, try folder.bytes(other))
    let run = try run(["out"])
    #expect(run.status == 4)
    #expect(run.errors.contains("\(archive): its SHA-256 is "), "\(run.errors)")
    try folder.write(archive, bytes)
    #expect(try self.run(["out"]).status == 0)
  }

  @Test func onlyWhatWasSignedIsPublishedWhereThatIsAskedFor() throws {
    let made = try Program.shell(
      "ssh-keygen -q -t ed25519 -N '' -f signer -C release && "
        + "echo \"release@example.com $(cut -d' ' -f1,2 signer.pub)\" > signers", in: folder.path)
    #expect(made.status == 0)
    let archive = "out/\(TemporaryFolder.archive(app))"
    for packages in ["out", archive] {
      let unsigned = try run([packages, "--allowed-signers", "signers"])
      #expect(unsigned.status == 4)
      #expect(unsigned.errors.contains("is not signed"), "\(unsigned.errors)")
    }
    #expect(!folder.exists("repository"))
    let signed = try Program.shell(
      "ssh-keygen -q -Y sign -n sums@ingot.dev -f signer out/SHA256SUMS && "
        + "ssh-keygen -q -Y sign -n package@ingot.dev -f signer \(archive)", in: folder.path)
    #expect(signed.status == 0)
    let unchecked = try run([archive])
    #expect(unchecked.errors.contains("is signed, and nobody looked by whom"))
    for packages in ["out", archive] {
      let run = try run([packages, "--allowed-signers", "signers"])
      #expect(run.status == 0, "\(run.errors)")
    }
    let list = try folder.text("out/SHA256SUMS")
    try folder.write("out/SHA256SUMS", list + "\n")
    #expect(try run(["out", "--allowed-signers", "signers"]).status == 4)
  }

  @Test func aRotationToEqualKeysIsRefused() throws {
    #expect(try run(["out"]).status == 0)
    #expect(try run(["keys", "next"], plain: true).status == 0)
    try folder.write("next/root-1", try folder.text("next/root-2"))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: folder.path("next/root-1"))
    let rotated = try run(["rotate", "--new-keys", "next"])
    #expect(rotated.status == 1 && rotated.errors.contains("are one key"))
    #expect(!FileManager.default.fileExists(atPath: "\(metadata)/2.root.json"))
    #expect(try run(["refresh"]).status == 0)
  }

  /// A rotation that ended early goes on where it is not done, and one to the keys in force is none.
  @Test func aRotationIsDoneOnceForEachCustomer() throws {
    #expect(try run(["out"]).status == 0)
    let same = try run(["rotate", "--new-keys", "keys"])
    #expect(same.status == 1)
    #expect(same.errors.contains("the next keys are those that are in force"), "\(same.errors)")
    #expect(try run(["keys", "next"], plain: true).status == 0)
    #expect(try run(["rotate", "--new-keys", "next", "--app", app]).status == 0)
    let rest = try run(["rotate", "--new-keys", "next"])
    #expect(rest.status == 0, "\(rest.errors)")
    for app in TemporaryFolder.apps.prefix(2) {
      #expect(folder.exists("repository/apps/\(app)/metadata/2.root.json"))
      #expect(!folder.exists("repository/apps/\(app)/metadata/3.root.json"))
    }
  }

  /// Devices come from the first root to the last by way of every other.
  @Test(arguments: ["3.root.json", "2.root.json", "-1.root.json", "007.root.json"])
  func rootsThatDoNotFollowEachOtherAreRefused(_ name: String) throws {
    #expect(try run(["out"]).status == 0)
    try copy("1.root.json", to: name)
    for arguments in [["refresh"], ["out"], ["rotate"]] {
      let run = try run(arguments)
      #expect(run.status == 1)
      #expect(run.errors.contains("root.json"), "\(run.errors)")
      #expect(run.errors.contains("hint: bring the folder back from a backup"))
    }
  }

  /// What was withdrawn stays so where the timestamp is lost.
  @Test func aLostTimestampForgetsNothing() throws {
    #expect(try run(["out"]).status == 0)
    #expect(try run(["withdraw", "1.0.0"]).status == 0)
    try FileManager.default.removeItem(atPath: "\(metadata)/timestamp.json")
    let refreshed = try run(["refresh", "--app", app])
    #expect(refreshed.status == 1)
    #expect(refreshed.errors.contains("no timestamp.json that leads to them"))
    let again = try run(["out"])
    #expect(again.status == 1)
    #expect(again.errors.contains("version 1.0.0 was withdrawn"))
  }

  @Test func aTimestampThatIsNoFileIsAnError() throws {
    #expect(try run(["out"]).status == 0)
    try FileManager.default.removeItem(atPath: "\(metadata)/timestamp.json")
    try FileManager.default.createDirectory(
      atPath: "\(metadata)/timestamp.json", withIntermediateDirectories: false)
    for arguments in [["refresh"], ["out"]] {
      let run = try run(arguments)
      #expect(run.status == 1 && run.errors.contains("timestamp.json"), "\(run.errors)")
    }
  }
}
