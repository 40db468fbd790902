import Files
import Foundation
import ProjectFixtures
import TestSupport
import Testing

@testable import Project

/// Families of models: what is wrong with their members is named, all at once.
@Suite struct FamilyTests {
  private func project(_ members: [String] = ["ada", "ben", "cyd"]) throws -> SmallProject {
    let project = try SmallProject()
    try project.writeFamily(members)
    return project
  }

  /// The faults, with the folder of the project left out.
  private func faults(_ project: SmallProject) -> [String] {
    lines(ProjectValidator.validate(project.scratch.path)).map {
      $0.replacingOccurrences(of: project.scratch.path + "/", with: "")
    }
  }

  private func edit(_ project: SmallProject, _ old: String, _ new: String) throws {
    try #require(SmallProject.familyContract.contains(old))
    try project.scratch.write(
      "ingot.yaml", SmallProject.familyContract.replacingOccurrences(of: old, with: new))
  }

  @Test func everyMemberIsAModelOfItsOwn() throws {
    let project = try project()
    let plan = try ProjectValidator.plan(project.scratch.path).plan
    #expect(plan.jobs.map(\.label) == ["users/ada", "users/ben", "users/cyd"])
    #expect(plan.jobs.map(\.family) == ["users", "users", "users"])
    #expect(
      plan.jobs.map(\.key.references)
        == ["ada", "ben", "cyd"].map { project.scratch.path("users/\($0)/references.jsonl") })
  }

  @Test func membersMayShareReferencesAndBeFiles() throws {
    let project = try project()
    try edit(project, "\"users/{member}/references.jsonl\"", "references.jsonl")
    #expect(faults(project) == [])
    // A folder of the model inside the member's; hidden files are no members.
    try project.scratch.write("users/.DS_Store", "x")
    for member in ["ada", "ben", "cyd"] { try project.model("users/\(member)/v1", [0.5, 0.25]) }
    try edit(project, "source: users/{member}", "source: users/{member}/v1")
    #expect(faults(project) == [])
    // Only what is called like this is a member.
    try Folder.move(project.scratch.path("users/ada"), to: project.scratch.path("users/of-ada"))
    try edit(project, "source: users/{member}", "source: users/of-{member}")
    try project.scratch.write(
      "ingot.yaml",
      try String(contentsOfFile: project.scratch.path("ingot.yaml"), encoding: .utf8)
        .replacingOccurrences(of: "\"users/{member}", with: "\"users/of-{member}"))
    let plan = try ProjectValidator.plan(project.scratch.path).plan
    #expect(plan.jobs.map(\.label) == ["users/ada"])
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    var members = ["ada"]
    var old = "ingot: 1"
    var new = "ingot: 1"
    let faults: [String]
    var testDescription: String { name }
  }

  private static let grammar =
    "[at most 64 of A-Z a-z 0-9 . _ -, starting with a letter, a digit or _, not with 'model.']"

  @Test(arguments: [
    Case(
      name: "a space", members: ["a b", "ada"],
      faults: ["4:13: member 'a b' of 'users' cannot name a model \(grammar)"]),
    Case(
      name: "a line", members: ["ada", "x\ny"],
      faults: ["4:13: member 'x\\u000ay' of 'users' cannot name a model \(grammar)"]),
    Case(
      name: "an option", members: ["-rf"],
      faults: ["4:13: member '-rf' of 'users' cannot name a model \(grammar)"]),
    Case(
      name: "like a file of a model", members: ["model.mlpackage"],
      faults: ["4:13: member 'model.mlpackage' of 'users' cannot name a model \(grammar)"]),
    Case(
      name: "65 letters", members: [String(repeating: "a", count: 65)],
      faults: [
        "4:13: member '\(String(repeating: "a", count: 65))' of 'users' cannot name a model "
          + grammar
      ]),
    Case(
      name: "a device", members: ["ada", "aux.1"],
      faults: [
        "4:13: member 'aux.1' of 'users' cannot be unpacked on Windows "
          + "[choose a name that is none of a device (con, aux, com1) and ends in no dot]"
      ]),
    Case(
      name: "letter case", members: ["Ada", "ada"],
      faults: [
        "4:13: member 'ada' of 'users' differs only in case from 'Ada' [rename one of the two]"
      ]
    ),
    Case(
      name: "a folder that is not there", old: "source: users/{member}",
      new: "source: people/{member}",
      faults: [
        "4:13: family 'users': the folder of its members 'people' is not there "
          + "[there is only 'flows', 'models', 'users']"
      ]),
    Case(
      name: "no name that fits", old: "source: users/{member}",
      new: "source: users/{member}.npz",
      faults: [
        "4:13: family 'users' has no members: nothing in 'users' is called '{member}.npz' "
          + "[each member is a file or a folder there]"
      ]),
    Case(
      name: "twice in a part", old: "source: users/{member}",
      new: "source: users/{member}-{member}",
      faults: [
        "4:13: 'source' holds {member} twice in one part of the path "
          + "[write it once between two '/': 'source: users/{member}/model']"
      ]),
    Case(
      name: "in the references alone", old: "source: users/{member}", new: "source: users/ada",
      faults: [
        "6:24: 'references' holds {member}, 'source' does not "
          + "[members are found by the source: 'source: users/{member}']"
      ]),
    Case(
      name: "a misspelling", old: "source: users/{member}", new: "source: users/{membr}",
      faults: ["4:13: 'source' holds a placeholder [did you mean '{member}'?]"]),
    Case(
      name: "of custom models", old: "customers: customers.json",
      new: """
        customModels:
          source: flows/{flowName}/{member}
          compress: {scheme: int8}
          gate: {references: references.jsonl}
        customers: customers.json
        """,
      faults: [
        "9:11: 'source': '{member}' is no placeholder "
          + "[families are for 'models': each custom model is one model]"
      ]),
  ])
  func faultsAreNamed(_ test: Case) throws {
    let project = try project(test.members)
    try edit(project, test.old, test.new)
    #expect(faults(project) == test.faults)
  }

  @Test func membersWithoutReferencesOrModelsAreNamed() throws {
    let project = try project()
    try Folder.remove(project.scratch.path("users/ben/references.jsonl"))
    try Folder.remove(project.scratch.path("users/cyd/model.json"))
    let found = faults(project)
    #expect(found.count == 2)
    #expect(
      found.contains {
        $0.hasPrefix(
          "6:24: model 'users/ben': the reference set 'users/ben/references.jsonl' is not there")
      }, "\(found)")
    #expect(found.contains { $0.hasPrefix("4:13: model 'users/cyd': users/cyd: ") }, "\(found)")
  }

  @Test func membersStayInTheProject() throws {
    let project = try project()
    let other = try TemporaryFolder()
    try SmallProject.model("ada", [1, 1], in: other)
    try Folder.remove(project.scratch.path("users"))
    try FileManager.default.createSymbolicLink(
      atPath: project.scratch.path("users"), withDestinationPath: other.path)
    let found = ProjectValidator.validate(project.scratch.path).faults
    #expect(found.map(\.rule) == [.pathOutside], "\(found)")
  }

  @Test func aFlowIsNotCalledLikeAFamily() throws {
    let project = try project()
    try edit(
      project, "customers: customers.json",
      """
      customModels:
        source: users/ada
        compress: {scheme: int8}
        gate: {references: references.jsonl}
      customers: customers.json
      """)
    try project.scratch.write(
      "customers.json",
      """
      [{"bundle_identifiers": ["com.one.app"], "app_id": "\(SmallProject.apps[0])",
        "customModels": [{"flowId": 1, "flowName": "users", "modelVersion": 1}]}]
      """)
    #expect(
      ProjectValidator.validate(project.scratch.path).faults.map(\.rule) == [.flowNamedLikeModel])
  }
}
