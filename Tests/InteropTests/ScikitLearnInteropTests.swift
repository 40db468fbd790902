import Formats
import Foundation
import Gate
import Graph
import Inputs
import TestSupport
import Testing
import WeightCompression

/// Models that scikit-learn trained, against its own outputs and predictions.
@Suite(.enabled(if: Oracle.isAvailable, "no oracle environment: run scripts/test"))
struct ScikitLearnInteropTests {
  static let names = [
    "multinomial", "binary", "binary-columns", "binary-scores", "scores", "one-vs-rest", "network",
    "clusters",
  ]

  @Test func outputsAndLabelsAreThoseOfScikitLearn() throws {
    let folder = try TemporaryFolder()
    _ = try Oracle.run("make_sklearn.py", [folder.path("models")])
    for name in Self.names { try compare(folder.path("models/\(name)"), name) }
  }

  private func compare(_ path: String, _ name: String) throws {
    let model = try ModelLoader.open(path)
    let references = try ReferenceSet(path: "\(path)/references.jsonl")
    let theirs = try OutputMatrix(npy: "\(path)/expected.npy")
    let ours = try ModelRunner(model: model, jobs: 1).outputs(for: references.inputs)
    #expect(ours.rowCount == 64, "\(name)")
    #expect(ours.rowCount == theirs.rowCount && ours.width == theirs.width, "\(name)")
    for (left, right) in zip(ours.values, theirs.values) {
      #expect((left - right).magnitude <= 1e-5 * max(1, right.magnitude), "\(name)")
    }
    let predicted = try JSONDecoder().decode(
      [String].self, from: Data(contentsOf: URL(filePath: "\(path)/labels.json")))
    #expect(try labels(ours, of: model) == predicted, "\(name)")
  }

  private func labels(_ rows: OutputMatrix, of model: Model) throws -> [String] {
    guard case .classes(let labels, let width, let scale) = model.architecture.output else {
      throw OracleError(description: "no classifier")
    }
    guard case .integers = labels else { throw OracleError(description: "labels are no integers") }
    return (0..<rows.rowCount).map { row in
      let scores = Array(rows[row])
      if width == 1 { return labels.plain[scores[0] > (scale == .probabilities ? 0.5 : 0) ? 1 : 0] }
      return labels.plain[scores.indices.max { scores[$0] < scores[$1] } ?? 0]
    }
  }

  /// Scores of k-means, which are numbers in the hundreds, pass without compression in a package.
  @Test func clustersPassAsAPackageOfHalfPrecision() throws {
    let folder = try TemporaryFolder()
    _ = try Oracle.run("make_sklearn.py", [folder.path("models")])
    let path = folder.path("models/clusters")
    let model = try ModelLoader.open(path)
    let references = try ReferenceSet(path: "\(path)/references.jsonl")
    let package = folder.path("Clusters.mlpackage")
    _ = try CoreMLPackage().writeUnproven(
      try CompressedOnce.weights(of: model, nil), of: model, recipe: "none", to: package)
    let verdict = try Gate(on: references, Limits(), threshold: nil, jobs: 1).judge(
      [ModelLoader.open(package)], against: [model])
    #expect(verdict.isPassed, "\(verdict.reasons)")
  }
}
