import Files
import Foundation
import Testing

@testable import Release

/// A project reads what lies in its folder, and shows nothing of other files.
@Suite struct ProjectBoundsTests {
  private let project: SmallProject
  /// A folder beside the project's.
  private let outside: Scratch

  init() throws {
    project = try SmallProject()
    outside = try Scratch()
  }

  private func edit(_ old: String, _ new: String) throws {
    let contract = SmallProject.contract.replacingOccurrences(of: old, with: new)
    #expect(contract != SmallProject.contract)
    try project.scratch.file("ingot.yaml", contract)
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: project.scratch.inside(name), withDestinationPath: target)
  }

  private func faults(root: String? = nil) -> [Fault] {
    ProjectValidator.validate(project.scratch.path, root: root).faults
  }

  @Test(arguments: ["ghp_SECRET\n", "root:*:20228:0\nSECRET: x\n", "- SECRET\n", "SECRET: 1\n"])
  func aRecipeOutsideIsNeitherReadNorShown(_ text: String) throws {
    let token = try outside.file("token.txt", text)
    try edit("{scheme: int8}\n    gate", "{recipe: \(token)}\n    gate")
    #expect(faults().map(\.rule) == [.pathOutside])
    #expect(!faults().contains { $0.description.contains("SECRET") })
  }

  @Test(arguments: ["ghp_SECRET\n", "root:*:20228:0\nSECRET: x\n", "- SECRET\n", "SECRET: 1\n"])
  func aFileThatIsNoRecipeIsNotShown(_ text: String) throws {
    try project.scratch.file("token.txt", text)
    try edit("{scheme: int8}\n    gate", "{recipe: token.txt}\n    gate")
    #expect(faults().count == 1)
    #expect(!faults().contains { $0.description.contains("SECRET") })
  }

  @Test func aFileThatIsNoProjectIsNotShown() throws {
    let path = try outside.file("shadow", "root: SECRET\nSECRETS: x\n")
    let found = ProjectValidator.validate(path).faults
    #expect(
      found.map(\.message) == [
        "the project has none of the keys ingot, models, customModels, customers, release, "
          + "but 2 others"
      ])
  }

  struct Leaving: Sendable, CustomTestStringConvertible {
    let key: String
    let old: String
    let new: String
    var testDescription: String { key }
  }

  @Test(arguments: [
    Leaving(key: "source", old: "source: models/ranker", new: "source: OUT/models/ranker"),
    Leaving(
      key: "references", old: "references.jsonl, limits", new: "OUT/references.jsonl, limits"),
    Leaving(
      key: "calibration", old: "compress: {scheme: int8}\n    gate",
      new: "compress: {scheme: int8, calibration: OUT/references.jsonl}\n    gate"),
    Leaving(
      key: "source-check", old: "formats: [safetensors]",
      new: "source-check: {vectors: OUT/v.npy, inputs: references.jsonl}"),
    Leaving(key: "flows", old: "source: flows/", new: "source: OUT/flows/"),
    Leaving(
      key: "customers", old: "customers: customers.json", new: "customers: OUT/customers.json"),
  ])
  func everyPathStays(_ leaving: Leaving) throws {
    let other = try SmallProject()
    for path in [other.scratch.path, "../" + Folder.name(of: other.scratch.path), "link"] {
      if path == "link" { try link("link", to: other.scratch.path) }
      try edit(leaving.old, leaving.new.replacingOccurrences(of: "OUT", with: path))
      let found = faults()
      #expect(found.contains { $0.rule == .pathOutside }, "\(path): \(found)")
      #expect(!faults(root: "/").contains { $0.rule == .pathOutside })
    }
  }

  @Test func aLinkInAModelIsFollowedNoFurther() throws {
    let token = try outside.file("token.txt", "SECRET")
    try link("models/ranker/vocab.txt", to: token)
    let found = faults()
    #expect(found.map(\.rule) == [.pathOutside])
    #expect(found.first?.message.contains("models/ranker/vocab.txt") == true)
    #expect(faults(root: "/") == [])
  }

  @Test func aLinkWithinTheProjectIsAPath() throws {
    try link("models/other", to: "ranker")
    try edit("source: models/ranker", "source: models/other")
    #expect(faults() == [])
  }

  @Test func aFolderThatBeginsAlikeIsOutside() throws {
    let twin = project.scratch.path + "-twin"
    try Folder.create(twin)
    defer { try? Folder.remove(twin) }
    #expect(!ProjectBounds(root: project.scratch.path).hold(twin))
    #expect(ProjectBounds(root: project.scratch.path).hold(project.scratch.path))
    #expect(!ProjectBounds(root: project.scratch.path).hold(project.scratch.inside("no/../../x")))
  }

  @Test func aBuildHoldsToIt() throws {
    let token = try outside.file("token.txt", "SECRET")
    try link("models/ranker/vocab.txt", to: token)
    #expect(throws: ProjectFaults.self) { try ProjectValidator.plan(project.scratch.path) }
    #expect(throws: Never.self) { try ProjectValidator.plan(project.scratch.path, root: "/") }
  }
}
