import Foundation
import TestSupport
import Testing

/// What keeps a repository going.
extension PublishTests {
  /// The daily job has the online key and nothing else.
  @Test func aRefreshNeedsTheOnlineKeyAlone() throws {
    #expect(try run(["out"]).status == 0)
    for name in ["root-1", "root-2", "targets"] {
      try FileManager.default.removeItem(atPath: folder.path("keys/\(name)"))
    }
    let refreshed = try run(["refresh"])
    #expect(refreshed.status == 0, "\(refreshed.errors)")
    #expect(refreshed.output == "2 customers: signed anew\n")
    #expect(try signed("timestamp.json")["version"] as? Int == first + 1)
    let published = try run(["out"])
    #expect(published.status == 1)
    #expect(try signed("timestamp.json")["version"] as? Int == first + 1)
    #expect(
      published.errors.hasPrefix(
        "error: '\(app)': the key 'targets' is needed, and is not in 'keys'\nhint: "))
  }

  /// Nor does it look at others, whatever is wrong with them.
  @Test func aRefreshLooksAtNoOtherKey() throws {
    #expect(try run(["out"]).status == 0)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: folder.path("keys/root-1"))
    try folder.write("keys/targets", "damaged\n")
    let refreshed = try run(["refresh"])
    #expect(refreshed.status == 0, "\(refreshed.errors)")
    #expect(try signed("timestamp.json")["version"] as? Int == first + 1)
    // What another key is needed for does look.
    #expect(try run(["rotate"]).errors.contains("error: keys/root-1: others than its owner may"))
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
    #expect(try signed("timestamp.json")["version"] as? Int == first + 1)
  }

  @Test func keysRotate() throws {
    #expect(try run(["out"]).status == 0)
    let rotated = try run(["rotate", "--app", app, "--json"])
    #expect(rotated.status == 0, "\(rotated.errors)")
    #expect((try rotated.json()["generations"] as? [String: Int]) == [app: 2])
    #expect(try signed("2.root.json")["version"] as? Int == 2)
    // Later runs find the keys that are in force.
    #expect(try run(["refresh"]).status == 0)
    #expect(try run(["out", "--rollout", "50%", "--narrow"]).status == 0)
    #expect(try signed("timestamp.json")["version"] as? Int == first + 3)
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

  /// A repository that was brought back from a backup does not use numbers again that devices know.
  @Test func numbersAreNotUsedAgainBehindABackup() throws {
    #expect(try run(["out"]).status == 0)
    try FileManager.default.copyItem(
      atPath: folder.path("repository"), toPath: folder.path("backup"))
    let early = ["refresh", "--snapshots"]
    #expect(try run(early, time: "2026-11-22T00:00:00Z").status == 0)
    let lost = try #require(try signed("timestamp.json")["version"] as? Int)
    try FileManager.default.removeItem(atPath: folder.path("repository"))
    try FileManager.default.moveItem(
      atPath: folder.path("backup"), toPath: folder.path("repository"))
    #expect(try run(early, time: "2026-11-22T00:01:00Z").status == 0)
    let next = try #require(try signed("timestamp.json")["version"] as? Int)
    #expect(lost == first + 24 * 60 && next == lost + 1)
    #expect(try signed("\(next).snapshot.json")["version"] as? Int == next)
  }

  /// Devices that poll daily fetch the timestamp alone, until the snapshot has to be signed.
  @Test func aSnapshotIsSignedOnceHalfOfItsTimeIsOver() throws {
    #expect(try run(["out"]).status == 0)
    let snapshot = { () -> Int? in
      let meta = try self.signed("timestamp.json")["meta"] as? [String: [String: Any]]
      return meta?["snapshot.json"]?["version"] as? Int
    }
    #expect(try run(["refresh"], time: "2026-11-28T00:00:00Z").status == 0)
    #expect(try snapshot() == first)
    #expect(try signed("timestamp.json")["expires"] as? String == "2026-12-12T00:00:00Z")
    #expect(try run(["refresh"], time: "2026-11-28T00:00:01Z").status == 0)
    let next = try #require(try snapshot())
    #expect(next == first + 7 * 24 * 60)
    #expect(try signed("\(next).snapshot.json")["expires"] as? String == "2026-12-12T00:00:01Z")
  }

  /// The root outlives its year without other keys.
  @Test func aRootIsSignedAnew() throws {
    #expect(try run(["out"]).status == 0)
    let soon = try run(["refresh"], time: "2027-11-01T00:00:00Z")
    let said = soon.errors.split(separator: "\n").map(String.init)
    #expect(said.count == 4, "\(soon.errors)")
    #expect(said[0].hasPrefix("warning: \(app): the root expires at 2027-11-21T00:00:00Z"))
    #expect(said[1] == "hint: 'ingot publish rotate --same-keys' signs it anew")
    #expect(said[2].hasPrefix("warning: \(app): what is said of targets expired, and devices "))
    #expect(said[3].hasPrefix("hint: 'ingot publish PACKAGES' signs it anew"))
    let renewed = try run(["rotate", "--same-keys"], time: "2027-11-01T00:00:00Z")
    #expect(renewed.status == 0, "\(renewed.errors)")
    #expect(renewed.output == "2 customers: the root holds for another year\n")
    let (old, new) = (try signed("1.root.json"), try signed("2.root.json"))
    #expect(new["expires"] as? String == "2028-10-31T00:00:00Z")
    #expect((new["keys"] as? NSDictionary) == (old["keys"] as? NSDictionary))
    #expect(try run(["out"], time: "2027-11-01T00:00:00Z").status == 0)
    let calm = try run(["refresh"], time: "2027-11-02T00:00:00Z")
    #expect(calm.status == 0 && !calm.errors.contains("warning"))
    #expect(try run(["rotate", "--same-keys", "--new-keys", "other"]).status == 64)
    // A root alone does not help where the timestamp expired.
    let late = try run(["rotate", "--same-keys"], time: "2027-11-20T00:00:00Z")
    #expect(late.errors.contains("the timestamp expired, and devices take nothing new, at "))
    #expect(late.errors.contains("hint: 'ingot publish refresh' signs it anew\n"))
    // Nor does a package under a root whose time is over.
    let over = try run(["out", "--rollout", "100%"], time: "2028-12-01T00:00:00Z")
    #expect(over.errors.contains("warning: \(app): the root expired, and devices take nothing "))
    #expect(over.errors.contains("hint: 'ingot publish rotate --same-keys' signs it anew\n"))
    try FileManager.default.removeItem(atPath: folder.path("keys/root-2"))
    let lacking = try run(["rotate", "--same-keys", "--app", app])
    #expect(lacking.status == 1)
    #expect(
      lacking.errors.hasPrefix(
        "error: '\(app)': the key 'root-2' is needed, and is not in 'keys'\nhint: "))
    #expect(!folder.exists("repository/apps/\(app)/metadata/4.root.json"))
  }

  /// One customer who cannot be signed for does not keep it from the others.
  @Test func whatFailsForOneIsDoneForTheOthers() throws {
    #expect(try run(["out"]).status == 0)
    let timestamp = "repository/apps/\(app)/metadata/timestamp.json"
    try folder.write(timestamp, [1])
    let rotated = try run(["rotate"])
    #expect(rotated.status == 1)
    #expect(rotated.output == "1 customer: the next keys take over\n")
    #expect(rotated.errors.contains("error: 1 customer: no next root\n"))
    let other = TemporaryFolder.apps[1]
    #expect(try signed("2.root.json", app: other)["version"] as? Int == 2)
  }
}
