import Foundation
import TestSupport
import Testing

/// `publish` from a build's output to a repository.
struct PublishTests {
  let folder: TemporaryFolder
  private let app = TemporaryFolder.apps[0]

  init() throws {
    folder = try TemporaryFolder.withBuiltProject()
    #expect(try run(["keys", "keys"], plain: true).status == 0)
  }

  /// Runs a subcommand on the repository.
  ///
  /// - Parameter plain: without the flags of a repository.
  private func run(_ arguments: [String], plain: Bool = false) throws -> Program {
    let flags =
      plain
      ? [] : ["--repository", "repository", "--keys", "keys", "--time", "2026-11-21T00:00:00Z"]
    return try Program.run(["publish"] + arguments + flags, in: folder.path)
  }

  /// What is signed in a file of metadata, by Foundation's reader.
  private func signed(_ name: String, app: String? = nil) throws -> [String: Any] {
    let path = "repository/apps/\(app ?? self.app)/metadata/\(name)"
    let file = try JSONSerialization.jsonObject(with: try folder.bytes(path)) as? [String: Any]
    return try #require(file?["signed"] as? [String: Any])
  }

  /// What is said of each target of the app's metadata.
  private func offers(_ name: String) throws -> [String: [String: Any]] {
    let targets = try #require(try signed(name)["targets"] as? [String: [String: Any]])
    return targets.mapValues { $0["custom"] as? [String: Any] ?? [:] }
  }

  @Test func everyPackageOfABuildIsOffered() throws {
    let run = try run(["out", "--rollout", "2.5%", "--json"])
    #expect(run.status == 0, "\(run.errors)")
    let json = try run.json()
    let offers = try #require(json["offers"] as? [[String: Any]])
    #expect(offers.map { $0["app"] as? String } == Array(TemporaryFolder.apps.prefix(2)))
    #expect(offers.allSatisfy { $0["permyriad"] as? Int == 250 && $0["isNew"] as? Bool == true })
    let custom = try #require(try self.offers("1.targets.json").values.first)
    #expect(custom["status"] as? String == "active")
    #expect((custom["rollout"] as? [String: Any])?["permyriad"] as? Int == 250)
    #expect(try signed("1.root.json")["x-app-id"] as? String == app)
    #expect(try signed("1.root.json")["expires"] as? String == "2027-11-21T00:00:00Z")
    #expect(try signed("timestamp.json")["expires"] as? String == "2026-12-05T00:00:00Z")
    // The shared model lies there once, the manifests of two customers and their flows apart.
    let names = try FileManager.default.contentsOfDirectory(
      atPath: folder.path("repository/blobs"))
    #expect(!names.isEmpty && Set(names).count == names.count)
  }

  @Test func theSameRunGivesTheSameFiles() throws {
    #expect(try run(["out"]).status == 0)
    let first = try folder.files().filter { $0.hasPrefix("repository/") }
    let bytes = try first.map(folder.bytes)
    try FileManager.default.moveItem(
      atPath: folder.path("repository"), toPath: folder.path("before"))
    #expect(try run(["out", "--jobs", "3"]).status == 0)
    #expect(try folder.files().filter { $0.hasPrefix("repository/") } == first)
    #expect(try first.map(folder.bytes) == bytes)
  }

  @Test func aVersionIsWidenedAndWithdrawn() throws {
    #expect(try run(["out", "--rollout", "5%"]).status == 0)
    let wider = try run(["out", "--rollout", "100%"])
    #expect(wider.status == 0, "\(wider.errors)")
    #expect(wider.output.contains("goes on to be offered to 100% of devices"))
    let custom = try #require(try offers("2.targets.json").values.first)
    #expect((custom["rollout"] as? [String: Any])?["permyriad"] as? Int == 10_000)
    let version = try #require(try offers("2.targets.json").keys.first)
      .dropFirst(app.count + 1).dropLast(5)
    let withdrawn = try run(["withdraw", String(version), "--app", app])
    #expect(withdrawn.status == 0, "\(withdrawn.errors)")
    #expect(try offers("3.targets.json").values.first?["status"] as? String == "withdrawn")
    // A later run of the same build does not bring it back.
    let revived = try run(["out"])
    #expect(revived.status == 1)
    #expect(
      revived.errors.hasPrefix(
        "error: '\(app)': version \(version) was withdrawn, and devices have left it\nhint: "))
    let again = try run(["withdraw", String(version), "--app", app])
    #expect(again.status == 1)
    #expect(again.errors.hasPrefix("error: '\(app)': version \(version) is not offered\n"))
  }

  @Test func aDryRunWritesNothing() throws {
    let before = try folder.files()
    let run = try run(["out", "--dry-run"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("would be offered to 100% of devices"))
    #expect(try folder.files() == before)
    #expect(!folder.exists("repository"))
  }

  /// The daily job has the online key and nothing else.
  @Test func aRefreshNeedsTheOnlineKeyAlone() throws {
    #expect(try run(["out"]).status == 0)
    for name in ["root-1", "root-2", "targets"] {
      try FileManager.default.removeItem(atPath: folder.path("keys/\(name)"))
    }
    let refreshed = try run(["refresh"])
    #expect(refreshed.status == 0, "\(refreshed.errors)")
    #expect(refreshed.output == "2 customers: signed anew\n")
    #expect(try signed("timestamp.json")["version"] as? Int == 2)
    let published = try run(["out"])
    #expect(published.status == 1)
    #expect(try signed("timestamp.json")["version"] as? Int == 2)
    #expect(
      published.errors.hasPrefix(
        "error: '\(app)': the key of 'targets' is needed and not at hand\nhint: "))
  }

  /// A root that lacks a key would hold for ever.
  @Test func aRootNeedsBothKeys() throws {
    try FileManager.default.removeItem(atPath: folder.path("keys/root-2"))
    let run = try run(["out"])
    #expect(run.status == 1)
    #expect(
      run.errors.hasPrefix("error: '\(app)': the key of 'root' is needed and not at hand\nhint: "))
    #expect(!folder.exists("repository/apps/\(app)/metadata/1.root.json"))
  }

  /// A run that ended before anything was offered does not keep others from being signed.
  @Test func aRefreshPassesOverWhatWasNotOffered() throws {
    #expect(try run(["out"]).status == 0)
    let half = "repository/apps/00000000-0000-0000-0000-000000000000/metadata"
    try folder.write(
      "\(half)/1.root.json", try folder.bytes("repository/apps/\(app)/metadata/1.root.json"))
    let refreshed = try run(["refresh"])
    #expect(refreshed.status == 1)
    #expect(refreshed.output == "2 customers: signed anew\n")
    #expect(refreshed.errors.contains("error: 1 customer: not signed\n"))
    #expect(try signed("timestamp.json")["version"] as? Int == 2)
  }

  @Test func keysRotate() throws {
    #expect(try run(["out"]).status == 0)
    let rotated = try run(["rotate", "--app", app, "--json"])
    #expect(rotated.status == 0, "\(rotated.errors)")
    #expect((try rotated.json()["generations"] as? [String: Int]) == [app: 2])
    #expect(try signed("2.root.json")["version"] as? Int == 2)
    // Later runs find the keys that are in force.
    #expect(try run(["refresh"]).status == 0)
    #expect(try run(["out"]).status == 0)
    #expect(try signed("timestamp.json")["version"] as? Int == 4)
  }

  @Test func whatKeepsARepositoryFromBeingWrittenIsNamed() throws {
    let missing = try Program.run(
      ["publish", "out", "--repository", "repository", "--keys", "nowhere"], in: folder.path)
    #expect(missing.status == 1)
    #expect(missing.errors.hasPrefix("error: nowhere/online: the key is not there\nhint: "))
    let none = try run(["refresh"])
    #expect(none.status == 1)
    #expect(none.errors.hasPrefix("error: repository: is not a repository"))
    #expect(try run(["out", "--rollout", "101%"]).status == 64)
    #expect(try run(["out", "--rollout", "5"]).status == 64)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: folder.path("keys/online"))
    let open = try run(["out"])
    #expect(open.status == 1)
    #expect(
      open.errors.hasPrefix(
        "error: keys/online: others than its owner may use the key, its mode is 0644\nhint: "))
    #expect(try run(["keys", "keys"], plain: true).status == 1)
  }

  /// Keys of a customer's own, made by OpenSSH.
  @Test func aCustomerMayHaveKeysOfItsOwn() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("keys/\(app)"), withIntermediateDirectories: false)
    for name in ["root-1", "root-2", "targets", "online"] {
      let made = try Program.run(
        ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", "keys/\(app)/\(name)"],
        program: "/usr/bin/ssh-keygen", in: folder.path)
      try #require(made.status == 0, "\(made.errors)")
    }
    let run = try run(["out"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try self.run(["refresh"]).status == 0)
    let keys = try #require(try signed("1.root.json")["keys"] as? [String: Any])
    #expect(keys.count == 4)
    // They have no next generation; other keys may follow.
    let rotated = try self.run(["rotate", "--app", app])
    #expect(rotated.status == 1)
    #expect(
      rotated.errors.hasPrefix("error: '\(app)': the next keys are those that are in force\nhint: ")
    )
    #expect(try self.run(["keys", "other"], plain: true).status == 0)
    let other = try self.run(["rotate", "--app", app, "--new-keys", "other"])
    #expect(other.status == 0, "\(other.errors)")
    #expect(try signed("2.root.json")["version"] as? Int == 2)
  }

  @Test func anArchiveThatIsNotSoundIsNotOffered() throws {
    let archive = "out/\(TemporaryFolder.archive(app))"
    var bytes = try folder.bytes(archive)
    bytes[bytes.count / 2] ^= 1
    try folder.write("damaged.tar.zst", bytes)
    let run = try run(["damaged.tar.zst"])
    #expect(run.status == 1)
    #expect(!folder.exists("repository/apps"))
    #expect(try folder.files().filter { $0.contains(".ingot-") } == [])
  }
}
