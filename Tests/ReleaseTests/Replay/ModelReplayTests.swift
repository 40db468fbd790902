import Files
import Formats
import Gate
import Graph
import Packaging
import ProjectFixtures
import StrictJSON
import TestSupport
import Testing
import Weights

@testable import Release

/// Receipts that claim more than the gate finds, as a forged but sound archive would hold them.
@Suite struct ModelReplayTests {
  let project: SmallProject
  let receipt: RecordedReceipt
  /// The model the receipt was written for.
  let candidate: String

  init() throws {
    project = try SmallProject()
    let content = try ModelReplayTests.unpack(project, "content")
    let file = "\(content)/receipts/churn.json"
    receipt = try RecordedReceipt(
      try MappedFile.contents(of: file, limit: 1 << 20), origin: file)
    candidate = "\(content)/models/churn/model.safetensors"
  }

  /// Builds the project and unpacks the second customer's archive; returns the folder.
  private static func unpack(_ project: SmallProject, _ name: String) throws -> String {
    let archive = try project.build("out-\(name)").packages[1].path
    _ = try PackageExtractor.extract(archive, to: project.scratch.path(name))
    return project.scratch.path(name)
  }

  private func replay(
    _ receipt: RecordedReceipt, _ candidate: String, source: String = "flows/churn/v1",
    calibration: String? = nil
  ) -> ReplayReport.Outcome {
    ModelReplay(
      parts: [ModelReplay.Part(encoder: nil, receipt: receipt, candidate: candidate)],
      source: ReplaySource(
        model: project.scratch.path(source),
        references: project.scratch.path("references.jsonl"), calibration: calibration),
      jobs: 1
    ).run()[0]
  }

  /// The receipt with some of its values replaced; the path of each is dotted.
  private func edited(_ values: [String: JSONValue]) throws -> RecordedReceipt {
    var json = receipt.json
    for (path, value) in values {
      json = json.replacing(path.split(separator: ".").map(String.init)[...], with: value)
    }
    return try RecordedReceipt(Array(json.compact.utf8), origin: "receipt.json")
  }

  /// A compressed model of other weights than the source's.
  private func foreignCandidate(_ weights: [Float]) throws -> (path: String, digest: JSONValue) {
    try project.model("flows/churn/v1", weights)
    let path = try Self.unpack(project, "foreign") + "/models/churn/model.safetensors"
    try project.model("flows/churn/v1", [-0.125, 0.375])
    return (path, .string(try ContentDigest(of: MappedFile(path: path)).hex))
  }

  @Test func theTrueReceiptIsProven() {
    #expect(replay(receipt, candidate) == .proven)
  }

  @Test func aBrokenCandidateIsRefused() throws {
    let broken = try foreignCandidate([3, -2])
    let forged = try edited(["candidate.sha256": broken.digest])
    guard case .refused(let refusal) = replay(forged, broken.path) else {
      Issue.record("the gate let it pass")
      return
    }
    let reasons = refusal.reasons
    #expect(reasons.contains { $0.hasPrefix("output drift mean ") }, "\(reasons)")
    // The receipt's limits are those of 'lenient' with one of its own.
    #expect(refusal.outlooks.map(\.profile) == [.lenient])
    #expect(refusal.lines.last?.hasPrefix("the limits 'lenient' would refuse it, too: ") == true)
  }

  @Test func aWorseCandidateDoesNotHaveTheMetricsItClaims() throws {
    let worse = try foreignCandidate([-0.125, 0.38])
    let forged = try edited(["candidate.sha256": worse.digest])
    guard let reasons = replay(forged, worse.path).differences else {
      Issue.record("\(replay(forged, worse.path))")
      return
    }
    #expect(reasons.contains { $0.hasPrefix("metrics.outputDrift.max: recorded ") }, "\(reasons)")
    #expect(reasons.allSatisfy { $0.hasPrefix("metrics.") }, "\(reasons)")
  }

  @Test func anotherCandidateThanTheReceiptNamesIsFound() throws {
    let forged = try edited(["candidate.sha256": .string(String(repeating: "ab", count: 32))])
    let found = try ContentDigest(of: MappedFile(path: candidate)).hex
    let named = String(repeating: "ab", count: 32)
    #expect(
      replay(forged, candidate).differences
        == ["candidate.sha256: recorded \(named), found \(found)"])
  }

  @Test(arguments: ["", "#!/bin/sh\necho model\n"])
  func aCandidateThatCannotBeReadIsNotWhatWasJudged(_ text: String) throws {
    let path = try project.scratch.write("unreadable.safetensors", text)
    guard let reasons = replay(receipt, path).differences else {
      Issue.record("\(replay(receipt, path))")
      return
    }
    #expect(reasons.count == 1)
    #expect(reasons[0].hasPrefix("the packaged model cannot be read: \(path)"), "\(reasons)")
  }

  @Test func aCandidateOfAnotherKindIsRefused() throws {
    try project.scratch.write(
      "flows/churn/v1/model.json",
      """
      {"architecture": "dense", "inputs": [{"name": "a"}, {"name": "b"}],
       "layers": [{"weight": "w.npy"}], "output": {"name": "score", "kind": "regressor"}}
      """)
    let digest = try ContentDigest(
      of: MappedFile(path: project.scratch.path("flows/churn/v1/model.json"))
    ).hex
    let forged = try edited(["baseline.files": ["model.json": .string(digest)]])
    guard case .refused(let refusal) = replay(forged, candidate) else {
      Issue.record("\(replay(forged, candidate))")
      return
    }
    let reasons = refusal.reasons
    #expect(reasons.count == 1)
    #expect(reasons[0].hasPrefix("the candidate's output is "), "\(reasons)")
  }

  @Test func limitsTheModelMissesRefuseIt() throws {
    let forged = try edited([
      "limits.similarityDriftMean": "0", "limits.similarityDriftMax": "0",
      "metrics.outputDrift.mean": "0", "metrics.outputDrift.max": "0",
    ])
    guard case .refused(let refusal) = replay(forged, candidate) else {
      Issue.record("\(replay(forged, candidate))")
      return
    }
    let reasons = refusal.lines
    #expect(reasons.last == "the limits 'lenient' would let it pass")
    #expect(reasons.contains { $0.contains("is above 0 (lenient, overridden)") }, "\(reasons)")
  }

  struct Step: CustomTestStringConvertible, Sendable {
    let name: String
    /// Ten-thousandths added to the recorded metric.
    let steps: Int
    let isProven: Bool
    var testDescription: String { name }
  }

  @Test(arguments: [
    Step(name: "one up", steps: 1, isProven: true),
    Step(name: "two up", steps: 2, isProven: false),
    Step(name: "many up", steps: 100, isProven: false),
  ])
  func metricsMayBeOneStepApart(_ step: Step) throws {
    guard case .outputs(let drift) = receipt.metrics.drift else {
      Issue.record("not a classifier")
      return
    }
    let claimed = Int((drift.max * 10_000).rounded()) + step.steps
    var digits = String(claimed)
    digits = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    while digits.last == "0" { digits.removeLast() }
    let forged = try edited(["metrics.outputDrift.max": .string("0.\(digits)")])
    #expect((replay(forged, candidate) == .proven) == step.isProven)
  }

  /// The set that weights were fitted to is asked of the project, not believed.
  @Test func calibrationIsTheProjects() throws {
    let named = String(repeating: "ab", count: 32)
    let claim = try edited(["calibration": ["inputs": 2, "sha256": .string(named)]])
    #expect(
      replay(claim, candidate)
        == .impossible(
          reason: "the receipt says that the weights were fitted to inputs; the project names none "
            + "('calibration')"))
    let path = try project.scratch.write("inputs.jsonl", #"{"values": [91.5, -3.25]}"#)
    guard let reasons = replay(claim, candidate, calibration: path).differences else {
      Issue.record("\(replay(claim, candidate, calibration: path))")
      return
    }
    #expect(
      reasons.first?.hasPrefix("calibration set '\(path)': recorded \(named), found ") == true,
      "\(reasons)")
  }

  @Test func countsMustBeEqual() throws {
    #expect(
      replay(try edited(["metrics.inputs": 13]), candidate).differences
        == ["metrics.inputs: recorded 13, found 12"])
  }

  @Test func warningsMustBeEqual() throws {
    #expect(
      replay(try edited(["warnings": ["all is well"]]), candidate).differences
        == ["warnings.1: recorded all is well, found nothing"])
  }

  @Test func aChangedTokenizerIsNamed() throws {
    try TextModel.write(to: "models/text", in: project.scratch)
    let model = try ModelLoader.open(project.scratch.path("models/text"))
    var files = try model.describingDigests().mapValues { JSONValue.string($0.hex) }
    let recorded = try #require(files["tokenizer.json"])
    let claim = try edited([
      "baseline.sha256": .string(model.digest.hex), "baseline.files": .object(files),
    ])
    let path = "models/text/tokenizer.json"
    let own = try MappedFile.contents(of: project.scratch.path(path), limit: 1 << 20)
    let file = try project.scratch.write(
      path, String(decoding: own, as: UTF8.self).replacing("\"word\"", with: "\"other\""))
    let found = try ContentDigest(of: MappedFile(path: file)).hex
    guard case .string(let before) = recorded else { return }
    #expect(
      replay(claim, candidate, source: "models/text").differences
        == ["'\(file)': recorded \(before), found \(found)"])
    files["tokenizer.json"] = nil
    let without = try edited([
      "baseline.sha256": .string(model.digest.hex), "baseline.files": .object(files),
    ])
    #expect(
      replay(without, candidate, source: "models/text").differences
        == ["'\(file)': recorded nothing, found \(found)"])
  }
}

extension JSONValue {
  /// The value with what lies at a path replaced.
  fileprivate func replacing(_ path: ArraySlice<String>, with value: JSONValue) -> JSONValue {
    guard let key = path.first, case .object(var members) = self else { return value }
    members[key] = (members[key] ?? .null).replacing(path.dropFirst(), with: value)
    return .object(members)
  }
}
