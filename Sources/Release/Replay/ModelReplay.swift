import Emission
import Evaluation
import Files
import Graph
import Packaging
import Weights

/// Runs the gate again for one model, as its receipt says it ran.
struct ModelReplay {
  let receipt: RecordedReceipt
  /// The model that shipped.
  let candidate: String
  let source: ReplaySource
  let jobs: Int

  /// What became of the proof.
  ///
  /// Nothing runs when the source or the reference set is another one: metrics of something else
  /// would say nothing.
  func run() -> ReplayReport.Outcome {
    for (what, path) in [("source", source.model), ("reference set", source.references)]
    where Folder.kind(of: path) == .missing {
      return .impossible(reason: "the \(what) '\(path)' is not there")
    }
    do {
      let baseline = try ModelLoader.open(source.model)
      let references = try ReferenceSet(path: source.references)
      let changes = try changes(of: baseline, references)
      return changes.isEmpty ? try judge(baseline, references) : .differs(changes)
    } catch {
      return .impossible(reason: "\(error)")
    }
  }

  /// What is not as it was when the receipt was written.
  private func changes(of baseline: Model, _ references: ReferenceSet) throws -> [String] {
    var comparison = ReceiptComparison()
    comparison.compare("weights of '\(source.model)'", receipt.baseline.hex, baseline.digest.hex)
    let found = try baseline.describingDigests()
    for name in Set(found.keys).union(receipt.baselineFiles.keys).sorted() {
      comparison.compare(
        "'\(baseline.files.name(of: name))'", receipt.baselineFiles[name]?.hex, found[name]?.hex)
    }
    comparison.compare(
      "reference set '\(source.references)'", receipt.references.hex, references.digest.hex)
    return comparison.differences
  }

  private func judge(
    _ baseline: Model, _ references: ReferenceSet
  ) throws -> ReplayReport.Outcome {
    let judgement: Judgement
    do {
      judgement = try Gate.judge(
        baseline: baseline, candidate: try ModelLoader.open(candidate), references: references,
        limits: receipt.limits, threshold: receipt.threshold, jobs: jobs)
    } catch let error as EvaluationError {
      // Not even comparable, although the receipt says that they were compared.
      return .refused(reasons: [error.description])
    }
    guard let found = judgement.receipt else { return .refused(reasons: judgement.reasons) }
    let differences = ReceiptComparison.differences(recorded: receipt, found: found)
    return differences.isEmpty ? .proven : .differs(differences)
  }
}
