import Files
import Formats
import Foundation
import Graph
import Packaging
import ProjectFixtures
import TestSupport
import Testing
import WeightCompression

@testable import Project
@testable import Release

/// Projects whose models become Core ML packages.
@Suite struct FormatTests {
  /// The sound contract with each text replaced.
  private static func contract(_ edits: [(old: String, new: String)]) -> String {
    edits.reduce(SmallProject.contract) { $0.replacingOccurrences(of: $1.old, with: $1.new) }
  }

  private static let coreML = """
    formats: [mlpackage]
        description: Ranks offers
        coreml: {minimumDeploymentTarget: iOS17, outputType: float16}
    """

  private static let release = (
    old: "archive: tar.zst", new: "author: Example\n  license: Apache-2.0\n  archive: tar.zst"
  )

  private func plan(_ contract: String) throws -> BuildPlan {
    let project = try SmallProject()
    try project.scratch.write("ingot.yaml", contract)
    return try ProjectValidator.plan(project.scratch.path).plan
  }

  @Test func everythingThatShapesThePackageIsPartOfTheJob() throws {
    let plan = try plan(
      Self.contract([("formats: [safetensors]", Self.coreML), Self.release]))
    let keys = plan.jobs.map(\.key)
    #expect(
      keys.map(\.form) == [
        OutputForm(
          CoreMLPackage(
            options: CoreMLOptions(target: .iOS17, outputType: .float16),
            description: CoreMLDescription(
              summary: "Ranks offers", author: "Example", license: "Apache-2.0",
              version: "1.4.0"))),
        OutputForm(CompressedSafetensors()), OutputForm(CompressedSafetensors()),
      ])
    #expect(keys.map { $0.compression.options(of: nil)?.floats } == [.float16, .float32, .float32])
  }

  @Test func nothingIsChosenUnlessAsked() throws {
    let plan = try plan(Self.contract([("formats: [safetensors]", "formats: [mlpackage]")]))
    #expect(
      plan.jobs[0].key.form
        == OutputForm(CoreMLPackage(description: CoreMLDescription(version: "1.4.0"))))
  }

  @Test func modelsThatDifferInWordsAreTwoJobs() throws {
    func jobs(_ first: String, _ second: String) throws -> Int {
      let recipe = { (name: String, more: String) in
        """
          \(name):
            source: models/ranker
            compress: {scheme: none}
            gate: {references: references.jsonl, limits: standard}
        \(more)
        """
      }
      return try plan(
        """
        ingot: 1
        models:
        \(recipe("a", first))
        \(recipe("b", second))
        customModels:
          source: flows/{flowName}/v{modelVersion}
          compress: {scheme: int8}
          gate: {references: references.jsonl}
        customers: customers.json
        release: {version: 1.4.0, sdk: ">=3.2.0"}

        """
      ).jobs.count - 2
    }
    let core = "    formats: [mlpackage]"
    #expect(try jobs(core, core) == 1)
    #expect(try jobs(core, "") == 2)
    #expect(try jobs(core, core + "\n    description: x") == 2)
    #expect(try jobs(core, core + "\n    coreml: {outputType: float16}") == 2)
    #expect(try jobs(core, core + "\n    coreml: {outputType: float32}") == 1)
    #expect(try jobs(core, core + "\n    coreml: {floatType: float32}") == 2)
    #expect(try jobs(core, core + "\n    coreml: {floatType: float16}") == 1)
    // No safetensors file holds a description.
    #expect(try jobs("", "    description: x") == 1)
  }

  @Test func lengthsAreForTexts() throws {
    let project = try SmallProject()
    try project.scratch.write(
      "ingot.yaml",
      Self.contract([
        (
          "formats: [safetensors]", "formats: [mlpackage]\n    coreml: {sequenceLength: [16, 32]}"
        )
      ]))
    #expect(
      lines(ProjectValidator.validate(project.scratch.path)) == [
        "8:30: model 'ranker': 'sequenceLength' is for models that take a text "
          + "[remove 'sequenceLength']"
      ])
  }

  /// What only iOS 18 can hold is told before anything is built.
  @Test func systemsThatAreTooOldAreFaults() throws {
    let project = try SmallProject()
    try Folder.remove(project.scratch.path("models/ranker"))
    try TextModel.write(to: "models/ranker", in: project.scratch)
    try project.scratch.write(
      "ingot.yaml",
      Self.contract([
        (
          "formats: [safetensors]",
          "formats: [mlpackage]\n"
            + "    coreml: {sequenceLength: [4, 8], minimumDeploymentTarget: iOS16}"
        )
      ]))
    let found = lines(ProjectValidator.validate(project.scratch.path))
    #expect(
      found.contains {
        $0.hasSuffix(
          "a choice of sequence lengths needs iOS18, the minimum deployment target is iOS16")
      }, "\(found)")
  }

  @Test func lengthsFitTheModel() throws {
    for (lengths, faults) in [
      ("[4, 10]", []), ("10", []),
      (
        "[4, 11]",
        ["8:30: model 'ranker': 'sequenceLength' is 11, the model takes at most 10 tokens"]
      ),
    ] {
      let project = try SmallProject()
      try Folder.remove(project.scratch.path("models/ranker"))
      try TextModel.write(to: "models/ranker", in: project.scratch)
      try project.scratch.write(
        "ingot.yaml",
        Self.contract([
          (
            "formats: [safetensors]",
            "formats: [mlpackage]\n    coreml: {sequenceLength: \(lengths)}"
          )
        ]))
      // The reference set suits other models only.
      let found = lines(ProjectValidator.validate(project.scratch.path)).filter {
        $0.contains("sequenceLength")
      }
      #expect(found == faults)
    }
  }

  @Test func saysWhatAnEncoderTakesAndGives() throws {
    let scratch = try TemporaryFolder()
    try TextModel.write(to: "m", in: scratch)
    let model = try ModelLoader.open(scratch.path("m"))
    func details(_ form: OutputForm) throws -> [String] {
      let key = BuildPlan.Key(
        source: "m", compression: .one(try CompressionOptions(scheme: nil)), references: "r",
        limits: LimitOptions(profile: "standard", overrides: [:]), threshold: nil, form: form)
      let details = try ModelDetails(model, of: key, as: try key.form.suiting(model))
      return (details.inputs + details.outputs).map { "\($0.name) \($0.dtype) \($0.shape)" }
    }
    func package(_ lengths: [Int], _ type: CoreMLOptions.OutputType = .float32) -> OutputForm {
      OutputForm(
        CoreMLPackage(options: CoreMLOptions(sequenceLengths: lengths, outputType: type)))
    }
    #expect(
      try details(OutputForm(CompressedSafetensors())) == [
        "input_ids int32 [-1, -1]", "attention_mask int32 [-1, -1]", "embedding float32 [-1, 8]",
      ])
    #expect(
      try details(package([])) == [
        "input_ids int32 [1, 10]", "attention_mask int32 [1, 10]", "embedding float32 [1, 8]",
      ])
    #expect(
      try details(package([4], .float16)) == [
        "input_ids int32 [1, 4]", "attention_mask int32 [1, 4]", "embedding float16 [1, 8]",
      ])
    #expect(
      try details(package([4, 8])) == [
        "input_ids int32 [1, -1]", "attention_mask int32 [1, -1]", "embedding float32 [1, 8]",
      ])
  }

  @Test func buildsPackagesForCoreML() throws {
    let project = try SmallProject()
    try project.scratch.write(
      "ingot.yaml",
      Self.contract([
        ("formats: [safetensors]", "formats: [mlpackage]\n    description: Ranks offers"),
        Self.release,
      ]))
    let report = try project.build()
    #expect(report.refused.isEmpty)
    let package = try PackageVerifier.verify(report.packages[1].path)
    let models = package.manifest.models
    #expect(models.map(\.format) == [.safetensors, .mlpackage, .safetensors])
    let ranker = try #require(models.first { $0.identity == .shared(name: "ranker") })
    #expect(ranker.path.string == "models/ranker/model.mlpackage")
    #expect(ranker.compression.originalBytes == 8)
    #expect(ranker.inputs.map(\.shape) == [[1, 2]])
    #expect(
      ranker.outputs.map { "\($0.name) \($0.dtype) \($0.shape) \($0.labels.plain)" } == [
        "score string [1] []", #"score_probability float32 [1, 2] ["no", "yes"]"#,
      ])
    let before = try project.files()
    _ = try project.build("again", jobs: 2)
    #expect(try project.files("again") == before)
    #expect(
      try Folder.names(in: project.scratch.path("out"))
        == (SmallProject.apps + [".lock", "SHA256SUMS", "index.jsonl"]).sorted())
  }

  @Test func keepsWeightsThatAreNotToBeCompressed() throws {
    let project = try SmallProject()
    try project.scratch.write(
      "ingot.yaml", Self.contract([("compress: {scheme: int8}", "compress: {scheme: none}")]))
    let report = try project.build()
    #expect(report.refused.isEmpty)
    let manifest = try PackageVerifier.verify(report.packages[0].path).manifest
    #expect(manifest.models.map(\.compression.method) == ["uncompressed", "uncompressed"])
  }
}
