import Formats
import Foundation
import Graph
import Inputs
import TestSupport
import Testing

/// The blocks of `specs/examples/sklearn/README.md` for linear models, networks, scalers and k-means: each is run
/// as it stands there, and what it saved is opened and run.
@Suite(.enabled(if: Oracle.isAvailable, "no oracle environment: run scripts/test"))
struct ScikitLearnBlocksInteropTests {
  @Test func whatTheBlocksSaveGivesTheNumbersOfScikitLearn() throws {
    let folder = try TemporaryFolder()
    _ = try Oracle.run("trees/make_sklearn_dense.py", [folder.path("models")])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("models")).sorted()
    #expect(names.count >= 35)
    for name in names { try compare(folder.path("models/\(name)"), name) }
  }

  private func compare(_ path: String, _ name: String) throws {
    let model = try ModelLoader.open(path)
    let references = try ReferenceSet(path: "\(path)/references.jsonl")
    let theirs = try OutputMatrix(npy: "\(path)/expected.npy")
    let ours = try ModelRunner(model: model, jobs: 1).outputs(for: references.inputs)
    #expect(ours.rowCount == 400, "\(name)")
    try #require(ours.rowCount == theirs.rowCount && ours.width == theirs.width, "\(name)")
    let size = theirs.values.reduce(1) { max($0, $1.magnitude) }
    let isNear = zip(ours.values, theirs.values).allSatisfy { one, other in
      (one - other).magnitude <= 1e-5 * size
    }
    #expect(isNear, "\(name)")
    guard case .classes(let labels, let width, let scale) = model.architecture.output else {
      return
    }
    let predicted = try JSONDecoder().decode(
      [String].self, from: Data(contentsOf: URL(filePath: "\(path)/labels.json")))
    let found = (0..<ours.rowCount).map { row in
      let scores = Array(ours[row])
      if width == 1 { return labels.plain[scores[0] > (scale == .probabilities ? 0.5 : 0) ? 1 : 0] }
      return labels.plain[scores.indices.max { scores[$0] < scores[$1] } ?? 0]
    }
    #expect(found == predicted, "\(name)")
  }
}
