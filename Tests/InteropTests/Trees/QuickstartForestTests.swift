import Formats
import Foundation
import Inputs
import TestSupport
import Testing

/// The forest of the quickstart against scikit-learn, which trains it anew.
@Suite(.enabled(if: Oracle.isAvailable, "no oracle environment: run scripts/test"))
struct QuickstartForestTests {
  @Test func theForestIsWhatScikitLearnTrains() throws {
    let folder = try TemporaryFolder()
    let probabilities = folder.path("probabilities.npy")
    _ = try Oracle.run("../examples/train_forest.py", [folder.path("new"), probabilities])
    let flow = "flows/workout_tonight"
    let (trained, kept) = (
      folder.path("new/\(flow)"), "\(Oracle.repository)/specs/examples/quickstart/\(flow)"
    )
    let files = try FileManager.default.subpathsOfDirectory(atPath: kept).sorted()
    #expect(try FileManager.default.subpathsOfDirectory(atPath: trained).sorted() == files)
    for file in files where !file.hasSuffix("model.json") && file.contains(".") {
      #expect(
        FileManager.default.contentsEqual(atPath: "\(trained)/\(file)", andPath: "\(kept)/\(file)"),
        "\(file)")
    }
    let references = try ReferenceSet(path: "\(kept)/references.jsonl")
    let ours = try ModelRunner(model: try ModelLoader.open("\(kept)/v4"), jobs: 1)
      .outputs(for: references.inputs)
    let theirs = try OutputMatrix(npy: probabilities)
    #expect((ours.rowCount, ours.width) == (theirs.rowCount, theirs.width))
    #expect(ours.rowCount == 96)
    for (left, right) in zip(ours.values, theirs.values) {
      #expect((left - right).magnitude <= 1e-6)
    }
  }
}
