import Foundation
import TestSupport
import Testing

/// `client` plays a device against a repository that nginx serves.
struct ClientTests {
  let folder: TemporaryFolder
  let server: Nginx
  static let app = TemporaryFolder.apps[0]

  init() throws {
    folder = try TemporaryFolder.withBuiltProject()
    let repository = folder.path("repository")
    server = try Nginx { listening, _ in "server { listen \(listening); root \(repository); }" }
    #expect(try Program.run(["publish", "keys", "keys"], in: folder.path).status == 0)
    try publish("out")
    let made = try client(
      "init",
      [
        "--repository", server.address, "--root",
        "repository/apps/\(Self.app)/metadata/1.root.json", "--bundle", "com.example.app1", "--sdk",
        "1.5.0",
      ])
    #expect(made.status == 0, "\(made.errors)")
  }

  func publish(_ arguments: String...) throws {
    let run = try Program.run(
      ["publish"] + arguments + ["--repository", "repository", "--keys", "keys"], in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
  }

  func client(_ verb: String, _ arguments: [String] = []) throws -> Program {
    try Program.run(["client", verb, "phone"] + arguments, in: folder.path)
  }

  /// Builds and publishes the project with other weights.
  func publishNext(_ version: String, weight: Float) throws {
    let contract = try folder.text("project/ingot.yaml")
    try folder.write("project/ingot.yaml", contract.replacing("1.0.0", with: version))
    try folder.writeFlow("project/flows/first_flow", version: 1, weight: weight)
    let run = try Program.run(
      ["build", "project", "--output", "out", "--no-store", "--quiet"], in: folder.path)
    try #require(run.status == 3, "\(run.errors)")
    try publish("out")
  }

  @Test func aDeviceTakesAVersionAndConfirmsIt() throws {
    #expect(try client("check").output.hasPrefix("in use: what the app brought along; 1.0.0 is"))
    let update = try client("update", ["--json"])
    #expect(update.status == 0, "\(update.errors)")
    #expect(try update.json()["result"] as? String == "updated")
    let confirmed = try client("confirm")
    #expect(confirmed.output.hasPrefix("in use: 1.0.0\n"))
    #expect(confirmed.output.contains("4 self-tests passed"))
    #expect(try client("check").output == "in use: 1.0.0; nothing newer is offered\n")
    #expect(try client("update").output == "nothing newer is offered\n")
  }

  @Test func anAppThatEndsUnconfirmedGoesBackAndRemembers() throws {
    #expect(try client("update").status == 0)
    #expect(try client("run").output.hasPrefix("in use: 1.0.0, on trial\n"))
    let left =
      "nothing newer is offered: the highest version published is 1.0.0, but it did not pass its check or "
      + "was left on this device before\n"
    #expect(try client("check").output == "in use: what the app brought along; \(left)")
    #expect(try client("update").output == left)
  }

  @Test func aVersionIsLeftByHandAndWhenItIsWithdrawn() throws {
    #expect(try client("update").status == 0)
    #expect(try client("confirm").status == 0)
    try publish("withdraw", "1.0.0", "--app", Self.app)
    #expect(try client("check").output == "in use: 1.0.0; it was withdrawn\n")
    #expect(try client("update").output.hasPrefix("the version in use was withdrawn"))
    #expect(try client("check").output.hasPrefix("in use: what the app brought along"))
    let again = try client("roll-back")
    #expect(again.status == 1 && again.output.isEmpty)
    #expect(again.errors.contains("there is no version to leave"))
  }

  @Test func aLaterVersionIsTakenAndLeftAgain() throws {
    #expect(try client("update").status == 0)
    #expect(try client("confirm").status == 0)
    try publishNext("1.1.0", weight: 0.75)
    let check = try client("check", ["--json"]).json()
    #expect(check["version"] as? String == "1.1.0")
    let update = try client("update", ["--json"]).json()
    #expect(update["bytes"] as? Int == check["bytes"] as? Int)
    #expect(try client("confirm").output.hasPrefix("in use: 1.1.0\n"))
    #expect(try client("roll-back").output == "left 1.1.0; in use: 1.0.0\n")
    let after = try client("update", ["--json"]).json()
    #expect(after["result"] as? String == "upToDate")
    let highest = try #require(after["highest"] as? [String: Any])
    #expect(highest["version"] as? String == "1.1.0")
    #expect(highest["reason"] as? String == "leftHere")
  }

  @Test func aServerThatIsGoneIsAnErrorAndTheVersionStays() throws {
    #expect(try client("update").status == 0)
    #expect(try client("confirm").status == 0)
    server.stop()
    let update = try client("update")
    #expect(update.status == 1)
    #expect(update.errors.contains("timestamp.json") || update.errors.contains("root.json"))
    #expect(update.errors.contains("hint: "))
    #expect(try client("confirm").output.hasPrefix("in use: 1.0.0\n"))
  }

  @Test func anotherAppsRootIsNotTheRepositorys() throws {
    let other = TemporaryFolder.apps[1]
    let made = try Program.run(
      [
        "client", "init", "other", "--repository", server.address, "--root",
        "repository/apps/\(other)/metadata/1.root.json", "--bundle", "com.example.app2", "--sdk",
        "1.5.0",
      ], in: folder.path)
    #expect(made.output.contains(other))
    // Serves the first app's metadata under the other's name.
    try FileManager.default.removeItem(atPath: folder.path("repository/apps/\(other)"))
    try FileManager.default.copyItem(
      atPath: folder.path("repository/apps/\(Self.app)"),
      toPath: folder.path("repository/apps/\(other)"))
    let update = try Program.run(["client", "update", "other"], in: folder.path)
    #expect(update.status == 4)
    #expect(update.errors.contains("hint: "))
  }

  @Test(arguments: [
    (["check", "nowhere"], "nowhere: is not the folder of a device"),
    (
      [
        "init", "new", "--repository", "ftp://x", "--root", "r", "--bundle", "a.b", "--sdk",
        "1.0.0",
      ],
      "--repository 'ftp://x'"
    ),
    (
      [
        "init", "new", "--repository", "http://x", "--root", "r", "--bundle", "a", "--sdk", "1.0.0",
      ],
      "--bundle 'a'"
    ),
    (
      ["init", "new", "--repository", "http://x", "--root", "r", "--bundle", "a.b", "--sdk", "1"],
      "--sdk '1'"
    ),
    (
      [
        "init", "new", "--repository", "http://x", "--root", "project/ingot.yaml", "--bundle",
        "a.b",
        "--sdk", "1.0.0",
      ], "project/ingot.yaml"
    ),
    (
      [
        "init", "phone", "--repository", "http://x", "--root", "out/SHA256SUMS", "--bundle", "a.b",
        "--sdk", "1.0.0",
      ], "out/SHA256SUMS"
    ),
  ])
  func wrongUseIsNamed(_ arguments: [String], _ named: String) throws {
    let run = try Program.run(["client"] + arguments, in: folder.path)
    #expect(run.status != 0)
    #expect(run.errors.contains(named), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("new")))
  }
}
