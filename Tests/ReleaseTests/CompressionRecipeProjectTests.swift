import Files
import Graph
import Packaging
import ProjectFixtures
import TestSupport
import Testing
import WeightCompression

@testable import Project
@testable import Release

/// Recipes that a project names.
@Suite struct CompressionRecipeProjectTests {
  private func options(_ compress: String, _ recipe: String?) throws -> (Project?, ProjectFaults) {
    let scratch = try TemporaryFolder()
    if let recipe { try scratch.write("recipes/ours.yaml", recipe) }
    let path = try scratch.write(
      "ingot.yaml", SmallProject.contract.replacing("{scheme: int8}", with: compress))
    let log = ContractSection.Log()
    let project = ProjectReader.read(path, log: log)
    log.faults.sort(first: path)
    return (project, log.faults)
  }

  @Test func aProjectNamesAFileFromItsFolder() throws {
    let (project, faults) = try options(
      "{recipe: recipes/ours.yaml}", CompressionRecipeReaderTests.sound)
    #expect(faults.isEmpty)
    let terms = try #require(project?.models.first?.entry.compression.value)
    let recipe = try #require(terms.options(of: nil)?.recipe)
    #expect(recipe.name == "ours")
    #expect(terms.label == recipe.label)
  }

  @Test func theFilesFaultsAreSaidOnceHoweverManyModelsNameIt() throws {
    let (project, faults) = try options(
      "{recipe: recipes/ours.yaml}",
      CompressionRecipeReaderTests.sound.replacing("role: matrix", with: "role: kernel"))
    #expect(project == nil)
    #expect(faults.faults.map(\.place.line) == [4])
    #expect(faults.faults.allSatisfy { $0.place.file.hasSuffix("recipes/ours.yaml") })
  }

  @Test func aFileThatIsNotThereIsNamedWhereItIsAskedFor() throws {
    let (_, faults) = try options("{recipe: recipes/our.yaml}", CompressionRecipeReaderTests.sound)
    #expect(faults.faults.map(\.rule) == [.missingRecipe, .missingRecipe])
    #expect(faults.faults.map(\.place.line) == [5, 10])
    #expect(faults.faults.map(\.hint) == Array(repeating: "did you mean 'ours.yaml'?", count: 2))
  }

  @Test func inputsBelongToAllEncoders() throws {
    let (project, faults) = try options(
      "{image: {recipe: small}, text: {recipe: tiny}, calibration: \"inputs.jsonl\"}", nil)
    #expect(faults.isEmpty)
    let recipe = try #require(project?.models.first?.entry)
    #expect(recipe.calibration?.value.literal == "inputs.jsonl")
    #expect(recipe.compression.value.options(of: .text)?.recipe?.name == "tiny")
    let (_, found) = try options(
      "{image: {recipe: small, calibration: a}, text: {recipe: tiny}}", nil)
    #expect(found.faults.first?.message == "unknown key 'calibration'")
  }

  /// A rule decides on the bytes, so that it decides on the work as well.
  @Test func anotherRuleIsOtherWork() throws {
    func key(_ recipe: String) throws -> [String: String] {
      let (project, _) = try options("{recipe: recipes/ours.yaml}", recipe)
      let found = try #require(project)
      return BuildPlan.Key(found.models[0].entry, of: found) { $0.literal }.options
    }
    let first = try key(CompressionRecipeReaderTests.sound)
    #expect(first["recipe"] == "ours")
    #expect(first["rules"]?.count == 64)
    #expect(try key("# A comment.\n" + CompressionRecipeReaderTests.sound) == first)
    #expect(
      try key(CompressionRecipeReaderTests.sound.replacing("groupSize: 4", with: "groupSize: 2"))[
        "rules"]
        != first["rules"])
    #expect(
      try key(CompressionRecipeReaderTests.sound.replacing("name: ours", with: "name: other"))
        != first)
  }

  /// Dropped inputs change the inputs that weights are fitted to.
  @Test func aDroppedOverlapIsOtherWork() throws {
    func key(_ compress: String) throws -> BuildPlan.Key {
      let (project, faults) = try options(compress, nil)
      #expect(faults.isEmpty)
      let found = try #require(project)
      return BuildPlan.Key(found.models[0].entry, of: found) { $0.literal }
    }
    let refused = try key("{recipe: small, calibration: c.jsonl}")
    let dropped = try key("{recipe: small, calibration: c.jsonl, dropOverlap: true}")
    #expect(refused.options != dropped.options)
    #expect(refused.options["dropOverlap"] == nil)
    #expect(dropped.options["dropOverlap"] == "true")
    let kept = try key("{recipe: small, calibration: c.jsonl, dropOverlap: false}")
    #expect(kept.options == refused.options)
  }

  @Test func whatDoesNotFitAModelIsAFaultOfTheProject() throws {
    let project = try SmallProject()
    try project.scratch.write(
      "ours.yaml",
      """
      ingot-recipe: 1
      rules:
        - match: {name: "*.kernel"}
          use: {scheme: int8}
        - match: {}
          use: {scheme: palettize, bits: 4, granularity: per-group}
      """)
    try project.scratch.write(
      "ingot.yaml",
      SmallProject.contract.replacing(
        "{scheme: int8}\n    gate", with: "{recipe: ours.yaml}\n    gate"))
    let faults = ProjectValidator.validate(project.scratch.path)
    #expect(
      lines(faults) == [
        "4:13: model 'ranker': recipe 'custom': rule 1 (name '*.kernel'): matches no weight of the "
          + "model",
        "4:13: model 'ranker': recipe 'custom': tensor 'w': 1 channels are no multiple of the group "
          + "size 16; use per-tensor (rule 2 has no fallback that fits)",
      ])
    #expect(faults.faults.allSatisfy { $0.rule == .unfitSource })
  }

  @Test func aBuildByARecipeSaysWhichItWas() throws {
    let project = try SmallProject()
    try project.scratch.write(
      "ingot.yaml", SmallProject.contract.replacing("{scheme: int8}", with: "{recipe: int8}"))
    let report = try project.build()
    let manifest = try PackageVerifier.verify(report.packages[0].path).manifest
    let recipe = BuiltInRecipe.int8.recipe
    #expect(manifest.models.map(\.compression.method) == [recipe.label, recipe.label])
    let options = [
      "floats": "float32", "format": "safetensors", "recipe": "int8", "rules": recipe.digest,
    ]
    #expect(manifest.models.map(\.compression.options) == [options, options])
  }
}
