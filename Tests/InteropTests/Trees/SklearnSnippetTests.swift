import Formats
import Foundation
import Graph
import Inputs
import TestSupport
import Testing

/// The lines on the page for scikit-learn, run on fitted estimators; what they save is opened and run.
@Suite(.enabled(if: Oracle.isAvailable, "no oracle environment: run scripts/test"))
struct SklearnSnippetTests {
  private static let older = ["sk1.5", "sk1.6", "sk1.7", "sk1.8"]

  /// Those for trees are judged by `TreeModelInteropTests`.
  @Test func whatTheLinesSaveGivesTheNumbersOfScikitLearn() throws {
    try judgeLayers([:])
  }

  @Test(
    .enabled(if: Oracle.versions != nil, "other versions are for scripts/test --exhaustive"),
    arguments: older)
  func whatTheLinesSaveGivesTheNumbersOfOlderVersions(_ version: String) throws {
    let packages = "\(try #require(Oracle.versions))-\(version)"
    try #require(FileManager.default.fileExists(atPath: "\(packages)/sklearn"), "\(packages)")
    try judgeLayers(["PYTHONPATH": packages])
    let folder = try TemporaryFolder()
    _ = try Oracle.run(
      "trees/make_sklearn.py", [folder.path("models")], environment: ["PYTHONPATH": packages])
    let forests = try TreeFolder.all(in: folder.path("models"), version)
    #expect(forests.count >= 30)
    let description = try String(
      contentsOfFile: "\(try #require(forests.first).model)/model.json", encoding: .utf8)
    #expect(description.contains("scikit-learn \(version.dropFirst(2))."))
    for forest in forests { try TreeModelInteropTests.judge(forest) }
  }

  private func judgeLayers(_ environment: [String: String]) throws {
    let folder = try TemporaryFolder()
    _ = try Oracle.run(
      "trees/make_sklearn_dense.py", [folder.path("models")], environment: environment)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("models")).sorted()
    #expect(names.count >= 35)
    for name in names { try judge(folder.path("models/\(name)"), name) }
  }

  private func judge(_ path: String, _ name: String) throws {
    let model = try ModelLoader.open(path)
    let references = try ReferenceSet(path: "\(path)/references.jsonl")
    let ours = try ModelRunner(model: model, jobs: 2).outputs(for: references.inputs)
    let theirs = try OutputMatrix(npy: "\(path)/expected.npy")
    try #require((ours.rowCount, ours.width) == (theirs.rowCount, theirs.width), "\(name)")
    // Weights have 32 bits: a score is as exact as the terms that it is the sum of.
    let terms = try OutputMatrix(npy: "\(path)/terms.npy")
    for (place, expected) in theirs.values.enumerated() {
      let limit = 1e-6 * max(1, abs(expected), terms.values[place] / 4)
      #expect(
        abs(ours.values[place] - expected) <= limit,
        "\(name), output \(place): \(ours.values[place]), not \(expected)")
    }
    try judgeLabels(path, model, ours)
  }

  /// What `predict` says of every row.
  private func judgeLabels(_ path: String, _ model: Model, _ ours: OutputMatrix) throws {
    guard case .classes(let labels, let width, let scale) = model.architecture.output else {
      return
    }
    let predicted = try JSONDecoder().decode(
      [String].self, from: Data(contentsOf: URL(filePath: "\(path)/labels.json")))
    let limit: Float = scale == .scores ? 0 : 0.5
    for (row, word) in predicted.enumerated() {
      let values = ours[row]
      let place =
        width == 1
        ? (values[values.startIndex] > limit ? 1 : 0)
        : values.indices.max { values[$0] < values[$1] }.map { $0 - values.startIndex } ?? 0
      #expect(labels.plain[place] == word, "\(path), row \(row)")
    }
  }
}
