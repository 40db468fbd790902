import ClientHost
import Files
import IngotClient
import IngotFeatures
import IngotTokenizers
import Project
import ProjectFixtures
import SelfTesting
import TestSupport
import Testing

@testable import Packaging
@testable import Release

/// The self-tests that a build puts into packages, run as a device runs them.
struct SelfTestBuildTests {
  private let project: SmallProject

  init() throws { project = try SmallProject() }

  /// Builds the project, and unpacks the first customer's package.
  private func built(_ output: String = "out") throws -> String {
    let report = try project.build(output)
    #expect(report.refused.isEmpty)
    let app = SmallProject.apps[0]
    let folder = project.scratch.path("\(output)-package")
    _ = try PackageExtractor.extract(
      project.scratch.path("\(output)/\(app)/\(app)-1.4.0.tar.zst"), to: folder)
    return folder
  }

  private func selfTest(_ name: String, in folder: String) throws -> SelfTest {
    let path = Folder.join(folder, "selftests/\(name).json")
    return try SelfTest(MappedFile.contents(of: path, limit: SelfTest.byteLimit), origin: path)
  }

  @Test func aPackageHasTheSelfTestsOfItsModels() async throws {
    let folder = try built()
    let test = try selfTest("ranker", in: folder)
    #expect(test.source == .references && test.tolerance == .difference(0.05))
    #expect(test.cases.count == 4)
    // 0, 3, 6 and 9 of twelve references, as the project has them.
    let inputs: [[Float]] = test.cases.map { $0.inputs[0].elements.floats }
    #expect(inputs == [[0, 12], [3, 6], [6, 0], [9, -6]])
    #expect(try selfTest("upsell", in: folder).tolerance == .difference(0.1))
    try await SelfTestCheck(ExecutorLoader(jobs: 1)).check(folder)
  }

  @Test func anotherModelFailsThem() async throws {
    let folder = try built()
    // The same name and the same inputs, with other weights.
    try project.model("models/ranker", [-0.75, 0.5])
    let other = try built("other")
    let path = "models/ranker/model.safetensors"
    try AtomicFile.write(
      MappedFile.contents(of: Folder.join(other, path), limit: 1 << 20),
      to: Folder.join(folder, path))
    let error = await #expect(throws: UpdateError.self) {
      try await SelfTestCheck(ExecutorLoader(jobs: 1)).check(folder)
    }
    #expect("\(try #require(error))".contains("model 'ranker': self-test"))
  }

  @Test func aReplayMakesThemAgain() throws {
    _ = try built()
    try replays()
  }

  private func replays() throws {
    let app = SmallProject.apps[0]
    let package = try PackageVerifier.verifyOpening(
      project.scratch.path("out/\(app)/\(app)-1.4.0.tar.zst"))
    let report = try Replay.run(package, project: project.scratch.path, jobs: 1)
    #expect(report.models.map(\.name) == ["ranker", "upsell"])
    for model in report.models {
      guard case .proven = model.outcome else {
        Issue.record("\(model.outcome)")
        continue
      }
    }
  }

  @Test func syntheticInputsAreNoReferences() async throws {
    let contract = SmallProject.contract.replacing(
      "source: models/ranker", with: "source: models/ranker\n    selfTest: synthetic")
    try project.scratch.write("ingot.yaml", contract)
    let folder = try built()
    let test = try selfTest("ranker", in: folder)
    #expect(test.source == .synthetic && test.cases.count == 4)
    for item in test.cases {
      #expect(item.inputs[0].elements.floats.allSatisfy { (-1...1).contains($0) })
    }
    #expect(try selfTest("upsell", in: folder).source == .references)
    try await SelfTestCheck(ExecutorLoader(jobs: 1)).check(folder)
  }

  /// A Core ML package has the names of its features in a sentence alone.
  @Test func featuresOfACoreMLPackageHaveTheirNames() throws {
    try project.scratch.write(
      "ingot.yaml",
      SmallProject.contract.replacing("formats: [safetensors]", with: "formats: [mlpackage]"))
    let folder = try built()
    let inputs = try ["ranker", "upsell"].map { name in
      try InputConfiguration(
        json: MappedFile.contents(of: Folder.join(folder, "inputs/\(name).json"), limit: 1 << 20))
    }
    guard case .features(let names) = inputs[0].kind, case .features(let own) = inputs[1].kind
    else {
      Issue.record("\(inputs)")
      return
    }
    #expect(!names.names.isEmpty && !names.names.contains("feature 1"))
    #expect(names == own)
    try replays()
  }

  @Test func anUnknownSourceIsAFaultOfTheProject() throws {
    try project.scratch.write(
      "ingot.yaml",
      SmallProject.contract.replacing(
        "source: models/ranker", with: "source: models/ranker\n    selfTest: none"))
    let faults = #expect(throws: ProjectFaults.self) { try project.build() }
    #expect(
      lines(try #require(faults)).contains {
        $0.contains("'selfTest' is 'none', expected references or synthetic")
      })
  }
}
