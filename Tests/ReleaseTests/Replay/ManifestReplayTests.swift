import Files
import Formats
import Graph
import Packaging
import Project
import ProjectFixtures
import TestSupport
import Testing

@testable import Project
@testable import Release

/// What a manifest says of a model, and the project that it is replayed against says otherwise.
@Suite struct ManifestReplayTests {
  let project: SmallProject
  /// The archive of the second customer: the flows churn and upsell, and the shared ranker.
  let package: VerifiedPackage

  init() throws {
    project = try SmallProject()
    package = try PackageVerifier.verify(try project.build().packages[1].path)
  }

  struct FlowCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let old: String
    let new: String
    let difference: String?
  }

  @Test(arguments: [
    FlowCase(
      testDescription: "another id", old: #""flowId": 3"#, new: #""flowId": 4"#,
      difference: "manifest: flow id: recorded 3, found 4"),
    FlowCase(
      testDescription: "another version", old: #""modelVersion": 1"#, new: #""modelVersion": 9"#,
      difference: "manifest: model version: recorded 1, found 9"),
    FlowCase(
      testDescription: "another name", old: #""flowName": "churn""#, new: #""flowName": "stay""#,
      difference: "manifest: flow: recorded 'churn', found nothing"),
    FlowCase(
      testDescription: "an entry that cannot be read", old: #""flowName": "churn""#,
      new: #""flowName": 5"#, difference: nil),
    FlowCase(
      testDescription: "no such customer", old: SmallProject.apps[1],
      new: "00000000-0000-4000-8000-000000000000", difference: nil),
  ])
  func aFlowIsTheOneOfTheCustomerList(_ test: FlowCase) throws {
    try project.scratch.write(
      "customers.json", SmallProject.customers.replacing(test.old, with: test.new))
    let found = try project.replay(package)
    #expect(found["churn"]?.differences == test.difference.map { [$0] })
    #expect((found["churn"] == .proven) == (test.difference == nil))
    #expect(found["ranker"] == .proven && found["upsell"] == .proven)
  }

  @Test func compressionIsWhatTheProjectAsksFor() throws {
    try project.scratch.write(
      "ingot.yaml",
      SmallProject.contract.replacing(
        "source: models/ranker\n    compress: {scheme: int8}",
        with: "source: models/ranker\n    compress: {scheme: none}"))
    let found = try project.replay(package)
    guard let reasons = found["ranker"]?.differences else {
      Issue.record("\(String(describing: found["ranker"]))")
      return
    }
    let methods = "'int8 per channel', found 'uncompressed'"
    #expect(reasons.first == "manifest: compression method: recorded \(methods)", "\(reasons)")
    #expect(
      reasons.contains { $0.hasPrefix("manifest: option 'scheme': recorded 'int8', found ") },
      "\(reasons)")
    #expect(found["churn"] == .proven)
  }

  @Test func theFormatIsWhatTheProjectAsksFor() throws {
    try project.scratch.write(
      "ingot.yaml",
      SmallProject.contract.replacing("formats: [safetensors]", with: "formats: [mlpackage]"))
    guard let reasons = try project.replay(package)["ranker"]?.differences else {
      Issue.record("it is proven")
      return
    }
    #expect(
      reasons.first == "manifest: format: recorded safetensors, found mlpackage", "\(reasons)")
  }

  /// Terms of another release do not make the model differ.
  @Test(arguments: ["safetensors", "mlpackage"])
  func anotherReleaseIsNoDifference(_ format: String) throws {
    let contract = SmallProject.contract.replacing("[safetensors]", with: "[\(format)]")
    try project.scratch.write("ingot.yaml", contract)
    let package = try PackageVerifier.verifyOpening(try project.build("b").packages[2].path)
    try project.scratch.write(
      "ingot.yaml",
      contract.replacing("version: 1.4.0", with: "version: 1.5.0\n  author: Somebody"))
    let report = try Replay.run(package, project: project.scratch.path, jobs: 1)
    #expect(report.isProven, "\(report.reasons)")
  }

  @Test func recipesForEncodersOfAModelThatHasNone() throws {
    try project.scratch.write(
      "ingot.yaml",
      SmallProject.contract.replacing(
        "source: models/ranker\n    compress: {scheme: int8}",
        with: "source: models/ranker\n"
          + "    compress: {image: {scheme: int8}, text: {scheme: int8}}"))
    #expect(
      try project.replay(package)["ranker"]
        == .impossible(
          reason: "'compress' is for two encoders, the source is one encoder as a whole"))
  }

  struct EntryCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let old: String
    let new: String
    let difference: String
  }

  /// A manifest, and a model that was forged to suit it: the model as trained tells.
  @Test(arguments: [
    EntryCase(
      testDescription: "labels", old: #"["no","yes"]"#, new: #"["yes","no"]"#,
      difference: "label 1 of output 'probabilities': recorded 'yes', found 'no'"),
    EntryCase(
      testDescription: "features", old: #"["a","b"]"#, new: #"["b","a"]"#,
      difference: "feature 1 of input 'features': recorded 'b', found 'a'"),
    EntryCase(
      testDescription: "prompt", old: #""path":"models/ranker/model.safetensors","selfTest""#,
      new: #""path":"models/ranker/model.safetensors","prompt":"query: ","selfTest""#,
      difference: "prompt: recorded 'query: ', found nothing"),
    EntryCase(
      testDescription: "original bytes", old: #""originalBytes":8}"#, new: #""originalBytes":9}"#,
      difference: "original bytes: recorded 9, found 8"),
    EntryCase(
      testDescription: "an option", old: #""scheme":"int8""#, new: #""scheme":"int4""#,
      difference: "option 'scheme': recorded 'int4', found 'int8'"),
  ])
  func whatTheModelAsTrainedDoesNotSayDiffers(_ test: EntryCase) throws {
    let text = String(decoding: package.manifest.bytes, as: UTF8.self)
    let forged = text.replacing(test.old, with: test.new)
    try #require(forged != text)
    let manifest = try Manifest(Array(forged.utf8), origin: "m")
    let entry = try #require(manifest.models.first { $0.identity == .shared(name: "ranker") })
    let read = try #require(
      ProjectReader.read(project.scratch.path, log: ContractSection.Log(root: nil)))
    let replay = try #require(ManifestReplay(entry, of: manifest.app, nil, in: read))
    let baseline = try ModelLoader.open(project.scratch.path("models/ranker"))
    let found = try replay.differences(from: baseline)
    #expect(found.map(\.sentence) == ["manifest: \(test.difference)"])
  }
}
