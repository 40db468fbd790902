import Files
import Foundation
import Packaging
import Project
import ProjectFixtures
import Store
import TestSupport
import Testing
import Weights

@testable import Project
@testable import Release

/// Families are built, refused, verified and proven again member by member.
@Suite struct FamilyBuildTests {
  private func project(_ members: [String] = ["ada", "ben", "cyd"]) throws -> SmallProject {
    let project = try SmallProject()
    try project.writeFamily(members)
    return project
  }

  private func edit(_ project: SmallProject, _ old: String, _ new: String) throws {
    try #require(SmallProject.familyContract.contains(old))
    try project.scratch.write(
      "ingot.yaml", SmallProject.familyContract.replacingOccurrences(of: old, with: new))
  }

  @Test(arguments: ["safetensors", "mlpackage"])
  func everyMemberIsInThePackage(_ format: String) throws {
    let project = try project()
    try edit(project, "[safetensors]", "[\(format)]")
    var events: [BuildEvent] = []
    let report = try project.build { events.append($0) }
    #expect(report.refused.isEmpty)
    #expect(report.models.map(\.model) == ["users/ada", "users/ben", "users/cyd"])
    #expect(report.familyLines == ["users: 3 passed"])
    #expect(events.contains(.family(name: "users", outcome: "3 passed")))
    let told = events.filter { "\($0)".contains("ada") }
    #expect(told.isEmpty, "\(told)")
    let package = try PackageVerifier.verify(try #require(report.packages.first).path)
    #expect(
      package.manifest.models.map(\.path.string)
        == ["ada", "ben", "cyd"].map { "models/users/\($0)/model.\(format)" })
    #expect(package.manifest.models.map(\.identity.family) == ["users", "users", "users"])
    #expect(package.summary(isAuthenticated: true).contains("  family 'users', 3 models, "))
    let replay = try Replay.run(package, project: project.scratch.path, jobs: 1)
    #expect(replay.models.map(\.name) == ["users/ada", "users/ben", "users/cyd"])
    #expect(replay.isProven)
  }

  @Test func twoBuildsGiveTheSameBytes() throws {
    let project = try project()
    _ = try project.build("one")
    _ = try project.build("two", jobs: 2)
    let files = try project.files("one")
    #expect(files.count == 1)
    #expect(try project.files("two") == files)
  }

  @Test func aMemberThatDriftsIsRefusedByName() throws {
    let project = try project()
    try project.writeMember("ben", [1000, 0.5])
    try project.scratch.write(
      "users/ben/references.jsonl",
      (0..<12).map { #"{"input": {"values": [0, \#($0 - 6)]}}"# }.joined(separator: "\n") + "\n")
    var events: [BuildEvent] = []
    let report = try project.build { events.append($0) }
    #expect(report.packages.isEmpty)
    #expect(report.models.map(\.verdict) == [.passed, .refused, .passed])
    #expect(report.refused.map(\.cause) == [.gate])
    let reasons = report.refused.flatMap(\.reasons)
    #expect(!reasons.isEmpty && reasons.allSatisfy { $0.hasPrefix("model 'users/ben': ") })
    #expect(report.familyLines == ["users: 2 passed, 1 refused"])
    let isNamed = events.contains {
      if case .refusedModel("users/ben", _) = $0 { true } else { false }
    }
    #expect(isNamed)
  }

  @Test func aMemberThatVanishesIsNamed() throws {
    let project = try project()
    var failure: (any Error)?
    let report = try project.build { event in
      guard case .proving = event else { return }
      do { try Folder.remove(project.scratch.path("users/cyd")) } catch { failure = error }
    }
    if let failure { throw failure }
    #expect(report.packages.isEmpty)
    #expect(report.models.map(\.verdict) == [.passed, .passed, .unusable])
    #expect(report.refused.flatMap(\.reasons).allSatisfy { $0.hasPrefix("model 'users/cyd': ") })
    #expect(report.familyLines == ["users: 2 passed, 1 cannot be used"])
    // The next version is without it, and a replay of an older one says so.
    let whole = try self.project()
    let package = try PackageVerifier.verify(
      try #require(try whole.build().packages.first).path)
    try Folder.remove(whole.scratch.path("users/cyd"))
    let replay = try Replay.run(package, project: whole.scratch.path, jobs: 1)
    #expect(!replay.isProven)
    #expect(
      replay.models.map(\.outcome).dropFirst(2)
        == [.impossible(reason: "the project does not know this model")])
  }

  /// The folders of a model's encoders are called image and text.
  @Test(arguments: ["safetensors", "mlpackage"])
  func membersMayBeCalledLikeEncoders(_ format: String) throws {
    let project = try project(["image", "text", "tokenizer.json"])
    try edit(project, "[safetensors]", "[\(format)]")
    let report = try project.build()
    let package = try PackageVerifier.verify(try #require(report.packages.first).path)
    #expect(
      package.manifest.models.map(\.identity)
        == ["image", "text", "tokenizer.json"].map { .shared(name: "users/\($0)") })
    #expect(try Replay.run(package, project: project.scratch.path, jobs: 1).isProven)
  }

  @Test func equalMembersAreMadeOnceAndAllPackaged() throws {
    let project = try project()
    for member in ["ada", "ben", "cyd"] { try project.writeMember(member, [0.5, -0.25]) }
    var works = 0
    let report = try project.build { if case .provingMember = $0 { works += 1 } }
    #expect(works == 1)
    #expect(report.familyLines == ["users: 3 passed"])
    let package = try PackageVerifier.verify(try #require(report.packages.first).path)
    #expect(package.manifest.models.count == 3)
    #expect(Set(package.manifest.models.map(\.gate.baseline)).count == 1)
  }

  /// Results of members wait for the disk together; none is lost.
  @Test func theStoreKeepsEveryMember() throws {
    let project = try project()
    func build(_ output: String) throws -> BuildReport {
      var request = try project.request(output)
      request.store = try ContentStore(folder: project.scratch.path("store"), warn: { _ in })
      return try Builder.build(request)
    }
    #expect(try build("one").familyLines == ["users: 3 passed"])
    #expect(try build("two").familyLines == ["users: 3 passed (3 from the store)"])
    #expect(try project.files("one") == project.files("two"))
  }

  @Test func membersHaveOneEncoder() throws {
    let clip = try ClipProject([
      (old: "source: models/clip", new: "source: models/{member}"), (old: "clip:", new: "users:"),
    ])
    let error = #expect(throws: ProjectFaults.self) { try clip.build() }
    let found = error.map { lines($0) } ?? []
    #expect(
      found == [
        "4:13: model 'users/clip' has two encoders, and a member of a family is one model "
          + "[make it a model of its own, without {member}]"
      ])
  }

  @Test func warningsOfMembersAreToldOnce() throws {
    let project = try project()
    try edit(project, "limits: standard", "limits: standard, fewReferences: true")
    for member in ["ada", "ben", "cyd"] {
      try project.scratch.write(
        "users/\(member)/references.jsonl",
        (0..<4).map { #"{"input": {"values": [\#($0), 1]}}"# }.joined(separator: "\n") + "\n")
    }
    var warnings: [String] = []
    _ = try project.build { if case .warning(let text) = $0 { warnings.append(text) } }
    let few = warnings.filter { $0.hasPrefix("users/ada and 2 more of 'users': ") }
    #expect(!few.isEmpty && few.count == warnings.count, "\(warnings)")
  }
}
