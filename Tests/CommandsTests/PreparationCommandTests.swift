import Foundation
import Testing

/// What a Core ML package says about itself, and what lies beside it.
struct PreparationCommandTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeModel()
  }

  private func compress(_ flags: [String]) throws -> Program {
    try Program.run(
      ["compress", "model", "--format", "mlpackage", "-o", "X.mlpackage", "--quiet"] + flags,
      in: folder.path)
  }

  private func metadata() throws -> [String: String] {
    let json = try Program.run(["inspect", "X.mlpackage", "--json"], in: folder.path).json()
    return try #require(json["metadata"] as? [String: String])
  }

  @Test func flagsStandInThePackage() throws {
    let made = try compress(["--author", "Ours", "--license", "MIT", "--description", "A model"])
    #expect(made.status == 0)
    let metadata = try metadata()
    #expect(metadata["author"] == "Ours")
    #expect(metadata["license"] == "MIT")
    #expect(metadata["shortDescription"] == "A model")
  }

  @Test func cardStandsInThePackage() throws {
    try folder.write("model/README.md", "---\nlicense: apache-2.0\npipeline_tag: x\n---\n# Flows\n")
    #expect(try compress(["--author", "Ours"]).status == 0)
    let metadata = try metadata()
    #expect(metadata["author"] == "Ours")
    #expect(metadata["license"] == "apache-2.0")
    #expect(metadata["shortDescription"] == "Flows: x")
  }

  /// Values of metadata are whatever the package says; none passes for a line of the report.
  @Test func everyValueOfTheMetadataIsOneLine() throws {
    let forged = "A\nfindings: none\u{1B}[2J"
    #expect(try compress(["--author", forged, "--description", " B\u{202E} "]).status == 0)
    let report = try Program.run(["inspect", "X.mlpackage"], in: folder.path).output
    #expect(report.contains("\nauthor: A\\nfindings: none\\u{1B}[2J\n"), "\(report)")
    #expect(report.contains("\nshortDescription: \" B\\u{202E} \"\n"), "\(report)")
    #expect(try metadata()["author"] == forged)
  }

  /// Neither card nor flags: not a byte of them.
  @Test func nothingIsInvented() throws {
    #expect(try compress([]).status == 0)
    let keys = try metadata().keys.sorted()
    #expect(keys == ["dev.ingot.recipe", "dev.ingot.weights"])
  }

  @Test func usageLiesBeside() throws {
    #expect(try compress(["--with-preparation"]).status == 0)
    let page = try String(contentsOfFile: "\(folder.path)/USAGE.md", encoding: .utf8)
    let json = try Program.run(["inspect", "X.mlpackage", "--json"], in: folder.path).json()
    for key in ["inputs", "outputs"] {
      let features = try #require(json[key] as? [[String: Any]])
      #expect(!features.isEmpty)
      for feature in features {
        #expect(page.contains("\"\(feature["name"] as? String ?? "?")\""))
      }
    }
    #expect(page.contains(#"forResource: "X", withExtension: "mlmodelc""#))
    // The same again is no conflict.
    #expect(try compress(["--with-preparation"]).status == 0)
  }

  @Test func nothingIsReplaced() throws {
    try folder.write("USAGE.md", "mine\n")
    let refused = try compress(["--with-preparation"])
    #expect(refused.status == 1)
    #expect(
      refused.errors.hasPrefix(
        "error: ./USAGE.md: is there already and differs from what --with-preparation puts there\n"
          + "hint: move it away, or choose an --output in another folder\n")
        || refused.errors.hasPrefix(
          "error: USAGE.md: is there already and differs from what --with-preparation puts there\n"
            + "hint: move it away, or choose an --output in another folder\n")
    )
    #expect(try folder.names().sorted() == ["USAGE.md", "model"])
  }

  @Test func packagesOnly() throws {
    let refused = try Program.run(
      ["compress", "model", "-o", "x.safetensors", "--author", "Ours"], in: folder.path)
    #expect(refused.status == 64)
    #expect(refused.errors.contains("--author needs --format mlpackage"))
  }
}
