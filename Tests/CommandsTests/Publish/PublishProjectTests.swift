import Foundation
import TestSupport
import Testing

/// `publish` of a project: the newest packages of its build.
struct PublishProjectTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder.withBuiltProject()
    let made = try Program.run(["publish", "keys", "keys"], in: folder.path)
    #expect(made.status == 0, "\(made.errors)")
  }

  private func publish(_ arguments: [String], to repository: String) throws -> Program {
    try Program.run(
      ["publish"] + arguments + [
        "--repository", repository, "--keys", "keys", "--time", "2026-11-21T00:00:00Z",
      ], in: folder.path)
  }

  private func files(_ repository: String) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for path in try folder.files() where path.hasPrefix("\(repository)/") {
      contents[String(path.dropFirst(repository.count))] = try folder.bytes(path)
    }
    return contents
  }

  @Test(arguments: ["project", "project/ingot.yaml"])
  func aProjectIsItsOutput(_ project: String) throws {
    let run = try publish([project, "--output", "out"], to: "own")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try publish(["out"], to: "other").status == 0)
    #expect(try files("own") == (try files("other")) && !(try files("own").isEmpty))
  }

  /// The folder is the one that a build writes to where none is named.
  @Test func aBuildIsLookedForWhereBuildsGo() throws {
    let none = try publish(["project"], to: "repository")
    #expect(none.status == 1)
    #expect(
      none.errors == """
        error: packages: no package of 'project' was built there
        hint: 'ingot build project --output packages' makes them

        """)
    try FileManager.default.moveItem(atPath: folder.path("out"), toPath: folder.path("packages"))
    #expect(try publish(["project"], to: "repository").status == 0)
  }

  @Test func anOlderBuildIsNotTakenForTheRelease() throws {
    try folder.raiseVersion(to: "1.1.0")
    let run = try publish(["project", "--output", "out"], to: "repository")
    #expect(run.status == 1)
    #expect(
      run.errors == """
        error: out: no package of version 1.1.0, which 'project' is for; 1.0.0 is the newest
        hint: 'ingot build project --output out' makes them

        """)
    #expect(!folder.exists("repository"))
  }

  @Test func anOutputIsOfAProject() throws {
    let run = try publish(["out", "--output", "out"], to: "repository")
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("error: --output out: none of the arguments is a project\nhint: "))
  }
}

extension TemporaryFolder {
  /// Gives the project's release another version.
  func raiseVersion(to version: String) throws {
    let contract = try text("project/ingot.yaml")
    try write(
      "project/ingot.yaml", contract.replacing("version: 1.0.0", with: "version: \(version)"))
  }
}
