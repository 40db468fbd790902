import Files
import Foundation
import ProjectFixtures
import StrictJSON
import TestSupport
import Testing

@testable import Project

@Suite struct ProjectValidatorTests {
  @Test func acceptsASoundProject() throws {
    let project = try SmallProject()
    #expect(ProjectValidator.validate(project.scratch.path).isEmpty)
    #expect(ProjectValidator.validate(project.scratch.path("ingot.yaml")).isEmpty)
    #expect(
      ProjectValidator.validate(project.scratch.path).json == [
        "verdict": "sound", "faults": [],
      ])
  }

  @Test func reportsEveryFaultAtOnce() throws {
    let project = try SmallProject()
    let scratch = project.scratch
    try Folder.remove(scratch.path("models/ranker"))
    try Folder.remove(scratch.path("flows/churn/v1/model.json"))
    try scratch.write("references.jsonl", "{}\n")
    try scratch.write(
      "customers.json",
      SmallProject.customers.replacingOccurrences(of: "com.three.app", with: "three"))
    let faults = ProjectValidator.validate(scratch.path)
    let expected = [
      "\(scratch.path("ingot.yaml")):4:13: model 'ranker': the source "
        + "'\(scratch.path("models/ranker"))' is not there"
    ]
    #expect(Array(faults.faults.map(\.description).prefix(1)) == expected)
    let rest = faults.faults.dropFirst().map {
      "\($0.place.line):\($0.place.column): \($0.message)"
    }
    #expect(rest.count == 3)
    #expect(rest.contains { $0.hasPrefix("1:1: ") })
    #expect(
      rest.contains {
        $0.hasPrefix(
          "5:20: model 'churn v1' of app '\(SmallProject.apps[1])': "
            + "\(scratch.path("flows/churn/v1")): no architecture")
      })
    #expect(
      rest.contains(
        "6:26: a bundle identifier is the string \"three\", expected a name such as "
          + "com.example.app"))
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    var old = ""
    var new = ""
    let references: String
    let faults: [String]
    var testDescription: String { name }
  }

  /// A sound first line, and one more.
  private static func samples(_ second: String) -> String {
    #"{"input": {"values": [1, 2]}}"# + "\n" + second + "\n"
  }

  @Test(arguments: [
    Case(
      name: "too few values", references: samples(#"{"input": {"values": [3]}}"#),
      faults: ["ranker", "upsell v7", "churn v1"].map {
        "references.jsonl:2:1: model '\($0)': has 1 value, the model takes 2 ('a', 'b')"
      }),
    Case(
      name: "a text", references: samples(#"{"input": {"text": "x"}}"#),
      faults: ["ranker", "upsell v7", "churn v1"].map {
        "references.jsonl:2:1: model '\($0)': is a text of 1 character, "
          + "the model takes 2 values ('a', 'b')"
      }),
    Case(
      name: "another number of outputs",
      references: samples(#"{"input": {"values": [3, 4]}, "output": [1, 1]}"#),
      faults: ["ranker", "upsell v7", "churn v1"].map {
        "references.jsonl:2:1: model '\($0)': 'output' has 2 numbers, the model gives 1, the probability p of the "
          + "second of two labels; write it, or [1 − p, p]"
      }),
    Case(
      name: "pairs",
      references: #"{"a": {"values": [1, 2]}, "b": {"values": [3, 4]}}"# + "\n",
      faults: [("6:24", "ranker"), ("12:17", "upsell v7"), ("12:17", "churn v1")].map {
        "ingot.yaml:\($0): model '\($1)': references.jsonl: holds 1 pair; a model that gives "
          + "scores or numbers is judged on samples ('input')"
      }),
    Case(
      name: "threshold", old: "threshold: 0.5", new: "threshold: -0.5",
      references: (0..<8).map { #"{"input": {"values": [\#($0), 4]}}"# }.joined(separator: "\n"),
      faults: ["upsell v7", "churn v1"].map {
        "ingot.yaml:14:16: model '\($0)': the threshold is -0.5, expected a number from 0 to 1"
      }),
  ])
  func pairsEachModelWithItsReferenceSet(_ test: Case) throws {
    let project = try SmallProject()
    if !test.old.isEmpty {
      try project.scratch.write(
        "ingot.yaml",
        SmallProject.contract.replacingOccurrences(of: test.old, with: test.new))
    }
    try project.scratch.write("references.jsonl", test.references)
    let found = ProjectValidator.validate(project.scratch.path).faults.filter {
      $0.severity == .error
    }.map {
      $0.description.replacingOccurrences(of: project.scratch.path + "/", with: "")
    }
    #expect(found == test.faults)
  }

  @Test func everyStepIsTold() throws {
    let project = try SmallProject()
    func steps() -> [ProjectValidator.Step] {
      var steps: [ProjectValidator.Step] = []
      _ = ProjectValidator.validate(project.scratch.path, progress: { steps.append($0) })
      return steps
    }
    #expect(steps() == [.readingCustomers] + (0...3).map { .lookingAtModels($0, of: 3) })
    // Flows of a faulty entry are looked at one by one, besides the shared model.
    try project.scratch.write(
      "ingot.yaml",
      SmallProject.contract.replacingOccurrences(
        of: "\n    references: references.jsonl", with: ""))
    #expect(steps() == [.readingCustomers] + (0...4).map { .lookingAtModels($0, of: 4) })
  }

  @Test func namesAMissingCustomerList() throws {
    let project = try SmallProject()
    try Folder.remove(project.scratch.path("customers.json"))
    #expect(
      lines(ProjectValidator.validate(project.scratch.path)) == [
        "15:12: the customer list '\(project.scratch.path("customers.json"))' is not there"
      ])
  }

  @Test func refusesAFlowCalledLikeASharedModel() throws {
    let project = try SmallProject()
    try project.scratch.write(
      "customers.json",
      SmallProject.customers.replacingOccurrences(of: "churn", with: "ranker"))
    try project.model("flows/ranker/v1", [1, 2])
    #expect(
      lines(ProjectValidator.validate(project.scratch.path)) == [
        "5:20: flow 'ranker' is called like the shared model 'ranker' "
          + "[rename the model at \(project.scratch.path("ingot.yaml")):3:3]"
      ])
  }

  @Test func refusesFlowsWithoutCustomModelsAndEmptyPackages() throws {
    let project = try SmallProject()
    let text = SmallProject.contract
    let (start, end) = (text.firstRange(of: "customModels:"), text.firstRange(of: "customers:"))
    guard let start, let end else { throw NotThere(what: "sections") }
    try project.scratch.write(
      "ingot.yaml", String(text[..<start.lowerBound] + text[end.lowerBound...]))
    let mend = "[add 'customModels' to \(project.scratch.path("ingot.yaml"))]"
    #expect(
      lines(ProjectValidator.validate(project.scratch.path)) == [
        "2:20: flow 'upsell' is a custom model, the project has no 'customModels' \(mend)",
        "4:20: flow 'upsell' is a custom model, the project has no 'customModels' \(mend)",
      ])
    guard let models = text.firstRange(of: "models:") else { throw NotThere(what: "models") }
    try project.scratch.write(
      "ingot.yaml", String(text[..<models.lowerBound] + text[start.lowerBound...]))
    #expect(
      lines(ProjectValidator.validate(project.scratch.path)) == [
        "6:2: customer '\(SmallProject.apps[2])' would get no models "
          + "[give it custom models, or remove it from the list]"
      ])
  }
}
