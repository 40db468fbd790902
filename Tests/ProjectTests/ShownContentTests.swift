import Files
import ProjectFixtures
import TestSupport
import Testing
import Weights

@testable import Project

/// Messages about files that a project names and that are something else than expected.
@Suite struct ShownContentTests {
  private let project: SmallProject

  init() throws { project = try SmallProject() }

  /// The faults of the ranker with some text of the contract replaced.
  private func faults(_ old: String, _ new: String) throws -> [Fault] {
    let contract = SmallProject.contract
    let place = try #require(contract.firstRange(of: old))
    try project.scratch.write(
      "ingot.yaml", contract[..<place.lowerBound] + new + contract[place.upperBound...])
    return ProjectValidator.validate(project.scratch.path).faults.filter {
      $0.message.contains("ranker")
    }
  }

  private func requireHidden(_ faults: [Fault], _ message: String) {
    #expect(faults.map(\.message) == ["model 'ranker': " + message])
    #expect(!faults.contains { "\($0.description) \($0.hint ?? "")".contains("SECRET") })
  }

  @Test func aCalibrationSetOfAnotherKindIsNotShown() throws {
    try project.scratch.write("token", "SECRET_0123456789abcdef0123456789abcdefX\n")
    requireHidden(
      try faults("{scheme: int8}", "{scheme: int8, calibration: token}"),
      "is a text of 40 characters, the model takes 2 values ('a', 'b')")
  }

  @Test func referencesOfAnotherKindAreNotShown() throws {
    try project.scratch.write("token.jsonl", #"{"input": "SECRET"}"# + "\n")
    requireHidden(
      try faults("references.jsonl", "token.jsonl"),
      "is a text of 6 characters, the model takes 2 values ('a', 'b')")
  }

  @Test func columnsOfAnotherTableAreNotShown() throws {
    try project.scratch.write("token.csv", "SECRET,a\n1,2\n3,4\n")
    requireHidden(
      try faults("references.jsonl", "token.csv"),
      "\(project.scratch.path("token.csv")):1: has 2 columns, the model takes 2 features: 'a', 'b'; "
        + "missing: 'b'")
  }

  @Test func theLinesOfASourceCheckAreNotShown() throws {
    try project.scratch.write("token", (0..<8).map { "SECRET\($0)\n" }.joined())
    var npy = try AtomicFile(path: project.scratch.path("v.npy"))
    try NpyWriter.write((0..<8).map { Float($0) / 8 }, rows: 8, columns: 1, to: &npy)
    try npy.commit()
    let found = try faults(
      "formats: [safetensors]",
      "source-check: {vectors: v.npy, inputs: token}\n    formats: [safetensors]")
    requireHidden(found, "is a text of 7 characters, the model takes 2 values ('a', 'b')")
  }

  @Test(arguments: [
    (#""SECRETvalue""#, "1:1: is a string of 11 characters, expected an array of customers"),
    ("12345678", "1:1: is a number, expected an array of customers"),
    (#"["SECRET"]"#, "1:2: a customer is a string of 6 characters, expected an object"),
    (
      #"[{"bundle_identifiers": "SECRET", "app_id": "\#(SmallProject.apps[0])"}]"#,
      "1:25: 'bundle_identifiers' is a string of 6 characters, expected an array"
    ),
    (
      customer(#""S""#), "1:100: 'customModels' is a string of 1 character, expected an array"
    ),
    (
      customer(#"["SECRET"]"#),
      "1:101: a custom model is a string of 6 characters, expected an object"
    ),
    (
      customer(#"[{"flowId": "SECRET", "flowName": "a", "modelVersion": 1}]"#),
      "1:112: 'flowId' is a string of 6 characters, expected a whole number from 0"
    ),
  ])
  func aCustomerListOfAnotherKindIsNotShown(_ text: String, _ message: String) throws {
    let path = try project.scratch.write("list.json", text)
    let log = ContractSection.Log()
    _ = CustomerReader.read(path, log: log)
    #expect(lines(log.faults) == [message])
  }

  private static func customer(_ models: String) -> String {
    #"[{"bundle_identifiers": ["a.b"], "app_id": "\#(SmallProject.apps[0])", "customModels": "#
      + models + "}]"
  }
}
