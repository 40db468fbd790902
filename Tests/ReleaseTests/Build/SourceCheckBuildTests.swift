import Files
import Formats
import Gate
import Graph
import Inputs
import ProjectFixtures
import Store
import StrictJSON
import TestSupport
import Testing
import Weights

@testable import Release

/// Builds of models that come with what their own libraries gave.
@Suite struct SourceCheckBuildTests {
  private let project: SmallProject
  private let inputs = (0..<10).map { [Float($0), Float(10 - 2 * $0)] }

  init() throws {
    project = try SmallProject()
    try project.scratch.write(
      "ingot.yaml",
      SmallProject.contract.replacing(
        "  source: flows/{flowName}/v{modelVersion}\n",
        with: "  source: flows/{flowName}/v{modelVersion}\n"
          + "  source-check: {vectors: \"{flowName}.npy\", inputs: inputs.jsonl}\n"))
    try project.scratch.write(
      "inputs.jsonl", inputs.map { #"{"values": \#($0)}"# }.joined(separator: "\n"))
    try write("upsell", [0.5, -0.25])
    try write("churn", [-0.125, 0.375])
  }

  /// Writes the outputs of a logistic regression of such weights.
  private func write(_ flow: String, _ weights: [Float]) throws {
    try SmallProject.model("elsewhere", weights, in: project.scratch)
    let model = try ModelLoader.open(project.scratch.path("elsewhere"))
    let outputs = try ModelRunner(model: model, jobs: 1).outputs(
      for: inputs.map { .values($0.map(Double.init)) })
    var npy = try AtomicFile(path: project.scratch.path("\(flow).npy"))
    try NpyWriter.write(outputs.values, rows: inputs.count, columns: 1, to: &npy)
    try npy.commit()
  }

  private func build(_ output: String) throws -> BuildReport {
    var request = try project.request(output)
    request.store = try ContentStore(folder: project.scratch.path("store"), warn: { _ in })
    return try Builder.build(request)
  }

  @Test func modelsAreCheckedAndKeptWithTheirRecord() throws {
    let first = try build("a")
    #expect(first.models.map { $0.source?.count } == [nil, 10, 10])
    let second = try build("b")
    #expect(second.models.map(\.isCached) == [true, true, true])
    #expect(second.models.map(\.source) == first.models.map(\.source))
    #expect(try project.files("b") == (try project.files("a")))
  }

  @Test func otherVectorsAreOtherWork() throws {
    let first = try build("a")
    try write("churn", [-0.125, 0.3751])
    let second = try build("b")
    #expect(second.models.map(\.isCached) == [true, true, false])
    #expect(second.models[2].key != first.models[2].key)
    #expect(second.models[2].source != first.models[2].source)
  }

  @Test func aDisagreementIsARefusalAndIsKept() throws {
    try write("churn", [-0.125, 0.5])
    for (output, isCached) in [("a", false), ("b", true)] {
      let report = try build(output)
      #expect(report.models.map(\.verdict) == [.passed, .passed, .refused])
      #expect(report.models[2].isCached == isCached)
      #expect(report.refused.map(\.customer) == [SmallProject.apps[1]])
      #expect(report.refused[0].reasons[0].contains("model 'churn v1': disagrees with "))
      #expect(report.refused[0].cause == .gate)
      let finding = try #require(report.models[2].findings.first).compact
      #expect(finding.contains(#""id":"source-check""#) && finding.contains(#""causes":[{"#))
    }
  }

  @Test func knownOutputsThatAreMissedMakeAModelUnusable() throws {
    let lines = (0..<12).map {
      #"{"input": {"values": [\#($0), \#(12 - 2 * $0)]}, "output": [0.\#($0 + 10)]}"#
    }
    try project.scratch.write("references.jsonl", lines.joined(separator: "\n") + "\n")
    let report = try build("a")
    #expect(report.models.map(\.verdict) == [.unusable, .unusable, .unusable])
    #expect(report.refused[0].reasons[0].contains("the known outputs are missed on "))
  }
}
