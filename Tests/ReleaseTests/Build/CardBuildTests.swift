import Files
import Formats
import Graph
import Packaging
import ProjectFixtures
import Store
import TestSupport
import Testing

@testable import Release

/// Projects whose models have cards.
@Suite struct CardBuildTests {
  private let project: SmallProject

  init() throws {
    project = try SmallProject()
    try project.scratch.write(
      "ingot.yaml",
      SmallProject.contract
        .replacing("formats: [safetensors]", with: "formats: [mlpackage]")
        .replacing("  archive:", with: "  license: Apache-2.0\n  archive:"))
  }

  private func card(_ author: String, _ prose: String = "") throws {
    try project.scratch.write(
      "models/ranker/README.md",
      "---\nlicense: mit\nauthor: \(author)\nversion: 2.0.0\n---\n# Ranks offers\n\(prose)\n")
  }

  private func build(_ output: String) throws -> BuildReport {
    var request = try project.request(output)
    request.store = try ContentStore(folder: project.scratch.path("store"), warn: { _ in })
    return try Builder.build(request)
  }

  /// The metadata of the ranker's package, and the options that its manifest states.
  private func words(
    _ output: String
  ) throws -> (metadata: [String: String], options: [String: String]) {
    let app = SmallProject.apps[2]
    let place = project.scratch.path("\(output)-unpacked")
    let package = try PackageExtractor.extract(
      project.scratch.path("\(output)/\(app)/\(app)-1.4.0.tar.zst"), to: place)
    let model = try #require(
      package.manifest.models.first { $0.identity == .shared(name: "ranker") })
    let path = Folder.join(place, model.path.string)
    let found = try CoreMLPackage.inspect(path, files: ModelFiles(folder: Folder.parent(of: path)))
    return (found.metadata, model.compression.options)
  }

  @Test func packagesSayWhatTheCardSays() throws {
    try card("Card")
    #expect(try build("a").refused.isEmpty)
    let (metadata, options) = try words("a")
    #expect(metadata["author"] == "Card")
    #expect(metadata["shortDescription"] == "Ranks offers")
    // The project's own words win.
    #expect(metadata["license"] == "Apache-2.0")
    #expect(metadata["version"] == "1.4.0")
    #expect(options["author"] == "Card" && options["license"] == "Apache-2.0")
    #expect(options["description"] == "Ranks offers" && options["version"] == "1.4.0")
  }

  @Test func theProjectsAuthorAndDescriptionWin() throws {
    try card("Card")
    try project.scratch.write(
      "ingot.yaml",
      SmallProject.contract
        .replacing(
          "formats: [safetensors]", with: "formats: [mlpackage]\n    description: Ours"
        )
        .replacing("  archive:", with: "  author: Us\n  archive:"))
    _ = try build("a")
    let metadata = try words("a").metadata
    #expect(metadata["author"] == "Us" && metadata["shortDescription"] == "Ours")
    #expect(metadata["license"] == "mit")
  }

  /// A card that says nothing changes nothing, not even the name of the work.
  @Test(arguments: ["# No YAML\n", "---\n- a list\n---\n", "---\ntags: [x]\n---\nno heading\n"])
  func aSilentCardChangesNothing(_ text: String) throws {
    let first = try build("a")
    try project.scratch.write("models/ranker/README.md", text)
    let second = try build("b")
    #expect(second.models.map(\.key) == first.models.map(\.key))
    #expect(second.models.map(\.isCached) == [true, true, true])
    #expect(try project.files("b") == (try project.files("a")))
  }

  @Test func anotherCardIsOtherWorkAndTheSameCardTheSameBytes() throws {
    let before = try build("a")
    try card("One")
    let first = try build("b")
    #expect(first.models.map(\.isCached) == [false, true, true])
    #expect(first.models[0].key != before.models[0].key)
    // Prose is not what a package says.
    try card("One", "More words.")
    let again = try build("c")
    #expect(again.models.map(\.isCached) == [true, true, true])
    #expect(try project.files("c") == (try project.files("b")))
    try card("Two")
    #expect(try build("d").models.map(\.isCached) == [false, true, true])
    #expect(try words("d").metadata["author"] == "Two")
  }

  @Test func otherFormatsHaveNoPlaceForACard() throws {
    try project.scratch.write("ingot.yaml", SmallProject.contract)
    let before = try build("a")
    try card("Card")
    #expect(try build("b").models.map(\.key) == before.models.map(\.key))
  }

  @Test func encodersOfOneModelSayTheSame() throws {
    let clip = try ClipProject()
    try clip.scratch.write(
      "models/clip/README.md", "---\nauthor: Card\nlicense: mit\n---\n# Clip\n")
    let models = try clip.package().manifest.models
    #expect(models.map { $0.compression.options["author"] } == ["Card", "Card"])
    #expect(models.map { $0.compression.options["description"] } == ["Clip", "Clip"])
  }
}
