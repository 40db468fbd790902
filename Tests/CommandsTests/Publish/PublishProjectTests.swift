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
    // The gate refused the model of one customer.
    #expect(
      run.errors.contains("out: 1 customer without a package of version 1.0.0, "), "\(run.errors)")
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

  /// An output may hold packages of other versions, later ones, too.
  @Test func theVersionOfTheProjectIsPublished() throws {
    try folder.raiseVersion(to: "1.1.0")
    let built = try Program.run(
      ["build", "project", "--output", "next", "--no-store", "--quiet"], in: folder.path)
    try #require(built.status == 3, "\(built.errors)")
    for app in TemporaryFolder.apps.prefix(2) {
      let archive = TemporaryFolder.archive(app, version: "1.1.0")
      try folder.write("out/\(archive)", try folder.bytes("next/\(archive)"))
    }
    let contract = try folder.text("project/ingot.yaml")
    try folder.write(
      "project/ingot.yaml", contract.replacing("version: 1.1.0", with: "version: 1.0.0"))
    let list = try ["out", "next"].flatMap {
      try folder.text("\($0)/SHA256SUMS").split(separator: "\n").filter { !$0.hasPrefix("#") }
    }
    try folder.write("out/SHA256SUMS", list.joined(separator: "\n") + "\n")
    try #require(list.count { $0.contains("-1.0.0.") } == 2, "\(list)")
    let run = try publish(["project", "--output", "out"], to: "repository")
    #expect(run.status == 0, "\(run.errors)")
    // The gate refused the model of one customer.
    let refused = TemporaryFolder.apps[2]
    #expect(
      run.errors.hasPrefix(
        "warning: out: 1 customer without a package of version 1.0.0, '\(refused)' the first; "))
    for app in TemporaryFolder.apps.prefix(2) {
      #expect(run.output.contains("\(app): 1.0.0 is off"))
    }
    // One customer's was not built.
    let other = TemporaryFolder.apps[1]
    let some = list.filter { !$0.contains("\(other)-1.0.0.") }
    try folder.write("out/SHA256SUMS", some.joined(separator: "\n") + "\n")
    let one = try publish(["project", "--output", "out"], to: "repository")
    #expect(one.status == 0)
    #expect(!one.output.contains(other))
    #expect(
      one.errors == """
        warning: out: 2 customers without a package of version 1.0.0, '\(other)' the first, which has \
        1.1.0; nothing is published for them
        hint: 'ingot build project --output out' makes them

        """)
    // No customer's was.
    let none = list.filter { !$0.contains("-1.0.0.") }
    try folder.write("out/SHA256SUMS", none.joined(separator: "\n") + "\n")
    let missing = try publish(["project", "--output", "out"], to: "repository")
    #expect(missing.status == 1)
    #expect(
      missing.errors.hasPrefix(
        "error: out: no package of version 1.0.0, which 'project' is for; 1.1.0 is the newest\nhint: "
      ))
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
