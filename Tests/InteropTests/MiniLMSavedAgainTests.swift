import Formats
import Foundation
import Inputs
import TestSupport
import Testing

/// The real sentence encoder as today's library saves it: the describing files that
/// `save_minilm_again.py` kept, over the model's own weights, which saving does not change.
@Suite(.enabled(if: Oracle.miniLM != nil, "no model: run scripts/test"))
struct MiniLMSavedAgainTests {
  private static let fixture = Oracle.fixture("minilm-saved-again")

  @Test func embedsAsTheLibraryDoes() throws {
    let folder = try TemporaryFolder()
    let model = try savedAgain(in: folder)
    let theirs = try OutputMatrix(npy: "\(Self.fixture)/vectors.npy")
    let inputs = try sentences()
    let ours = try ModelRunner(model: try ModelLoader.open(model), jobs: 2).outputs(for: inputs)
    try #require(ours.rowCount == theirs.rowCount && ours.width == theirs.width)
    #expect(ours.rowCount >= 20)
    for row in 0..<ours.rowCount {
      let difference = zip(ours[row], theirs[row]).map { ($0 - $1).magnitude }.max() ?? .infinity
      #expect(difference <= 1e-5, "row \(row)")
    }
  }

  @Test func embedsAsTheModelOfOld() throws {
    let folder = try TemporaryFolder()
    let paths = [try savedAgain(in: folder), try #require(Oracle.miniLM)]
    let inputs = try sentences()
    let found = try paths.map {
      try ModelRunner(model: try ModelLoader.open($0), jobs: 2).outputs(for: inputs)
    }
    #expect(found[0].values == found[1].values)
  }

  /// The lines that the library embedded, one of them longer than the model takes.
  private func sentences() throws -> [Input] {
    let all = try InputLines.read(Oracle.fixture("sentences.jsonl")).inputs
    return all.indices.filter { $0 % 12 == 6 }.map { all[$0] }
  }

  /// The folder, with a copy of `tokenizer.json` that has the key which saving adds.
  private func savedAgain(in folder: TemporaryFolder) throws -> String {
    let files = FileManager.default
    let original = try #require(Oracle.miniLM)
    let model = folder.path("model")
    try files.copyItem(atPath: Self.fixture, toPath: model)
    try files.removeItem(atPath: "\(model)/vectors.npy")
    for name in ["model.safetensors", "vocab.txt"] {
      try files.createSymbolicLink(
        atPath: "\(model)/\(name)", withDestinationPath: "\(original)/\(name)")
    }
    let text = try String(contentsOfFile: "\(original)/tokenizer.json", encoding: .utf8)
    let parts = text.components(separatedBy: #""truncation":{"#)
    try #require(parts.count == 2)
    try parts.joined(separator: #""truncation":{"direction":"Right","#)
      .write(toFile: "\(model)/tokenizer.json", atomically: false, encoding: .utf8)
    return model
  }
}
