import Files
import Foundation
import ProjectFixtures
import TestSupport
import Testing

@testable import Project

/// A project reads what lies in its folder, and shows nothing of other files.
@Suite struct ProjectBoundsTests {
  private let project: SmallProject
  /// A folder beside the project's.
  private let outside: TemporaryFolder

  init() throws {
    project = try SmallProject()
    outside = try TemporaryFolder()
  }

  private func edit(_ old: String, _ new: String) throws {
    let contract = SmallProject.contract.replacingOccurrences(of: old, with: new)
    #expect(contract != SmallProject.contract)
    try project.scratch.write("ingot.yaml", contract)
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: project.scratch.path(name), withDestinationPath: target)
  }

  private func faults(root: String? = nil) -> [Fault] {
    ProjectValidator.validate(project.scratch.path, root: root).faults
  }

  @Test(arguments: ["ghp_SECRET\n", "root:*:20228:0\nSECRET: x\n", "- SECRET\n", "SECRET: 1\n"])
  func aRecipeOutsideIsNeitherReadNorShown(_ text: String) throws {
    let token = try outside.write("token.txt", text)
    try edit("{scheme: int8}\n    gate", "{recipe: \(token)}\n    gate")
    #expect(faults().map(\.rule) == [.pathOutside])
    #expect(!faults().contains { $0.description.contains("SECRET") })
  }

  @Test(arguments: [
    "ghp_SECRET\n", "root:*:20228:0\nSECRET: x\n", "- SECRET\n", "SECRET: 1\n",
    "name: SECRET\nSECRET: x\n", "rules: SECRET\n", "SECRET: 1\nSECRET: 2\n", "a: !SECRET 1\n",
    "a: SECRET: b\n", "a: &SECRET b\n", "a: 'SECRET\n", "ingot-recipe\n", "-ingot-recipe: SECRET\n",
  ])
  func aFileThatIsNoRecipeIsNotShown(_ text: String) throws {
    try project.scratch.write("token.txt", text)
    try edit("{scheme: int8}\n    gate", "{recipe: token.txt}\n    gate")
    #expect(faults().count == 1)
    #expect(!faults().contains { $0.description.contains("SECRET") })
  }

  @Test func aFileThatIsNoProjectIsNotShown() throws {
    let path = try outside.write("shadow", "root: SECRET\nSECRETS: x\n")
    let found = ProjectValidator.validate(path).faults
    #expect(
      found.map(\.message) == [
        "the project has no key 'ingot', so that nothing else of it is read"
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
    let token = try outside.write("token.txt", "SECRET")
    try link("models/ranker/vocab.txt", to: token)
    let found = faults()
    #expect(found.map(\.rule) == [.pathOutside])
    #expect(found.first?.message.contains("models/ranker/vocab.txt") == true)
    #expect(faults(root: "/") == [])
  }

  @Test(arguments: ["a/b/c/d/e", "a/b/c/d/e/f/g/h"])
  func aLinkFarBelowIsFollowedNoFurther(_ path: String) throws {
    let token = try outside.write("module/config.json", "SECRET")
    let inner = "models/ranker/" + path
    try Folder.create(Folder.parent(of: project.scratch.path(inner)))
    try link(inner, to: Folder.parent(of: token))
    let found = faults()
    #expect(found.map(\.rule) == [.pathOutside])
    #expect(found.first?.message.contains(inner) == true)
    #expect(faults(root: "/") == [])
  }

  /// A folder that is its own descendant by a link is looked through once.
  @Test func aLinkInACircleEnds() throws {
    try Folder.create(project.scratch.path("models/ranker/a"))
    try link("models/ranker/a/again", to: project.scratch.path("models/ranker"))
    #expect(faults() == [])
  }

  /// A name that is not text hides the files beside it.
  @Test func aFolderThatCannotBeListedIsRefused() throws {
    let token = try outside.write("config.json", "SECRET")
    let folder = project.scratch.path("models/ranker/1_Pooling")
    try Folder.create(folder)
    try link("models/ranker/1_Pooling/config.json", to: token)
    let nameless = try Nameless(in: folder)
    defer { nameless.remove() }
    let found = faults()
    #expect(found.map(\.rule) == [.pathOutside])
    #expect(
      found.first?.message.hasSuffix(
        "/models/ranker/1_Pooling' cannot be looked through for links that leave the project: "
          + "cannot list: a name in it is not valid UTF-8") == true, "\(found)")
  }

  /// The target of a link is not text either.
  @Test func aLinkToAFolderWithoutATextIsRefused() throws {
    let nameless = try Nameless(in: outside.path)
    defer { nameless.remove() }
    let path = project.scratch.path("models/ranker/vocab.txt")
    try #require(symlink(nameless.path, path) == 0)
    #expect(!ProjectBounds(root: project.scratch.path).hold(path))
    #expect(faults().map(\.rule) == [.pathOutside])
  }

  /// Two names that look alike, and are equal as texts, are two folders.
  @Test func aFolderOfAnotherSpellingIsOutside() throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    for name in [composed, decomposed] { try Folder.create(outside.path(name)) }
    let bounds = ProjectBounds(root: outside.path(composed))
    #expect(bounds.hold(outside.path(composed)))
    #expect(bounds.hold(outside.path(composed + "/x")))
    #expect(!bounds.hold(outside.path(decomposed)))
    #expect(!bounds.hold(outside.path(decomposed + "/x")))
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
    #expect(!ProjectBounds(root: project.scratch.path).hold(project.scratch.path("no/../../x")))
  }

  @Test func aBuildHoldsToIt() throws {
    let token = try outside.write("token.txt", "SECRET")
    try link("models/ranker/vocab.txt", to: token)
    #expect(throws: ProjectFaults.self) { try ProjectValidator.plan(project.scratch.path) }
    #expect(throws: Never.self) { try ProjectValidator.plan(project.scratch.path, root: "/") }
  }
}

/// An empty file whose name is not valid UTF-8.
private struct Nameless {
  let path: [CChar]

  init(in folder: String) throws {
    path = (Array("\(folder)/".utf8) + [0xFF, 0]).map { CChar(bitPattern: $0) }
    let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
    try #require(descriptor >= 0)
    close(descriptor)
  }

  func remove() { unlink(path) }
}
