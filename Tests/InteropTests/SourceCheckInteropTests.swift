import Formats
import Foundation
import Gate
import Graph
import TestSupport
import Testing

/// The scripts of the specification that save what a model's own library makes of it, run.
@Suite(.enabled(if: Oracle.isAvailable))
struct SourceCheckInteropTests {
  private let folder: TemporaryFolder
  private let scripts = "\(Oracle.repository)/specs/examples/source-check"

  init() throws { folder = try TemporaryFolder() }

  private func find(_ model: String) throws -> SourceFinding {
    try SourceCheck(
      vectors: folder.path("vectors.npy"), inputs: folder.path("inputs.jsonl")
    ).run([try ModelLoader.open(model)], jobs: 2)
  }

  @Test func probabilitiesOfScikitLearnAgree() throws {
    _ = try Oracle.run(
      "source_check.py", ["probabilities", folder.path, "\(scripts)/probabilities.py"])
    let finding = try find(folder.path("model"))
    #expect(finding.isAgreed)
    #expect(finding.agreements.first?.record.count == 60)
  }

  @Test func embeddingsOfSentencesAgree() throws {
    let model = "\(Oracle.repository)/specs/examples/quickstart/models/sentence-encoder"
    let texts =
      (0..<12).map { "Remind me to stretch after lunch, Zoë, \($0) times" }
      + [String(repeating: "a very long text ", count: 100)]
    try texts.joined(separator: "\n").write(
      toFile: folder.path("texts.txt"), atomically: true, encoding: .utf8)
    _ = try Oracle.run(
      "source_check.py",
      ["sentences", folder.path, "\(scripts)/sentences.py", model, folder.path("texts.txt")])
    let finding = try find(model)
    #expect(finding.isAgreed)
    let record = try #require(finding.agreements.first?.record)
    #expect(record.count == 13 && (record.cosine?.min ?? 0) >= 0.9999998)
  }

  @Test(arguments: ["sentences.py", "probabilities.py"])
  func theScriptsAreTenLinesAtMost(_ name: String) throws {
    let text = try String(contentsOfFile: "\(scripts)/\(name)", encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= 10)
  }
}
