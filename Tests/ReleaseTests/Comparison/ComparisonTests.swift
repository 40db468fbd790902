import Files
import Formats
import Graph
import Packaging
import ProjectFixtures
import StrictJSON
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Release

/// Differences between two builds, the first cause first.
@Suite struct ComparisonTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    /// The text that is replaced in the project file.
    var old = ""
    var new = ""
    var change: @Sendable (SmallProject) throws -> Void = { _ in }
    /// The first cause, as people read it; stars match hexadecimal digits.
    let cause: String
    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "scheme", old: "{scheme: int8}", new: "{scheme: none}",
      cause: "model 'ranker': option 'scheme': int8 → none"),
    Case(
      name: "granularity", old: "{scheme: int8}", new: "{scheme: int8, granularity: per-tensor}",
      cause: "model 'ranker': option 'granularity': per-channel → per-tensor"),
    Case(
      name: "format", old: "formats: [safetensors]", new: "formats: [mlpackage]",
      cause: "model 'ranker': option 'format': safetensors → mlpackage"),
    Case(
      name: "SDK range", old: ">=3.2.0 <5.0.0", new: ">=3.2.0",
      cause: "belowSDK: 5.0.0 → nothing"),
    Case(
      name: "licence", old: "archive: tar.zst", new: "license: MIT",
      cause: "licenses:  → MIT"),
    Case(
      name: "profile", old: "limits: standard", new: "limits: lenient",
      cause: "model 'ranker': limit 'profile': standard → lenient"),
    Case(
      name: "single limit", old: "similarityDriftMax: 0.1", new: "similarityDriftMax: 0.12",
      cause: "model 'upsell': limit 'similarityDriftMax': 0.1 → 0.12"),
    Case(
      name: "threshold", old: "threshold: 0.5", new: "threshold: 0.4",
      cause: "model 'upsell': limit 'threshold': 0.5 → 0.4"),
    Case(
      name: "bundle identifiers",
      change: {
        try $0.scratch.write(
          "customers.json", SmallProject.customers.replacing("com.one.beta", with: "com.one.b"))
      }, cause: "app 'bundleIdentifiers': com.one.app com.one.beta → com.one.app com.one.b"),
    Case(
      name: "trained weights",
      change: { try $0.model("models/ranker", [0.25, 0.5]) },
      cause: "model 'ranker': model as trained: *… → *…"),
    Case(
      name: "words about the model",
      change: {
        let path = $0.scratch.path("models/ranker/model.json")
        let text = String(
          decoding: try MappedFile.contents(of: path, limit: 1 << 20), as: UTF8.self)
        try $0.scratch.write("models/ranker/model.json", text.replacing("score", with: "points"))
      }, cause: "model 'ranker': model as trained 'model.json': *… → *…"),
    Case(
      name: "reference set",
      change: {
        let lines = (0..<12).map { #"{"input": {"values": [\#($0), 3]}}"# }
        try $0.scratch.write("references.jsonl", lines.joined(separator: "\n") + "\n")
      }, cause: "model 'ranker': reference set: *… → *…"),
    Case(
      name: "version of a flow", old: "flows/{flowName}/v{modelVersion}",
      new: "flows/{flowName}/v7",
      change: {
        try $0.scratch.write(
          "customers.json",
          SmallProject.customers.replacing(#""modelVersion": 7"#, with: #""modelVersion": 8"#)
            .replacing("churn", with: "upsell_2"))
        try $0.model("flows/upsell_2/v7", [0.5, -0.25])
      }, cause: "model 'upsell': identity 'modelVersion': 7 → 8"),
  ]

  @Test(arguments: cases)
  func namesTheFirstCause(_ item: Case) throws {
    let project = try SmallProject()
    let before = try project.build("before")
    try project.scratch.write(
      "ingot.yaml",
      item.old.isEmpty
        ? SmallProject.contract : SmallProject.contract.replacing(item.old, with: item.new))
    try item.change(project)
    let after = try project.build("after")
    #expect(after.refused.isEmpty)
    let comparison = try Comparison(before.packages[0].path, after.packages[0].path)
    let first = try #require(comparison.causes.first)
    #expect(matches(first.description, item.cause), "\(comparison.text)")
    // Manifests alone tell that there is a difference, too.
    let manifests = (
      try PackageReader.manifest(of: before.packages[0].path),
      try PackageReader.manifest(of: after.packages[0].path)
    )
    let difference = PackageDifference(between: manifests.0, and: manifests.1)
    #expect(!difference.causes.isEmpty)
  }

  private func matches(_ text: String, _ pattern: String) -> Bool {
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    var rest = text[...]
    for (index, part) in parts.enumerated() {
      if index > 0 { rest = rest.drop { $0.isHexDigit } }
      guard rest.hasPrefix(part) else { return false }
      rest = rest.dropFirst(part.count)
    }
    return rest.isEmpty
  }

  @Test func timeComesBeforeEverythingElse() throws {
    let project = try SmallProject()
    let before = try project.build("before")
    try project.scratch.write(
      "ingot.yaml", SmallProject.contract.replacing("{scheme: int8}", with: "{scheme: none}"))
    let after = try project.build("after", epoch: "86400")
    let comparison = try Comparison(before.packages[1].path, after.packages[1].path)
    #expect(
      comparison.causes.first?.description == "time: 1970-01-01T00:00:00Z → 1970-01-02T00:00:00Z")
    #expect(comparison.causes.contains { $0.kind == .option && $0.model == "churn" })
    #expect(comparison.text.contains("\nalso:\n  "))
  }

  @Test func namesTheFirstTensorOfHowMany() throws {
    let project = try SmallProject()
    let before = try project.build("before")
    try project.model("models/ranker", [0.25, 0.5])
    let after = try project.build("after")
    let comparison = try Comparison(before.packages[0].path, after.packages[0].path)
    #expect(comparison.causes.map(\.kind).prefix(2) == [.baseline, .tensor])
    #expect(
      comparison.causes[1].description
        == "model 'ranker': tensor 'w': I8 [1, 2], 42.0 at element 0 → 64.0 (2 of 2 tensors differ)"
    )
  }

  @Test func constantsOfCoreMLPackagesAreTensors() throws {
    let project = try SmallProject()
    try project.scratch.write(
      "ingot.yaml", SmallProject.contract.replacing("[safetensors]", with: "[mlpackage]"))
    let before = try project.build("before")
    try project.model("models/ranker", [0.25, 0.5])
    let after = try project.build("after")
    let comparison = try Comparison(before.packages[0].path, after.packages[0].path)
    #expect(comparison.causes.map(\.kind).prefix(2) == [.baseline, .tensor])
    let tensor = comparison.causes[1]
    #expect(tensor.item == "w")
    #expect(tensor.note == "1 of 1 tensor differs")
  }

  @Test func theSameBytesAreTheSame() throws {
    let project = try SmallProject()
    let (one, other) = (try project.build("one"), try project.build("other"))
    #expect(try Comparison(one.packages[0].path, other.packages[0].path).isSame)
    let outputs = try Comparison(project.scratch.path("one"), project.scratch.path("other"))
    #expect(outputs.isSame)
    #expect(outputs.text.hasSuffix("/other are the same\n"))
    #expect(
      try Comparison(project.scratch.path("models"), project.scratch.path("models")).isSame)
  }

  @Test func outputsAreComparedPackageByPackage() throws {
    let project = try SmallProject()
    _ = try project.build("one")
    try project.model("flows/churn/v1", [0.5, 0.5])
    let new = "e07a95b8-2c4d-4b96-8f21-7d3e60c9a1b6"
    try project.scratch.write(
      "customers.json", SmallProject.customers.replacing(SmallProject.apps[2], with: new))
    _ = try project.build("other")
    let comparison = try Comparison(project.scratch.path("one"), project.scratch.path("other"))
    let lost = SmallProject.apps[2]
    #expect(comparison.causes[0].package?.hasPrefix(SmallProject.apps[1]) == true)
    #expect(comparison.causes[0].model == "churn")
    #expect(
      comparison.causes.filter { $0.kind == .package }.map(\.description) == [
        "package '\(lost)/\(lost)-1.4.0.tar.zst': there → nothing",
        "package '\(new)/\(new)-1.4.0.tar.zst': nothing → there",
      ])
  }

  /// Whatever byte of a model differs, something is named.
  @Test func noDifferenceIsPassedOver() throws {
    let project = try SmallProject()
    let source = project.scratch.path("models/ranker")
    let model = try ModelLoader.open(source)
    let weights = try WeightCompressor.compress(
      weights: try model.usedWeights(), from: model.weights,
      options: try CompressionOptions(scheme: "int8"), jobs: 1)
    let path = project.scratch.path("a.safetensors")
    _ = try CompressedSafetensors().writeUnproven(weights, of: model, recipe: "int8", to: path)
    let bytes = try MappedFile.contents(of: path, limit: 1 << 20)
    var compared = 0
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 1
      let other = try project.scratch.write("b.safetensors", changed)
      // A file that is not a model any more is an error, which is an answer, too.
      guard let comparison = try? Comparison(path, other) else { continue }
      compared += 1
      #expect(!comparison.isSame, "byte \(index)")
      #expect(comparison.causes.last?.note == "from byte \(index) on")
    }
    #expect(compared > 20)
  }

  @Test func onlyLikeIsCompared() throws {
    let project = try SmallProject()
    let report = try project.build()
    let path = report.packages[0].path
    let folder = project.scratch.path("out")
    #expect(
      message { _ = try Comparison(path, folder) }
        == "\(path) is a package archive, \(folder) is an output folder; compare two of a kind")
  }

  @Test func outputsThatAreKeptHoldOrDoNot() throws {
    let project = try SmallProject()
    let before = try project.build("before")
    try project.model("flows/upsell/v7", [0.5, -0.375])
    let after = try project.build("after")
    let text = try Comparison(before.packages[0].path, after.packages[0].path).text
    #expect(
      text.hasSuffix(
        """
        model 'ranker': the same cache key: outputs that an app kept go on to hold
        model 'upsell': another cache key: outputs that an app kept are to be made anew

        """))
  }

  @Test func reportsInJSON() throws {
    let project = try SmallProject()
    let before = try project.build("before")
    try project.scratch.write(
      "ingot.yaml", SmallProject.contract.replacing("threshold: 0.5", with: "threshold: 0.4"))
    let after = try project.build("after")
    let (left, right) = (before.packages[0].path, after.packages[0].path)
    let report = try Comparison(left, right).json
    #expect(
      report == [
        "verdict": "different", "left": .string(left), "right": .string(right),
        "causes": [
          [
            "kind": "limits", "model": "upsell", "item": "threshold", "left": "0.5",
            "right": "0.4",
          ],
          ["kind": "metrics", "model": "upsell", "item": "flips", "left": "1", "right": "0"],
        ],
        "cacheKeys": [
          ["model": "ranker", "isShared": true], ["model": "upsell", "isShared": true],
        ],
      ])
  }
}
