import Files
import Formats
import Foundation
import Gate
import Graph
import Packaging
import Project
import ProjectFixtures
import Store
import TestSupport
import Testing
import Weights

@testable import Project
@testable import Release

/// A project whose model has an image and a text encoder.
struct ClipProject {
  let scratch: TemporaryFolder

  static let contract = """
    ingot: 1
    models:
      clip:
        source: models/clip
        compress: {scheme: int8}
        gate: {references: pairs.jsonl, limits: lenient}
        formats: [mlpackage]
    customers: customers.json
    release: {version: 1.0.0, sdk: ">=1.0.0"}

    """

  init(_ edits: [(old: String, new: String)] = []) throws {
    scratch = try TemporaryFolder()
    try TinyClip.write(to: scratch.path("models/clip"))
    try TinyClip.writePairs(to: scratch.path)
    try scratch.write(
      "customers.json",
      #"[{"bundle_identifiers": ["com.one.app"], "app_id": "\#(SmallProject.apps[0])"}]"#)
    try edit(edits)
  }

  /// Writes the contract with texts replaced.
  func edit(_ edits: [(old: String, new: String)]) throws {
    try scratch.write(
      "ingot.yaml",
      edits.reduce(ClipProject.contract) { $0.replacingOccurrences(of: $1.old, with: $1.new) })
  }

  func build(_ output: String = "out", store: String? = nil) throws -> BuildReport {
    var request = BuildRequest(
      project: scratch.path, output: scratch.path(output), tool: try SmallProject.tool(),
      time: try Timestamp(sourceDateEpoch: nil))
    request.store = try store.map { try ContentStore(folder: scratch.path($0), warn: { _ in }) }
    return try Builder.build(request)
  }

  /// The one package of a build.
  func package(_ output: String = "out", store: String? = nil) throws -> VerifiedPackage {
    let report = try build(output, store: store)
    guard let package = report.packages.first else {
      throw NotThere(what: "package: \(report.refused)")
    }
    return try PackageVerifier.verify(package.path)
  }

  /// The receipts of a package by their paths.
  static func receipts(_ package: VerifiedPackage) throws -> [String: RecordedReceipt] {
    let contents = try PackageReader.receipts(of: package.path).contents
    return try Dictionary(
      uniqueKeysWithValues: contents.map {
        ($0.key.string, try RecordedReceipt($0.value, origin: $0.key.string))
      })
  }
}

@Suite struct EncoderBuildTests {
  @Test func shipsBothEncodersUnderOneName() throws {
    let project = try ClipProject()
    let package = try project.package()
    let models = package.manifest.models
    #expect(
      models.map(\.identity) == [
        .shared(name: "clip", encoder: .image), .shared(name: "clip", encoder: .text),
      ])
    #expect(
      models.map { ($0.inputs + $0.outputs).map { "\($0.name) \($0.dtype) \($0.shape)" } } == [
        ["image image [1, 3, 16, 16]", "embedding float32 [1, 8]"],
        ["input_ids int32 [1, 16]", "embedding float32 [1, 8]"],
      ])
    #expect(
      package.manifest.files.map { "\($0.role) \($0.path)" }.filter { !$0.contains("Data") } == [
        "model models/clip/image/model.mlpackage/Manifest.json",
        "preprocessing models/clip/image/preprocessor_config.json",
        "model models/clip/text/model.mlpackage/Manifest.json",
        "tokenizer models/clip/text/tokenizer.json", "receipt receipts/clip/image.json",
        "receipt receipts/clip/text.json", "sbom sbom.cdx.json",
      ])
    #expect(
      package.manifest.build.inputs.map(\.name) == [
        "clip/image/model", "clip/image/references", "clip/text/model", "clip/text/references",
      ])
    #expect(
      package.summary(isAuthenticated: false).contains(
        "  model 'clip', image encoder, int8 per channel, "))
  }

  /// What ships is what was judged: each receipt names the other encoder.
  @Test(arguments: ["mlpackage", "safetensors"])
  func receiptsNameEachOther(_ format: String) throws {
    let project = try ClipProject([("[mlpackage]", "[\(format)]")])
    let package = try project.package()
    let receipts = try ClipProject.receipts(package)
    let image = try #require(receipts["receipts/clip/image.json"])
    let text = try #require(receipts["receipts/clip/text.json"])
    #expect(image.encoder == .image && text.encoder == .text)
    #expect(image.partner?.candidate == text.candidate)
    #expect(text.partner?.candidate == image.candidate)
    #expect(text.partner?.candidateFiles == image.candidateFiles)
    #expect(image.metrics == text.metrics)
    #expect(
      package.manifest.models.map(\.path.string)
        == ["image", "text"].map { "models/clip/\($0)/model.\(format)" })
  }

  @Test(arguments: ["mlpackage", "safetensors"])
  func isTheSameAgainAndFromTheStore(_ format: String) throws {
    let project = try ClipProject([("[mlpackage]", "[\(format)]")])
    let first = try project.build("a", store: "store")
    #expect(first.models.map(\.isKept) == [false])
    let second = try project.build("b", store: "store")
    #expect(second.models.map(\.isKept) == [true])
    let third = try project.build("c")
    #expect(
      Set((first.packages + second.packages + third.packages).map(\.sha256)).count == 1)
    #expect(try project.build("a", store: "store").packages.map(\.isReused) == [true])
  }

  @Test func eachEncoderMayHaveItsOwnRecipe() throws {
    let project = try ClipProject([
      (
        "compress: {scheme: int8}",
        "compress: {image: {scheme: none}, text: {scheme: palettize, bits: 8}}"
      ), ("    formats: [mlpackage]", "    formats: [mlpackage]\n    coreml: {sequenceLength: 12}"),
    ])
    var proving: [String] = []
    let request = BuildRequest(
      project: project.scratch.path, output: project.scratch.path("out"),
      tool: try SmallProject.tool(), time: try Timestamp(sourceDateEpoch: nil))
    let report = try Builder.build(request) {
      if case .proving(let model, let method, _, _) = $0 { proving.append("\(model): \(method)") }
    }
    #expect(proving == ["clip: image uncompressed, text palette 8 bits per tensor"])
    let models = try PackageVerifier.verify(report.packages[0].path).manifest.models
    #expect(
      models.map(\.compression.method) == ["uncompressed", "palette 8 bits per tensor"])
    #expect(models.map { $0.compression.options["sequenceLength"] } == [nil, "12"])
    #expect(models[1].inputs.map(\.shape) == [[1, 12]])
  }

  /// The image encoder that does not ship is the one as trained.
  @Test func oneEncoderMayShipAlone() throws {
    let project = try ClipProject([("compress:", "encoder: text\n    compress:")])
    let package = try project.package()
    #expect(package.manifest.models.map(\.identity.title) == ["clip/text"])
    let receipt = try #require(try ClipProject.receipts(package)["receipts/clip/text.json"])
    #expect(receipt.partner?.encoder == .image)
    #expect(receipt.partner?.candidate == receipt.partner?.baseline)
  }

  /// Both or none: a text encoder that broke takes the image encoder with it.
  @Test func oneBrokenEncoderRefusesBoth() throws {
    let project = try ClipProject([
      ("{scheme: int8}", "{image: {scheme: int8}, text: {scheme: palettize, bits: 1}}")
    ])
    let report = try project.build()
    #expect(report.packages.isEmpty)
    #expect(report.refused.map(\.cause) == [.gate])
    #expect(report.models.map(\.verdict) == [.refused])
    let pair = #"images/"#
    #expect(report.refused[0].reasons.contains { $0.contains(pair) && $0.contains(" ↔ \"") })
  }

  @Test func customModelsMayHaveTwoEncoders() throws {
    let project = try ClipProject([
      ("models:\n  clip:\n    ", "customModels:\n    "), ("models/clip", "flows/{flowName}"),
    ])
    try TinyClip.write(to: project.scratch.path("flows/shop"))
    try project.scratch.write(
      "customers.json",
      """
      [{"bundle_identifiers": ["com.one.app"], "app_id": "\(SmallProject.apps[0])",
        "customModels": [{"flowId": 7, "flowName": "shop", "modelVersion": 2}]}]
      """)
    let package = try project.package()
    #expect(
      package.manifest.models.map(\.identity) == [
        .flow(id: 7, name: "shop", modelVersion: 2, encoder: .image),
        .flow(id: 7, name: "shop", modelVersion: 2, encoder: .text),
      ])
    #expect(
      package.summary(isAuthenticated: false).contains(
        "  model 'shop' version 2, flow 7, text encoder, "))
  }

  /// A picture belongs to what a model is judged on.
  @Test func anotherImageIsAnotherInput() throws {
    let project = try ClipProject()
    let before = try project.build("a")
    let blue = project.scratch.path("images/blue.png")
    try FileManager.default.removeItem(atPath: blue)
    try FileManager.default.copyItem(atPath: project.scratch.path("images/red.png"), toPath: blue)
    let after = try project.build("b")
    #expect(before.models[0].key != after.models[0].key)
    #expect(before.packages[0].sha256 != after.packages[0].sha256)
  }

  struct FaultCase: CustomTestStringConvertible, Sendable {
    let name: String
    let old: String
    let new: String
    let lines: [String]
    var testDescription: String { name }
  }

  static let faults = [
    FaultCase(
      name: "unknown encoder", old: "compress:", new: "encoder: sound\n    compress:",
      lines: [
        "5:14: 'encoder' is 'sound', expected image or text "
          + "[leave 'encoder' out to ship every encoder there is]"
      ]),
    FaultCase(
      name: "encoder of something else", old: "source: models/clip",
      new: "source: models/ranker\n    encoder: image",
      lines: [
        "5:14: model 'clip': 'encoder' is image, the source is one encoder as a whole "
          + "[remove 'encoder', or name another source]"
      ]),
    FaultCase(
      name: "two recipes for something else",
      old: "source: models/clip\n    compress: {scheme: int8}",
      new: "source: models/ranker\n    compress: {image: {scheme: int8}, text: {scheme: int8}}",
      lines: [
        "5:15: model 'clip': 'compress' is for two encoders, the source is one encoder as a whole "
          + "[give one recipe, such as 'compress: {scheme: int8}']"
      ]),
    FaultCase(
      name: "one of two recipes", old: "{scheme: int8}", new: "{image: {scheme: int8}}",
      lines: [
        "5:15: the key 'text' is missing [say how to compress the text encoder: "
          + "'text: {scheme: int8}'; to ship the image encoder alone, add 'encoder: image']"
      ]),
    FaultCase(
      name: "a recipe too many", old: "compress: {scheme: int8}",
      new: "encoder: text\n    compress: {image: {scheme: int8}, text: {scheme: int8}}",
      lines: [
        "6:16: this is a recipe for the image encoder, 'encoder' is text "
          + "[remove 'image', or 'encoder' to ship both]"
      ]),
    FaultCase(
      name: "a recipe beside recipes", old: "{scheme: int8}",
      new: "{scheme: int8, image: {scheme: int8}, text: {scheme: int8}}",
      lines: ["5:16: unknown key 'scheme' [known here: image, text, calibration, dropOverlap]"]),
    FaultCase(
      name: "a fault inside a recipe", old: "{scheme: int8}",
      new: "{image: {scheme: int8}, text: {scheme: palettize}}",
      lines: ["5:54: palettize needs a number of bits: choose 1, 2, 3, 4, 6 or 8"]),
    FaultCase(
      name: "a length of images", old: "formats: [mlpackage]",
      new: "formats: [mlpackage]\n    encoder: image\n    coreml: {sequenceLength: 8}",
      lines: [
        "9:30: model 'clip': 'sequenceLength' is for models that take a text "
          + "[remove 'sequenceLength']"
      ]),
    FaultCase(
      name: "a length that is too long", old: "formats: [mlpackage]",
      new: "formats: [mlpackage]\n    coreml: {sequenceLength: 17}",
      lines: [
        "8:30: model 'clip': 'sequenceLength' is 17, the model takes at most 16 tokens"
      ]),
  ]

  @Test(arguments: faults)
  func faultsHavePlaces(_ test: FaultCase) throws {
    let project = try ClipProject([(test.old, test.new)])
    if test.new.contains("ranker") {
      try SmallProject.model("models/ranker", [0.25, 0.75], in: project.scratch)
      try project.scratch.write(
        "pairs.jsonl", String(repeating: "{\"input\": {\"values\": [1, 2]}}\n", count: 12))
    }
    #expect(lines(ProjectValidator.validate(project.scratch.path)) == test.lines)
  }

  /// Texts alone judge no image encoder.
  @Test func referencesMustBeForEveryEncoderThatShips() throws {
    let project = try ClipProject()
    let set = (0..<12).map { #"{"a": {"text": "red"}, "b": {"text": "blue \#($0)"}}"# + "\n" }
    try project.scratch.write("pairs.jsonl", set.joined())
    #expect(
      lines(ProjectValidator.validate(project.scratch.path)) == [
        "6:24: model 'clip': \(project.scratch.path("pairs.jsonl")): holds 12 pairs; none has "
          + "an image, so the candidate's image encoder would not be judged "
          + #"[a line for this model: {"a": {"image": "photos/bottle.jpg"}, "b": "a water bottle", "#
          + #""expect": "match"}]"#
      ])
    try project.edit([("compress:", "encoder: text\n    compress:")])
    #expect(lines(ProjectValidator.validate(project.scratch.path)) == [])
    let receipt = try ClipProject.receipts(try project.package())["receipts/clip/text.json"]
    #expect(receipt != nil && receipt?.partner == nil)
  }

  /// As transformers 5 saves a model; a text encoder needs no such file at all.
  @Test func theFileThatPreparesImagesShips() throws {
    let project = try ClipProject()
    let own = project.scratch.path("models/clip/preprocessor_config.json")
    let text = try String(contentsOfFile: own, encoding: .utf8)
    try FileManager.default.removeItem(atPath: own)
    let set = (0..<12).map { #"{"a": {"text": "red"}, "b": {"text": "blue \#($0)"}}"# + "\n" }
    try project.scratch.write("pairs.jsonl", set.joined())
    try project.edit([("compress:", "encoder: text\n    compress:")])
    #expect(lines(ProjectValidator.validate(project.scratch.path)) == [])
    #expect(
      try project.package("texts").manifest.models.map(\.identity) == [
        .shared(name: "clip", encoder: .text)
      ])
    try TinyClip.writePairs(to: project.scratch.path)
    try project.edit([])
    let faults = lines(ProjectValidator.validate(project.scratch.path))
    #expect(faults.count == 1 && faults[0].contains("'processor_config.json'"), "\(faults)")
    try project.scratch.write(
      "models/clip/processor_config.json", #"{"image_processor": \#(text)}"#)
    let package = try project.package("both")
    #expect(
      package.manifest.files.filter { $0.role == .preprocessing }.map(\.path.string) == [
        "models/clip/image/processor_config.json"
      ])
    #expect(try Replay.run(package, project: project.scratch.path, jobs: 1).isProven)
  }

  @Test func bothAreProvenAgainTogether() throws {
    let project = try ClipProject()
    let package = try project.package()
    var steps: [String] = []
    func replay() throws -> ReplayReport {
      try Replay.run(package, project: project.scratch.path, jobs: 1) { name, number, count in
        steps.append("\(number)/\(count) \(name)")
      }
    }
    let report = try replay()
    #expect(report.models.map(\.name) == ["clip/image", "clip/text"])
    #expect(report.isProven, "\(report.reasons)")
    #expect(steps == ["1/2 clip"])
    let file = project.scratch.path("models/clip/preprocessor_config.json")
    let before = try ContentDigest(of: MappedFile(path: file))
    try project.scratch.write(
      "models/clip/preprocessor_config.json",
      try String(contentsOfFile: file, encoding: .utf8) + "\n")
    let after = try ContentDigest(of: MappedFile(path: file))
    let change = "'\(file)': recorded \(before), found \(after)"
    #expect(try replay().models.map(\.outcome) == [.differs([change]), .differs([change])])
  }

  @Test func differencesNameTheEncoder() throws {
    let project = try ClipProject()
    let left = try project.build("a").packages[0].path
    try project.edit([
      ("{scheme: int8}", "{image: {scheme: int8}, text: {scheme: none}}")
    ])
    let right = try project.build("b").packages[0].path
    let causes = try Comparison(left, right).causes
    #expect(causes.first?.description == "model 'clip/text': option 'scheme': int8 → none")
    #expect(!causes.contains { $0.model == "clip/image" && $0.kind == .tensor })
  }
}
