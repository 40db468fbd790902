import Foundation
import TestSupport
import Testing

/// `publish` from a build's output to a repository.
struct PublishTests {
  let folder: TemporaryFolder
  let app = TemporaryFolder.apps[0]
  /// The first number of the metadata at the moment of all runs: minutes since 1970.
  let first = 29_920_320

  init() throws {
    folder = try TemporaryFolder.withBuiltProject()
    #expect(try run(["keys", "keys"], plain: true).status == 0)
  }

  /// Runs a subcommand on the repository.
  ///
  /// - Parameter plain: without the flags of a repository.
  func run(
    _ arguments: [String], plain: Bool = false, time: String = "2026-11-21T00:00:00Z"
  ) throws -> Program {
    let flags =
      plain ? [] : ["--repository", "repository", "--keys", "keys", "--time", time]
    return try Program.run(["publish"] + arguments + flags, in: folder.path)
  }

  /// What is signed in a file of metadata, by Foundation's reader.
  func signed(_ name: String, app: String? = nil) throws -> [String: Any] {
    let path = "repository/apps/\(app ?? self.app)/metadata/\(name)"
    let file = try JSONSerialization.jsonObject(with: try folder.bytes(path)) as? [String: Any]
    return try #require(file?["signed"] as? [String: Any])
  }

  /// What is said of each target of the app's metadata.
  func offers(_ name: String) throws -> [String: [String: Any]] {
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
    let custom = try #require(try self.offers("\(first).targets.json").values.first)
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

  @Test func aShareIsMadeSmallerOnlyWhereThatIsMeant() throws {
    #expect(try run(["out", "--rollout", "30%"]).status == 0)
    let smaller = try run(["out", "--rollout", "5%"])
    #expect(smaller.status == 1)
    #expect(smaller.errors.contains("to 30 % of devices, and is to be offered to 5 %"))
    #expect(smaller.errors.contains("hint: say --narrow"))
    #expect(try run(["out", "--rollout", "5%", "--narrow"]).status == 0)
    // Nothing was said meanwhile.
    let names = try FileManager.default.contentsOfDirectory(
      atPath: folder.path("repository/apps/\(app)/metadata"))
    #expect(names.filter { $0.hasSuffix(".targets.json") }.count == 2)
  }

  @Test func aVersionIsWidenedAndWithdrawn() throws {
    #expect(try run(["out", "--rollout", "5%"]).status == 0)
    let wider = try run(["out", "--rollout", "100%"])
    #expect(wider.status == 0, "\(wider.errors)")
    #expect(wider.output.contains("is offered from now on to 100% of devices, 5% before"))
    let custom = try #require(try offers("\(first + 1).targets.json").values.first)
    #expect((custom["rollout"] as? [String: Any])?["permyriad"] as? Int == 10_000)
    let version = try #require(try offers("\(first + 1).targets.json").keys.first)
      .dropFirst(app.count + 1).dropLast(5)
    let withdrawn = try run(["withdraw", String(version), "--app", app])
    #expect(withdrawn.status == 0, "\(withdrawn.errors)")
    #expect(
      try offers("\(first + 2).targets.json").values.first?["status"] as? String == "withdrawn")
    // A later run of the same build does not bring it back.
    let revived = try run(["out"])
    #expect(revived.status == 1)
    #expect(
      revived.errors.hasPrefix(
        "error: '\(app)': version \(version) was withdrawn, and devices have left it\nhint: "))
    // Nor does saying it twice change anything.
    let before = try folder.files()
    let again = try run(["withdraw", String(version), "--app", app])
    #expect(again.status == 0, "\(again.errors)")
    #expect(again.output == "\(app): \(version) is withdrawn already\n")
    #expect(try folder.files() == before)
    let never = try run(["withdraw", "9.9.9", "--app", app])
    #expect(never.status == 1)
    #expect(never.errors.hasPrefix("error: '\(app)': version 9.9.9 is not offered\nhint: "))
  }

  @Test func aDryRunWritesNothing() throws {
    let before = try folder.files()
    let run = try run(["out", "--dry-run"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("would be offered to 100% of devices"))
    #expect(try folder.files() == before)
    #expect(!folder.exists("repository"))
    // What is offered already would not be offered anew.
    #expect(try self.run(["out", "--rollout", "50%"]).status == 0)
    let same = try self.run(["out", "--rollout", "50%", "--dry-run"])
    #expect(same.output.contains("\(app): 1.0.0 is offered already to 50% of devices"))
    let wider = try self.run(["out", "--rollout", "100%", "--dry-run"])
    #expect(
      wider.output.contains(
        "\(app): 1.0.0 would be offered from now on to 100% of devices, 50% before"))
  }

  /// A challenger is not widened by a run that says nothing of it.
  @Test func aVersionKeepsItsShare() throws {
    #expect(try run(["out", "--rollout", "5%"]).status == 0)
    let again = try run(["out", "--json"])
    #expect(again.status == 0, "\(again.errors)")
    let offers = try #require(try again.json()["offers"] as? [[String: Any]])
    #expect(offers.allSatisfy { $0["permyriad"] as? Int == 500 })
    #expect(offers.allSatisfy { $0["permyriadBefore"] as? Int == 500 })
  }

  /// Nothing is written for a customer of whom everything is said already, and holds for long enough.
  @Test func whatIsSaidAlreadyIsNotSignedAgain() throws {
    #expect(try run(["out"]).status == 0)
    let before = try folder.files().filter { $0.hasPrefix("repository/") }
    let again = try run(["out"], time: "2026-11-27T00:00:00Z")
    #expect(again.status == 0, "\(again.errors)")
    #expect(again.output.contains("goes on to be offered"))
    #expect(try folder.files().filter { $0.hasPrefix("repository/") } == before)
    #expect(try signed("timestamp.json")["expires"] as? String == "2026-12-05T00:00:00Z")
    // Timestamps that hold for less than a week are signed anew, with what they lead to.
    #expect(try run(["out"], time: "2026-11-29T00:00:00Z").status == 0)
    #expect(try signed("timestamp.json")["expires"] as? String == "2026-12-13T00:00:00Z")
    #expect(try signed("\(first).targets.json")["expires"] as? String == "2027-02-19T00:00:00Z")
    #expect(try run(["out"], time: "2026-12-22T00:00:00Z").status == 0)
    let minute = first + 31 * 24 * 60
    #expect(
      try signed("\(minute).targets.json")["expires"] as? String == "2027-03-22T00:00:00Z")
  }

  /// A blob that somebody damaged does not pass for one that is there.
  @Test func aDamagedBlobIsMadeAgainForAPackageThatIsKnown() throws {
    #expect(try run(["out"]).status == 0)
    let blobs = try folder.files().filter { $0.hasPrefix("repository/blobs/") }
    let blob = try #require(blobs.first)
    let bytes = try folder.bytes(blob)
    try folder.write(blob, bytes.dropLast() + [bytes[bytes.count - 1] ^ 1])
    #expect(try run(["out"]).status == 0)
    #expect(try folder.bytes(blob) == bytes)
    try FileManager.default.removeItem(atPath: folder.path(blob))
    #expect(try run(["out"]).status == 0)
    #expect(try folder.bytes(blob) == bytes)
  }

  /// A dry run sees the keys that it would need, and what it would have offered a moment ago.
  @Test func aDryRunAsksWhatTheRunWould() throws {
    try folder.raiseVersion(to: "1.1.0")
    let built = try Program.run(
      ["build", "project", "--output", "next", "--no-store", "--quiet"], in: folder.path)
    #expect(built.status == 3)
    let later = "next/\(TemporaryFolder.archive(app, version: "1.1.0"))"
    let archives = ["out/\(TemporaryFolder.archive(app))", later]
    let dry = try run(archives + ["--dry-run", "--json"]).json()
    let offers = try #require(dry["offers"] as? [[String: Any]])
    #expect(offers.map { $0["version"] as? String } == ["1.0.0", "1.1.0"])
    #expect(offers[1]["before"] as? String == "1.0.0")
    let real = try run(archives + ["--json"]).json()
    let same = try #require(real["offers"] as? [[String: Any]])
    #expect(same.map { $0["updateBytes"] as? Int } == offers.map { $0["updateBytes"] as? Int })
    // A version below one that everybody gets reaches nobody.
    let older = try run(["out/\(TemporaryFolder.archive(app))"])
    #expect(older.status == 0)
    #expect(older.errors.hasPrefix("\(app): no device takes 1.0.0: 1.1.0, which is later, "))
    #expect(!(try run([later]).errors.contains("no device takes")))
    try FileManager.default.removeItem(atPath: folder.path("keys/targets"))
    let refused = try run(archives + ["--dry-run"])
    #expect(refused.status == 1)
    #expect(
      refused.errors.hasPrefix(
        "error: '\(app)': the key 'targets' is needed, and is not in 'keys'\nhint: "))
  }

  /// A root that lacks a key would hold for ever.
  @Test func aRootNeedsBothKeys() throws {
    try FileManager.default.removeItem(atPath: folder.path("keys/root-2"))
    let run = try run(["out"])
    #expect(run.status == 1)
    #expect(
      run.errors.hasPrefix(
        "error: '\(app)': the key 'root-2' is needed, and is not in 'keys'\n"
          + "hint: put it there as 'keys/root-2', or name a folder with it in --keys"))
    #expect(!folder.exists("repository/apps/\(app)/metadata/1.root.json"))
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

  @Test func anArchiveThatIsNotSoundIsNotOffered() throws {
    let archive = "out/\(TemporaryFolder.archive(app))"
    var bytes = try folder.bytes(archive)
    bytes[bytes.count / 2] ^= 1
    try folder.write("damaged.tar.zst", bytes)
    let run = try run(["damaged.tar.zst"])
    #expect(run.status == 4)
    #expect(!folder.exists("repository/apps"))
    #expect(try folder.files().filter { $0.contains(".ingot-") } == [])
  }
}
