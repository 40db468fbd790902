import Foundation
import StrictJSON
import TestSupport
import Testing

@testable import Project

/// The JSON Schemas of the project file, of recipes and of the customer list, as `jsonschema` understands them,
/// against our own readers.
@Suite(
  .enabled(if: Oracle.isAvailable, "needs the oracle environment; run scripts/test"))
struct SchemaInteropTests {
  typealias Case = SchemaCase

  @Test func thereAreCases() {
    #expect(Self.projects.count + Self.lists.count >= 80)
    #expect(Set(Self.recipes.map(\.name)).count == Self.recipes.count)
    #expect(Set(Self.projects.map(\.name)).count == Self.projects.count)
    #expect(Set(Self.lists.map(\.name)).count == Self.lists.count)
  }

  @Test func projectFilesAreJudgedAlike() throws {
    try compare(Self.projects, "yaml", schema: "project") { path, log in
      _ = ProjectReader.read(path, log: log)
    }
  }

  @Test func recipesAreJudgedAlike() throws {
    try compare(Self.recipes, "yaml", schema: "recipe") { path, log in
      _ = CompressionRecipeReader(log: log).read(path)
    }
  }

  @Test func customerListsAreJudgedAlike() throws {
    try compare(Self.lists, "json", schema: "customers") { path, log in
      _ = CustomerReader.read(path, log: log)
    }
  }

  private func compare(
    _ cases: [Case], _ suffix: String, schema: String,
    read: (String, ContractSection.Log) -> Void
  ) throws {
    let folder = try TemporaryFolder()
    let paths = cases.indices.map { folder.path("\($0).\(suffix)") }
    for (path, item) in zip(paths, cases) {
      try item.text.write(toFile: path, atomically: false, encoding: .utf8)
    }
    let answers = try Oracle.run(
      "judge_projects.py", ["\(Oracle.repository)/specs/schemas/\(schema).schema.json"] + paths
    ).split(separator: "\n").map { try JSONParser.parse(Array($0.utf8), origin: "answer") }
    try #require(answers.count == cases.count)
    for ((path, item), answer) in zip(zip(paths, cases), answers) {
      let log = ContractSection.Log()
      read(path, log)
      let accepted = try #require(answer.object).bool("accepted")
      let words = "\(item.name): \(try #require(answer.object).string("fault")) \(log.faults)"
      switch item.verdict {
      case .sound: #expect(accepted && !log.faults.hasErrors, "\(words)")
      case .faulty: #expect(!accepted && log.faults.hasErrors, "\(words)")
      case .beyondSchemas: #expect(accepted && log.faults.hasErrors, "\(words)")
      }
    }
  }
}
