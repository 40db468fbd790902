import Files
import ProjectFixtures
import TestSupport
import Testing

@testable import Release

/// Members that are made on several threads, as if there were one.
@Suite struct FamilyThreadsTests {
  private static let members = (10..<50).map { "m\($0)" }

  private func project() throws -> SmallProject {
    let project = try SmallProject()
    try project.writeFamily(Self.members)
    // Its output would be the same for all references.
    try project.writeMember("m15", [0.5, 0.75])
    // Two that are the same work.
    for member in ["m12", "m31"] { try project.writeMember(member, [0.5, -0.25]) }
    return project
  }

  /// What a build says, in its order.
  private func told(
    _ project: SmallProject, _ output: String, jobs: Int
  ) throws -> (events: [String], report: BuildReport) {
    var events: [String] = []
    let report = try project.build(output, jobs: jobs) { event in
      // It has the name of the output folder.
      if case .packaged = event { return }
      events.append("\(event)")
    }
    return (events, report)
  }

  @Test func threadsChangeNeitherBytesNorWords() throws {
    let project = try project()
    let one = try told(project, "one", jobs: 1)
    #expect(one.report.familyLines == ["users: 40 passed"])
    for jobs in [2, 3, 7] {
      let many = try told(project, "many\(jobs)", jobs: jobs)
      #expect(many.events == one.events)
      #expect(many.report.models.map(\.model) == Self.members.map { "users/\($0)" })
      #expect(try project.files("many\(jobs)") == project.files("one"))
    }
  }

  @Test func refusedMembersAreNamedInTheirOrder() throws {
    let project = try project()
    for member in ["m44", "m21", "m20"] {
      try project.writeMember(member, [1000, 0.5])
      try project.scratch.write(
        "users/\(member)/references.jsonl",
        (0..<12).map { #"{"input": {"values": [0, \#($0 - 6)]}}"# }.joined(separator: "\n") + "\n")
    }
    let one = try told(project, "one", jobs: 1)
    let many = try told(project, "many", jobs: 3)
    #expect(one.report.familyLines == ["users: 37 passed, 3 refused"])
    #expect(many.events == one.events)
    #expect(many.report.refused == one.report.refused)
    #expect(
      many.report.models.filter { $0.verdict == .refused }.map(\.model)
        == ["users/m20", "users/m21", "users/m44"])
  }

  /// What a change of a member's files, while others are worked on, leaves of it.
  enum Change: CaseIterable, Sendable {
    case references, weights, description, otherWeights, note, nothing

    /// The file that is written, and its content.
    var file: (name: String, text: String) {
      switch self {
      case .references: ("references.jsonl", #"{"input": {"values": [1, 2]}}"# + "\n")
      // One byte of it changes, so that neither names nor sizes tell.
      case .weights: ("w.npy", "")
      case .description: ("model.json", #"{"architecture": "dense"}"#)
      case .otherWeights: ("model.safetensors", "these would be read in place of arrays")
      case .note, .nothing: ("read-me.txt", "a note")
      }
    }

    var isHarmless: Bool { self == .note || self == .nothing }
  }

  /// What is on disk is read once more when a member was made, also if it was opened for validation.
  @Test(arguments: Change.allCases) func aMemberThatChangesMeanwhileIsNotPackaged(
    _ change: Change
  ) throws {
    let project = try project()
    let path = project.scratch.path("users/m40/\(change.file.name)")
    let changes = Mutex(0)
    var request = try project.request()
    request.jobs = 2
    request.stepping = { [scratch = project.scratch] _ in
      changes.withLock { count in
        count += 1
        guard count == 1, change != .nothing else { return }
        if change == .weights {
          guard var bytes = try? MappedFile.contents(of: path, limit: 1 << 10) else { return }
          // The sign of the last weight.
          bytes[bytes.count - 1] ^= 0x80
          _ = try? scratch.write("users/m40/\(change.file.name)", bytes)
        } else {
          _ = try? scratch.write("users/m40/\(change.file.name)", change.file.text)
        }
      }
    }
    let report = try Builder.build(request)
    #expect(changes.withLock { $0 } > 0)
    if change.isHarmless {
      #expect(report.familyLines == ["users: 40 passed"])
      return
    }
    #expect(report.packages.isEmpty)
    #expect(report.familyLines == ["users: 39 passed, 1 cannot be used"])
    #expect(report.refused.flatMap(\.reasons).allSatisfy { $0.hasPrefix("model 'users/m40': ") })
  }
}
