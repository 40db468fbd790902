import Foundation
import TestSupport
import Testing

struct InitTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  static let files = [
    "customers.json", "flows/onboarding_upsell/references.jsonl",
    "flows/onboarding_upsell/v73/layer1.npy", "flows/onboarding_upsell/v73/model.json",
    "flows/onboarding_upsell/v81/layer1.npy", "flows/onboarding_upsell/v81/model.json",
    "ingot.yaml", "models/engagement/layer1.npy", "models/engagement/layer2.npy",
    "models/engagement/model.json", "references/engagement.jsonl",
  ]

  @Test func whatItWritesIsSoundAndBuilds() throws {
    let made = try Program.run(["init", "project"], in: folder.path)
    #expect(made.status == 0)
    #expect(made.errors.isEmpty)
    #expect(
      made.output == """
        project: 11 files written; next:
          ingot check VECTORS.npy MODEL --inputs INPUTS.jsonl
          ingot validate project
          ingot build project

        """)
    #expect(try folder.files() == Self.files.map { "project/\($0)" })
    let validated = try Program.run(["validate", "project"], in: folder.path)
    #expect(validated.status == 0)
    #expect(validated.output == "project: sound\n")
    #expect(validated.errors.isEmpty)
    let built = try Program.run(["build", "project", "--output", "out"], in: folder.path)
    #expect(built.status == 0)
    #expect(!built.errors.contains("warning:"))
    let archives = try folder.archives(in: "out").keys.filter { $0.hasSuffix("-1.0.0.tar.zst") }
    #expect(archives.count == 2)
  }

  @Test func aProjectOfForestsBuildsAndItsPackagesHold() throws {
    #expect(
      try Program.run(["init", "project", "--template", "tabular"], in: folder.path).status == 0)
    #expect(try Program.run(["validate", "project"], in: folder.path).output == "project: sound\n")
    let built = try Program.run(["build", "project", "--output", "out"], in: folder.path)
    #expect(built.status == 0, "\(built.errors)")
    #expect(!built.errors.contains("warning:"))
    let archives = try folder.archives(in: "out").keys.filter { $0.hasSuffix("-1.0.0.tar.zst") }
    #expect(archives.count == 2)
    for archive in archives {
      let verified = try Program.run(
        ["verify", "out/\(archive)", "--replay", "project"], in: folder.path)
      #expect(verified.status == 0, "\(verified.errors)")
    }
  }

  @Test func theCurrentFolderNeedsNoName() throws {
    let made = try Program.run(["init", "--json"], in: folder.path)
    #expect(made.status == 0)
    let json = try made.json()
    #expect(json["schemaVersion"] as? Int == 1)
    #expect(json["project"] as? String == ".")
    #expect(
      json["next"] as? [String] == [
        "ingot check VECTORS.npy MODEL --inputs INPUTS.jsonl", "ingot validate", "ingot build",
      ])
    #expect((json["files"] as? [String])?.sorted() == Self.files)
    #expect(try Program.run(["validate"], in: folder.path).status == 0)
  }

  /// The same bytes on every day.
  @Test func writesTheSameAgain() throws {
    for name in ["one", "two"] {
      #expect(try Program.run(["init", name], in: folder.path).status == 0)
    }
    for file in Self.files {
      #expect(try folder.bytes("one/\(file)") == folder.bytes("two/\(file)"))
    }
  }

  @Test func replacesNothingAndNamesEverythingInTheWay() throws {
    try folder.write("project/ingot.yaml", "mine")
    try folder.write("project/notes.txt", "mine too")
    // A file where a folder belongs, and a link that leads nowhere.
    try folder.write("project/models", "")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("project/customers.json"), withDestinationPath: "nowhere")
    let made = try Program.run(["init", "project"], in: folder.path)
    #expect(made.status == 1)
    #expect(made.output.isEmpty)
    #expect(
      made.errors == """
        error: project: nothing was written, these are there already:
          customers.json
          ingot.yaml
          models
        hint: choose an empty folder

        """)
    #expect(
      try folder.names(in: "project") == ["customers.json", "ingot.yaml", "models", "notes.txt"])
    #expect(try folder.bytes("project/ingot.yaml") == Data("mine".utf8))
  }

  @Test func anotherFileInTheFolderIsNoObstacle() throws {
    try folder.write("project/README.md", "mine")
    #expect(try Program.run(["init", "project"], in: folder.path).status == 0)
    #expect(try folder.bytes("project/README.md") == Data("mine".utf8))
  }

  @Test func aFileIsNoFolder() throws {
    try folder.write("project", "")
    let made = try Program.run(["init", "project"], in: folder.path)
    #expect(made.status == 1)
    #expect(made.output.isEmpty)
    #expect(try folder.names() == ["project"])
  }

  /// A disk that fills up half-way leaves no half project.
  @Test func aFailureLeavesNothingInTheWay() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("project"), withIntermediateDirectories: true)
    // No file may be larger than two kilobytes; one of the reference sets is.
    let run = try Program.shell("ulimit -f 2; exec \"$0\" init project", in: folder.path)
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("error: project/"))
    #expect(try folder.files() == [])
    #expect(try Program.run(["init", "project"], in: folder.path).status == 0)
  }
}

extension TemporaryFolder {
  /// Names in a folder of this one, sorted.
  fileprivate func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(folder)).sorted()
  }
}
