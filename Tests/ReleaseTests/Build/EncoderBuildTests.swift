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
        "preprocessing inputs/clip/image.json", "preprocessing inputs/clip/text.json",
        "model models/clip/image/model.mlpackage/Manifest.json",
        "preprocessing models/clip/image/preprocessor_config.json",
        "model models/clip/text/model.mlpackage/Manifest.json",
        "tokenizer models/clip/text/tokenizer.json", "receipt receipts/clip/image.json",
        "receipt receipts/clip/text.json", "sbom sbom.cdx.json",
        "selftest selftests/clip/image.json", "selftest selftests/clip/text.json",
      ])
    #expect(
      package.manifest.build.inputs.map(\.name) == [
        "clip/image/model", "clip/image/references", "clip/text/model", "clip/text/references",
      ])
    #expect(
      package.summary(isAuthenticated: false).contains(
        "  model 'clip', image encoder, int8 per channel, "))
  }

  /// The judged encoders are the ones that ship: each receipt names the other encoder.
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
    #expect(image.metrics == text.metrics)
    #expect(
      package.manifest.models.map(\.path.string)
        == ["image", "text"].map { "models/clip/\($0)/model.\(format)" })
  }

  @Test(arguments: ["mlpackage", "safetensors"])
  func isTheSameAgainAndFromTheStore(_ format: String) throws {
    let project = try ClipProject([("[mlpackage]", "[\(format)]")])
    let first = try project.build("a", store: "store")
    #expect(first.models.map(\.isCached) == [false])
    let second = try project.build("b", store: "store")
    #expect(second.models.map(\.isCached) == [true])
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
        "inputs/clip/image.json", "inputs/clip/text.json",
        "models/clip/image/processor_config.json",
      ])
    #expect(try Replay.run(package, project: project.scratch.path, jobs: 1).isProven)
  }

  @Test func bothAreProvenAgainTogether() throws {
    let project = try ClipProject()
    let package = try project.package()
    var steps: [String] = []
    func replay() throws -> ReplayReport {
      try Replay.run(package, project: project.scratch.path, jobs: 1) { name, _, number, count in
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
    #expect(try replay().models.map(\.outcome.differences) == [[change], [change]])
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
