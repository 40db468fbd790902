import Files
import Foundation
import ProjectFixtures
import StrictJSON
import TestSupport
import Testing

@testable import Project
@testable import Release

/// Projects that are faulty in one place are looked at everywhere else.
@Suite struct PartialProjectTests {
  /// Faults of a small project in which some text was replaced, as `file:line:column: message`.
  func faults(
    _ edits: [(old: String, new: String)] = [], customers: [(old: String, new: String)] = [],
    gone: [String] = [], prepare: (SmallProject) throws -> Void = { _ in }
  ) throws -> [String] {
    let project = try SmallProject()
    func edited(_ text: String, _ edits: [(old: String, new: String)]) -> String {
      edits.reduce(text) {
        #expect($0.contains($1.old), "\($1.old)")
        return $0.replacingOccurrences(of: $1.old, with: $1.new)
      }
    }
    try project.scratch.write("ingot.yaml", edited(SmallProject.contract, edits))
    try project.scratch.write("customers.json", edited(SmallProject.customers, customers))
    for path in gone { try Folder.remove(project.scratch.path(path)) }
    try prepare(project)
    let found = ProjectValidator.validate(project.scratch.path)
    return found.faults.map { fault in
      (fault.description + (fault.hint.map { " [\($0)]" } ?? ""))
        .replacingOccurrences(of: project.scratch.path + "/", with: "")
    }
  }

  @Test func theCustomerListAndTheModelsAreLookedAtWhateverTheProjectFileSays() throws {
    let found = try faults(
      [
        ("ingot: 1", "ingot: 2"), ("version: 1.4.0", "version: 1.4"),
        ("{scheme: int8}\n    gate", "{scheme: int3}\n    gate"),
      ],
      customers: [("com.three.app", "three")], gone: ["models/ranker", "flows/churn"])
    #expect(
      found == [
        "ingot.yaml:1:8: 'ingot' is '2', this version reads contract 1",
        "ingot.yaml:4:13: model 'ranker': the source 'models/ranker' is not there",
        "ingot.yaml:5:24: unknown scheme 'int3'; "
          + "choose int8, uint8, int4, uint4, float16, palettize, unique or none",
        "ingot.yaml:17:12: 'version' is '1.4', expected a version such as 1.4.0 "
          + "[write it as 1.4.0]",
        "customers.json:5:20: model 'churn v1' of app '\(SmallProject.apps[1])': the source "
          + "'flows/churn/v1' is not there, nor is the folder 'flows/churn' "
          + "[there is only 'upsell']",
        "customers.json:6:26: a bundle identifier is the string \"three\", expected a name such as "
          + "com.example.app [a bundle identifier has two parts or more, with a '.' between them]",
      ])
  }

  @Test func aFaultyRecipeIsOpenedAsFarAsItGoes() throws {
    let found = try faults(
      [
        ("source: models/ranker", "sorce: models/ranker"),
        ("references: references.jsonl, limits: standard", "references: nothing.jsonl, limit: x"),
        ("    references: references.jsonl\n", ""),
      ], gone: ["flows/upsell"])
    #expect(
      found == [
        "ingot.yaml:4:5: unknown key 'sorce' [did you mean 'source'?]",
        "ingot.yaml:4:5: the key 'source' is missing [add 'source', the model's folder or file]",
        "ingot.yaml:6:24: model 'ranker': the reference set 'nothing.jsonl' is not there "
          + "[there is only 'references.jsonl']",
        "ingot.yaml:6:39: unknown key 'limit' [did you mean 'limits'?]",
        "ingot.yaml:12:5: the key 'references' is missing "
          + "[name the reference set: 'references: pairs.jsonl']",
        "customers.json:2:20: model 'upsell v7' of app '\(SmallProject.apps[0])': the source "
          + "'flows/upsell/v7' is not there, nor is the folder 'flows/upsell' "
          + "[there is only 'churn']",
      ])
  }

  @Test func flowsOfAFaultyCustomerAreLookedAt() throws {
    let found = try faults(
      customers: [(SmallProject.apps[1], "NONE"), ("\"churn\"", "\"chrun\"")])
    #expect(
      found == [
        "customers.json:3:52: 'app_id' is 'NONE', expected a UUID in lower case",
        "customers.json:5:20: model 'chrun v1': the source 'flows/chrun/v1' is not there, "
          + "nor is the folder 'flows/chrun' [did you mean 'churn'?]",
      ])
  }

  /// One fault for one folder, though two files are missing in it; a further customer is counted.
  @Test func aMissingFolderOfAFlowIsNamedOnce() throws {
    let found = try faults(
      [(" references: references.jsonl\n", " references: flows/{flowName}/references.jsonl\n")],
      customers: [("\"upsell\"", "\"upsel\"")]
    ) { project in
      let lines = (0..<12).map { #"{"input": {"values": [\#($0), \#(12 - 2 * $0)]}}"# }
      for flow in ["churn", "upsell"] {
        try project.scratch.write("flows/\(flow)/references.jsonl", lines.joined(separator: "\n"))
      }
    }
    #expect(
      found == [
        "customers.json:2:20: model 'upsel v7' of app '\(SmallProject.apps[0])' and 1 more: "
          + "the source 'flows/upsel/v7' is not there, nor is the folder 'flows/upsel' "
          + "[did you mean 'upsell'?]"
      ])
  }

  @Test func aListThatIsNoneLeavesTheModels() throws {
    let found = try faults(
      customers: [("[{\"bundle", "{\"bundle")], gone: ["models/ranker"])
    #expect(
      found == [
        "ingot.yaml:4:13: model 'ranker': the source 'models/ranker' is not there",
        "customers.json:2:76: text after the value",
      ])
  }

  @Test func aMisspeltCustomerListIsFound() throws {
    let found = try faults([("customers: customers.json", "customers: customer.json")])
    #expect(
      found == [
        "ingot.yaml:15:12: the customer list 'customer.json' is not there "
          + "[did you mean 'customers.json'?]"
      ])
  }

  @Test func damagedWeightsAreNamedWithTheirFlow() throws {
    let found = try faults { project in
      try project.scratch.write("flows/churn/v1/w.npy", [UInt8]("\u{93}NUMPY".utf8))
    }
    #expect(found.count == 1)
    #expect(
      found.first?.hasPrefix(
        "customers.json:5:20: model 'churn v1' of app '\(SmallProject.apps[1])': "
          + "flows/churn/v1/w.npy: ") == true, "\(found)")
  }

  @Test func referenceSetsMayBeSmallOnlyWhereThatIsMeantAndNeverEmpty() throws {
    #expect(
      try faults { try $0.scratch.write("references.jsonl", "") } == [
        "references.jsonl:1:1: the reference set is empty; a model cannot be judged on nothing "
          + #"[a line for this model: {"input": {"values": [0.1, 0.2]}}]"#
      ])
    let project = try SmallProject()
    try project.scratch.write(
      "references.jsonl",
      (0..<7).map { #"{"input": {"values": [\#($0), 1]}}"# }.joined(separator: "\n"))
    let found = ProjectValidator.validate(project.scratch.path)
    #expect(found.faults.map(\.rule) == [.smallReferenceSet])
    #expect(
      lines(found) == [
        "1:1: the reference set has only 7 samples, a proof needs 8 [add inputs like those the app "
          + "will see, or 'fewReferences: true' under 'gate' to say that so few are meant]"
      ])
    let meant = SmallProject.contract
      .replacing("limits: standard}", with: "limits: standard, fewReferences: true}")
      .replacing("    threshold: 0.5\n", with: "    threshold: 0.5\n    fewReferences: true\n")
    try project.scratch.write("ingot.yaml", meant)
    #expect(ProjectValidator.validate(project.scratch.path).json.compact.contains("sound"))
    #expect(try project.build().models.map(\.verdict) == [.passed, .passed, .passed])
  }

  /// What is known of a set is asked of the model: lines that it cannot tell apart are one.
  @Test func repeatedReferencesCountOnce() throws {
    let project = try SmallProject()
    let line = (0..<2).map { #"{"input": {"values": [\#($0), 1]}}"# + "\n" }.joined()
    try project.scratch.write("references.jsonl", String(repeating: line, count: 50))
    #expect(
      lines(ProjectValidator.validate(project.scratch.path)).first?.hasPrefix(
        "1:1: the reference set has only 2 distinct samples in 100 lines, a proof needs 8; line 3 "
          + "is to the model what line 1 is [") == true)
  }

  @Test func bundleIdentifiersOfTwoAppsAreDoubtful() throws {
    let project = try SmallProject()
    try project.scratch.write(
      "customers.json",
      SmallProject.customers.replacingOccurrences(of: "com.two.app", with: "com.one.beta"))
    let warnings = try ProjectValidator.plan(project.scratch.path).warnings
    #expect(warnings.map(\.rule) == [.sharedBundleIdentifier])
    #expect(
      warnings.first?.message
        == "bundle identifier 'com.one.beta' is that of another app too, at 1:41")
  }

  @Test func everyRuleIsDocumented() throws {
    let page = String(
      decoding: try MappedFile.contents(
        of: "\(Program.repository)/specs/formats/project.md", limit: 1 << 20), as: UTF8.self)
    for rule in Rule.allCases {
      let severity = rule.severity == .warning ? "warning" : "error"
      #expect(page.contains("| `\(rule.rawValue)` | \(severity) | \(rule.summary) |"))
    }
  }

  /// Warnings beyond the limit hide no error.
  @Test func aFloodOfWarningsHidesNoError() {
    var faults = ProjectFaults()
    let place = Place(startOf: "f")
    for _ in 0..<2000 { faults.add(.sharedBundleIdentifier, place, "shared") }
    #expect(!faults.hasErrors)
    #expect(faults.faults.count == 1001)
    #expect(faults.faults.last?.rule == .moreWarnings)
    faults.add(.badLimit, place, "bad")
    #expect(faults.hasErrors)
    #expect(faults.faults.last?.rule == .badLimit)
    #expect(faults.warningCount == 2000)
  }
}
