import Files
import ProjectFixtures
import TestSupport
import Testing

@testable import Release

/// A model that changes in the middle of a build is not packaged, whatever its path leads to then.
@Suite struct ChangedSourceTests {
  private static let models = """
    ingot: 1
    models:
      ranker:
        source: models/ranker
        compress: {scheme: int8}
        gate: {references: references.jsonl, limits: standard}
    customers: customers.json
    release:
      version: 1.4.0
      sdk: ">=3.2.0 <5.0.0"

    """

  /// Two apps of one bundle identifier, which is warned of once everything was validated.
  private static let customers = """
    [{"bundle_identifiers": ["com.one.app"], "app_id": "\(SmallProject.apps[0])"},
     {"bundle_identifiers": ["com.one.app"], "app_id": "\(SmallProject.apps[1])"}]

    """

  private func project() throws -> SmallProject {
    let project = try SmallProject()
    try project.scratch.write("ingot.yaml", Self.models)
    try project.scratch.write("customers.json", Self.customers)
    return project
  }

  /// Builds, and replaces the weights at the first event that is asked for.
  private func build(
    _ project: SmallProject, changingAt isMoment: (BuildEvent) -> Bool
  ) throws -> BuildReport {
    var failure: (any Error)?
    var isChanged = false
    let report = try project.build { event in
      guard !isChanged, isMoment(event) else { return }
      isChanged = true
      do { try project.model("models/ranker", [0.75, -0.5]) } catch { failure = error }
    }
    if let failure { throw failure }
    #expect(isChanged)
    return report
  }

  private func expectNothing(_ report: BuildReport) {
    #expect(report.models.map(\.verdict) == [.unusable])
    #expect(report.packages.isEmpty)
    #expect(
      report.refused.map(\.reasons) == [[Self.words], [Self.words]], "\(report.refused)")
  }

  private static let words =
    "model 'ranker': the model, its reference set or its source check changed during the build"

  @Test func noModelIsBuiltThatWasNotValidated() throws {
    let report = try build(try project()) { if case .warning = $0 { true } else { false } }
    expectNothing(report)
  }

  @Test func aModelThatChangesAtWorkIsNotPackaged() throws {
    let report = try build(try project()) { if case .proving = $0 { true } else { false } }
    expectNothing(report)
  }

  /// The build goes on for everyone else.
  @Test func aModelThatIsGoneAtWorkIsRefusedAlone() throws {
    let project = try SmallProject()
    let report = try project.build { event in
      guard case .proving(let model, _, _, _) = event, model.contains("churn") else { return }
      try? Folder.remove(project.scratch.path("flows/churn/v1/w.npy"))
    }
    #expect(report.refused.map(\.customer) == [SmallProject.apps[1]])
    #expect(report.refused.map(\.cause) == [.unusable])
    #expect(report.packages.map(\.customer) == [SmallProject.apps[0], SmallProject.apps[2]])
  }

  /// The gate would read other references than the build's own, and nobody could see it afterwards.
  @Test func referencesThatAreSwappedForAWhileProveNothing() throws {
    let project = try project()
    let path = project.scratch.path("references.jsonl")
    let own = try MappedFile.contents(of: path, limit: 1 << 20)
    // A line that is there twice is warned of, should the gate run.
    let other = own + own.prefix { $0 != UInt8(ascii: "\n") } + [UInt8(ascii: "\n")]
    let report = try project.build { event in
      switch event {
      case .proving: try? AtomicFile.write(other, to: path)
      case .warning(let text) where text.contains("ranker"):
        try? AtomicFile.write(own, to: path)
      default: return
      }
    }
    expectNothing(report)
  }

  @Test func theSameProjectIsBuiltWhenNothingChanges() throws {
    let report = try project().build()
    #expect(report.models.map(\.verdict) == [.passed])
    #expect(report.packages.count == 2)
  }
}
