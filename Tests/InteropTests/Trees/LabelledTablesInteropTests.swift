import Formats
import Foundation
import Gate
import Graph
import Inputs
import TestSupport
import Testing

/// Figures on true labels of a table, against scikit-learn, numpy and XGBoost.
@Suite(
  .enabled(
    if: TreeFolder.root != nil && Oracle.isAvailable, "no models of tables: run scripts/test"))
struct LabelledTablesInteropTests {
  private struct Figures: Decodable {
    /// Of the model and of the candidate.
    let accuracy: [Double]
    let calibrationError: [Double]
    /// Rows by the class of the model and by that of the candidate.
    let moves: [[Int]]
  }

  @Test(arguments: ["classifier", "multi-softprob-json", "forests-json"])
  func figuresAreThoseOfScikitLearnAndNumpy(_ name: String) throws {
    let scratch = try TemporaryFolder()
    let folder = "\(TreeFolder.root ?? "")/xgboost/\(name)"
    let text = try Oracle.run("trees/judge_labels.py", [folder, scratch.path])
    let expected = try JSONDecoder().decode(Figures.self, from: Data(text.utf8))
    let set = try ReferenceSet(
      path: scratch.path("data.csv"),
      columns: NamedColumns(label: "class", ignored: ["id"]))
    let model = try ModelLoader.open("\(folder)/model.json")
    let candidate = try ModelLoader.open(scratch.path("candidate.json"))
    let verdict = try Gate(on: set, Limits(), threshold: nil, jobs: 2).judge(
      [candidate], against: [model])
    let labels = try #require(verdict.labels)
    #expect(labels.lines == set.given.inputs)
    // The labels are drawn so that neither model is always right.
    #expect(expected.accuracy.allSatisfy { (0.3..<0.99).contains($0) })
    #expect(labels.accuracy.baseline == expected.accuracy[0])
    #expect(labels.accuracy.candidate == expected.accuracy[1])
    let errors = try #require(labels.calibrationError)
    #expect((errors.baseline - expected.calibrationError[0]).magnitude < 1e-6)
    #expect((errors.candidate - expected.calibrationError[1]).magnitude < 1e-6)
    #expect(expected.calibrationError[1] > 0.005)
    let moves = verdict.classes.map { row in
      verdict.classes.map { column in
        column.label == row.label
          ? row.inputs - row.flips : row.to.first { $0.label == column.label }?.count ?? 0
      }
    }
    #expect(moves == expected.moves)
    #expect(verdict.metrics?.flips ?? 0 > 5)
  }
}
