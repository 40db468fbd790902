import Formats
import Foundation
import Inputs
import TestSupport
import Testing

/// Every pooling, with and without normalisation, against PyTorch on the quickstart's encoder.
@Suite(.enabled(if: Oracle.isAvailable, "no oracle environment: run scripts/test"))
struct PoolingInteropTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let mode: String
    let isNormalised: Bool
    var testDescription: String { "\(mode)\(isNormalised ? ", normalised" : "")" }
  }

  static let cases = ["mean_tokens", "cls_token", "max_tokens"].flatMap {
    [Case(mode: $0, isNormalised: true), Case(mode: $0, isNormalised: false)]
  }

  @Test(arguments: cases)
  func embeddingsEqualPyTorch(_ testCase: Case) throws {
    let folder = try TemporaryFolder()
    let model = folder.path("model")
    try FileManager.default.copyItem(
      atPath: "\(Oracle.repository)/specs/examples/quickstart/models/sentence-encoder",
      toPath: model)
    // Versions differ in what they make of a file without the key of the mean.
    var pooling = ["pooling_mode_mean_tokens": false]
    pooling["pooling_mode_\(testCase.mode)"] = true
    try write(pooling, to: "\(model)/1_Pooling/config.json")
    let kinds = ["Transformer", "Pooling"] + (testCase.isNormalised ? ["Normalize"] : [])
    let modules = zip(kinds, ["", "1_Pooling", "2_Normalize"]).map {
      ["type": "sentence_transformers.models.\($0)", "path": $1]
    }
    try write(modules, to: "\(model)/modules.json")
    let sentences = Oracle.fixture("sentences.jsonl")
    _ = try Oracle.run("embed_torch.py", [model, sentences, folder.path("torch.npy")])
    let theirs = try OutputMatrix(npy: folder.path("torch.npy"))
    let ours = try ModelRunner(model: try ModelLoader.open(model), jobs: 2)
      .outputs(for: try InputLines.read(sentences))
    #expect(ours.rowCount == theirs.rowCount && ours.width == theirs.width)
    let largest = theirs.values.map(\.magnitude).max() ?? 0
    for (left, right) in zip(ours.values, theirs.values) {
      #expect((left - right).magnitude <= 1e-5 * max(1, largest))
    }
  }

  private func write(_ value: Any, to path: String) throws {
    try JSONSerialization.data(withJSONObject: value).write(to: URL(filePath: path))
  }
}
