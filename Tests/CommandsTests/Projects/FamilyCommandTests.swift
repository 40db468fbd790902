import Foundation
import TestSupport
import Testing

/// A family from the project's folder to a device.
struct FamilyCommandTests {
  private let folder: TemporaryFolder
  private static let app = TemporaryFolder.apps[0]
  private static let archive = "out/" + TemporaryFolder.archive(app)

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      "project/ingot.yaml",
      """
      ingot: 1
      models:
        users:
          source: users/{member}/v1
          compress: {scheme: int8}
          gate: {references: "users/{member}/references.jsonl"}
      customers: customers.json
      release: {version: 1.0.0, sdk: ">=1.0.0 <2.0.0"}

      """)
    try folder.write(
      "project/customers.json",
      #"[{"app_id": "\#(Self.app)", "bundle_identifiers": ["com.example.app1"]}]"#)
    for (member, weight) in [("ada", Float(0.5)), ("ben", 0.25), ("image", 0.125)] {
      try folder.writeFlow("project/users/\(member)", version: 1, weight: weight)
    }
  }

  private func run(_ arguments: [String]) throws -> Program {
    try Program.run(arguments, in: folder.path)
  }

  private func build(_ more: String...) throws -> Program {
    try run(["build", "project", "--output", "out", "--no-store"] + more)
  }

  @Test func aSummaryIsSaidAndJSONListsAll() throws {
    let built = try build("--json")
    #expect(built.status == 0, "\(built.errors)")
    let models = try #require(built.json()["models"] as? [[String: Any]])
    #expect(models.map { $0["model"] as? String } == ["users/ada", "users/ben", "users/image"])
    let lines = built.errors.split(separator: "\n")
    #expect(lines.contains("[1/3] users: 3 members, int8 per channel"), "\(built.errors)")
    #expect(lines.contains("users: 3 passed"))
    #expect(!built.errors.contains("users/ada"), "\(built.errors)")
    for command in ["verify", "inspect"] {
      let text = try run([command, Self.archive]).output
      #expect(text.contains("  family 'users', 3 models, int8 per channel, "), "\(text)")
      #expect(!text.contains("users/ada"))
    }
    let replay = try run(["verify", Self.archive, "--replay", "project"])
    #expect(replay.status == 0, "\(replay.errors)")
    #expect(replay.errors == "[1/3] users: running the gate again\n")
    #expect(
      replay.output.contains("  family 'users': 3 models proven again, passed standard\n"),
      "\(replay.output)")
  }

  @Test func onlyRefusedMembersAreNamed() throws {
    try folder.writeFlow("project/users/cyd", version: 1, weight: 100_000)
    let built = try build("--report", "report.html")
    #expect(built.status == 3)
    #expect(built.output.contains("users: 3 passed, 1 refused\n"), "\(built.output)")
    #expect(built.errors.contains("  model 'users/cyd': "))
    #expect(!built.errors.contains("users/ben"), "\(built.errors)")
    let page = try folder.text("report.html")
    #expect(page.contains("3 members of this family passed"))
    #expect(page.contains("users/cyd") && !page.contains("users/ben"))
    // Equal for all members, so said once.
    let verdicts = try #require(try build("--json").json()["models"] as? [[String: Any]])
    #expect(verdicts.map { $0["verdict"] as? String } == ["passed", "passed", "refused", "passed"])
  }

  @Test func aDeviceRunsEveryMember() throws {
    #expect(try build().status == 0)
    let repository = folder.path("repository")
    let server = try Nginx { listening, _ in "server { listen \(listening); root \(repository); }" }
    #expect(try run(["publish", "keys", "keys"]).status == 0)
    let published = try run([
      "publish", "out", "--repository", "repository", "--keys", "keys",
    ])
    try #require(published.status == 0, "\(published.errors)")
    let made = try run([
      "client", "init", "phone", "--repository", server.address, "--root",
      "repository/apps/\(Self.app)/metadata/1.root.json", "--bundle", "com.example.app1", "--sdk",
      "1.5.0",
    ])
    #expect(made.status == 0, "\(made.errors)")
    #expect(try run(["client", "update", "phone"]).status == 0)
    let confirmed = try run(["client", "confirm", "phone", "--json"])
    let models = try #require(confirmed.json()["models"] as? [[String: Any]])
    #expect(models.map { $0["name"] as? String } == ["users/ada", "users/ben", "users/image"])
    #expect(models.allSatisfy { ($0["selfTests"] as? Int ?? 0) > 0 })
  }
}
