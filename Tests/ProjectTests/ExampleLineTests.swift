import Files
import ProjectFixtures
import TestSupport
import Testing
import Weights

@testable import Project

/// A wrong line of a project's files is answered with one that is right for its model.
@Suite struct ExampleLineTests {
  private let project: SmallProject

  init() throws { project = try SmallProject() }

  /// The hints of the faults of a rule.
  private func hints(_ rule: Rule) -> Set<String?> {
    let faults = ProjectValidator.validate(project.scratch.path).faults.filter { $0.rule == rule }
    return Set(faults.map(\.hint))
  }

  private static let reference = #"a line for this model: {"input": {"values": [0.1, 0.2]}}"#
  private static let input = #"a line for this model: {"values": [0.1, 0.2]}"#

  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let line: String
    let rule: Rule
    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "pairs for a classifier",
      line: #"{"a": {"values": [1, 2]}, "b": {"values": [3, 4]}}"#, rule: .unfitReferences),
    Case(
      name: "too few values", line: #"{"input": {"values": [3]}}"#, rule: .unfitReferences),
    Case(name: "a text", line: #"{"input": {"text": "x"}}"#, rule: .unfitReferences),
    Case(
      name: "a line that is cut off", line: #"{"input": {"values": [3, 4]}"#,
      rule: .unreadableReferences),
    Case(name: "an unknown key", line: #"{"inputs": [3, 4]}"#, rule: .unreadableReferences),
  ]

  @Test(arguments: cases)
  func aReferenceLine(_ test: Case) throws {
    try project.scratch.write("references.jsonl", test.line + "\n")
    #expect(hints(test.rule) == [Self.reference])
  }

  @Test(arguments: [#"{"text": "x"}"#, #"{"values": [1, 2, 3]}"#, #"{"values": }"#])
  func aCalibrationLine(_ line: String) throws {
    try project.scratch.write(
      "ingot.yaml",
      SmallProject.contract.replacing(
        "{scheme: int8}", with: "{scheme: int8, calibration: inputs.jsonl}"))
    try project.scratch.write("inputs.jsonl", line + "\n")
    #expect(hints(.unfitCalibration) == [Self.input])
  }

  @Test(arguments: [#"{"text": "x"}"#, #"{"values": }"#])
  func aLineOfASourceCheck(_ line: String) throws {
    try project.scratch.write(
      "ingot.yaml",
      SmallProject.contract.replacing(
        "    source: models/ranker\n",
        with: "    source: models/ranker\n"
          + "    source-check: {vectors: vectors.npy, inputs: inputs.jsonl}\n"))
    let outputs = (0..<10).map { Float($0) / 10 }
    var npy = try AtomicFile(path: project.scratch.path("vectors.npy"))
    try NpyWriter.write(outputs, rows: 10, columns: 1, to: &npy)
    try npy.commit()
    let lines = (0..<9).map { #"{"values": [\#($0), 1]}"# } + [line]
    try project.scratch.write("inputs.jsonl", lines.joined(separator: "\n"))
    #expect(hints(.unfitSourceCheck) == [Self.input])
  }

  /// A fault of the threshold has nothing to do with lines.
  @Test func otherFaultsShowNoLine() throws {
    try project.scratch.write(
      "ingot.yaml", SmallProject.contract.replacing("threshold: 0.5", with: "threshold: 58"))
    #expect(hints(.unfitReferences) == [nil])
  }
}
