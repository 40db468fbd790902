import Files
import Packaging
import ProjectFixtures
import TestSupport
import Testing
import Weights

@testable import Release

extension SmallProject {
  /// A request to build the project; without a store.
  func request(_ output: String = "out", epoch: String? = nil) throws -> BuildRequest {
    BuildRequest(
      project: scratch.path, output: scratch.path(output), tool: try SmallProject.tool(),
      time: try Timestamp(sourceDateEpoch: epoch))
  }

  static func tool(_ program: String = "program") throws -> BuildTool {
    try BuildTool(
      version: "0.1.0", program: ContentDigest(of: Array(program.utf8)), libraries: [:])
  }

  func build(
    _ output: String = "out", jobs: Int = 1, epoch: String? = nil,
    progress: (BuildEvent) -> Void = { _ in }
  ) throws -> BuildReport {
    var request = try request(output, epoch: epoch)
    request.jobs = jobs
    return try Builder.build(request, progress: progress)
  }

  /// Outcomes of a replay of a package against the project, by the model's name.
  func replay(_ package: VerifiedPackage) throws -> [String: ReplayReport.Outcome] {
    let report = try Replay.run(package, project: scratch.path, jobs: 1)
    #expect(report.models.map(\.name) == ["churn", "ranker", "upsell"])
    return Dictionary(uniqueKeysWithValues: report.models.map { ($0.name, $0.outcome) })
  }
}

extension ReplayReport.Outcome {
  /// The sentences of what differs; nil of another outcome.
  var differences: [String]? {
    if case .differs(let found) = self { found.map(\.sentence) } else { nil }
  }
}
