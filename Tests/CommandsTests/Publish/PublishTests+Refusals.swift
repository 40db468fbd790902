import Foundation
import TestSupport
import Testing

/// What is said where something is refused for one customer, and done for the others.
extension PublishTests {
  /// The second customer's package is offered, whatever becomes of the first's.
  @Test func whatIsRefusedForOneIsOfferedToTheOthers() throws {
    let other = TemporaryFolder.apps[1]
    #expect(try run(["out", "--rollout", "30%"]).status == 0)
    let own = "out/\(TemporaryFolder.archive(app))"
    #expect(try run([own, "--rollout", "50%"]).status == 0)
    let arguments = ["out", "--rollout", "40%", "--json"]
    for (flags, verb) in [(["--dry-run"], "would not be offered"), ([], "not offered")] {
      let run = try run(arguments + flags)
      #expect(run.status == 1)
      let json = try run.json()
      let offers = try #require(json["offers"] as? [[String: Any]])
      #expect(offers.map { $0["app"] as? String } == [other])
      let refused = try #require(json["refused"] as? [[String: Any]])
      #expect(refused.map { $0["app"] as? String } == [app])
      #expect((refused[0]["message"] as? String)?.contains("to be offered to 40 %") == true)
      #expect((refused[0]["hint"] as? String)?.hasPrefix("say --narrow") == true)
      #expect(run.errors.hasPrefix("error: '\(app)': version 1.0.0 is offered to 50 % of devices"))
      #expect(run.errors.hasSuffix("error: 1 package: \(verb)\n"), "\(run.errors)")
    }
    let again = try run(["out", "--rollout", "40%"])
    #expect(again.output.hasPrefix("\(other): 1.0.0 goes on to be offered to 40% of devices"))
  }

  @Test func aDamagedPackageDoesNotKeepOthersBack() throws {
    let other = TemporaryFolder.apps[1]
    let bytes = try folder.bytes("out/\(TemporaryFolder.archive(app))")
    try folder.write("damaged.tar.zst", bytes.prefix(bytes.count / 2))
    let run = try run(["damaged.tar.zst", "out/\(TemporaryFolder.archive(other))"])
    #expect(run.status == 4)
    #expect(run.output.hasPrefix("\(other): 1.0.0 is offered to 100% of devices"))
    #expect(run.errors.hasPrefix("error: damaged.tar.zst: "))
    #expect(try signed("timestamp.json", app: other)["version"] as? Int == first)
  }

  /// Nothing is said of nobody, and each fault has its way out.
  @Test func whatFailsForAllIsSaidWithItsWayOut() throws {
    #expect(try run(["out"]).status == 0)
    try FileManager.default.removeItem(atPath: folder.path("keys/root-2"))
    let rotated = try run(["rotate"])
    #expect(rotated.status == 1)
    #expect(rotated.output.isEmpty)
    for app in TemporaryFolder.apps.prefix(2) {
      #expect(
        rotated.errors.contains(
          "error: '\(app)': the key 'root-2' is needed, and is not in 'keys'\n"
            + "hint: put it there as 'keys/root-2'"))
    }
    #expect(rotated.errors.hasSuffix("error: 2 customers: no next root\n"))
    let json = try run(["rotate", "--json"]).json()
    #expect((json["refused"] as? [Any])?.count == 2)
    #expect((json["generations"] as? [String: Int])?.isEmpty == true)
    // One fault of all is said once.
    try FileManager.default.removeItem(atPath: folder.path("keys/online"))
    let refreshed = try run(["refresh"])
    #expect(refreshed.status == 1)
    #expect(refreshed.output.isEmpty)
    #expect(
      refreshed.errors == """
        error: keys/online: the key is not there
        hint: name the folder of the repository's keys in --keys; for a new repository 'ingot publish keys' makes one
        error: 2 customers: not signed

        """)
  }

  /// What cannot be meant is said with what can.
  @Test func foldersThatAreNotMeantAreNamed() throws {
    let keys = try run(["keys", "keys"], plain: true)
    #expect(keys.status == 1)
    #expect(keys.errors.hasPrefix("error: keys: is there already"))
    #expect(keys.errors.contains("hint: go on with its keys by '--keys keys'"))
    try FileManager.default.createDirectory(
      atPath: folder.path("empty"), withIntermediateDirectories: false)
    let empty = try run(["empty"])
    #expect(empty.status == 1)
    #expect(
      empty.errors == """
        error: empty: is not the output folder of a build: it has no SHA256SUMS
        hint: name a project, the output folder of 'ingot build', or archives

        """)
    let misspelt = try run(["refrsh"])
    #expect(misspelt.status == 1)
    #expect(
      misspelt.errors
        == "error: refrsh: is not there\nhint: did you mean 'ingot publish refresh'?\n")
    #expect(try run(["out"]).status == 0)
    let device = try Program.run(
      [
        "client", "init", "empty", "--repository", "http://127.0.0.1", "--root",
        "repository/apps/\(app)/metadata/1.root.json",
        "--bundle", "com.example.app1", "--sdk", "1.5.0",
      ], in: folder.path)
    #expect(device.status == 1)
    #expect(device.errors.hasPrefix("error: empty: is there already"))
    #expect(device.errors.contains("hint: go on with it by 'ingot client update empty'"))
  }
}
