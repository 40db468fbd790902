import Foundation
import TestSupport
import Testing

/// A candidate that is its baseline but for what no reference reaches.
struct PreparationFlagTests {
  let folder: TemporaryFolder

  /// `other` is a copy of `model`; both are the encoder of the quickstart.
  init() throws {
    folder = try TemporaryFolder()
    try folder.copySentenceEncoder()
    try FileManager.default.copyItem(atPath: folder.path("model"), toPath: folder.path("other"))
  }

  private func check(_ flags: String...) throws -> Program {
    let pairs = "\(Program.repository)/specs/examples/quickstart/references/pairs.jsonl"
    return try Program.run(
      ["check", "model", "other", "--references", pairs, "--limits", "strict"] + flags,
      in: folder.path)
  }

  /// Two words of the vocabulary that no reference holds.
  private static let words = (first: ("university", 195), second: ("national", 197))

  private func swapWords() throws {
    let (first, second) = Self.words
    try folder.replace(
      "other/tokenizer.json", "\"\(first.0)\": \(first.1),", by: "\"\(second.0)\": \(first.1),")
    try folder.replace(
      "other/tokenizer.json", "\"\(second.0)\": \(second.1),", by: "\"\(first.0)\": \(second.1),")
  }

  @Test func anotherTokenizerIsRefusedUnlessTold() throws {
    try swapWords()
    let refused = try check()
    #expect(refused.status == 3)
    #expect(
      refused.errors.contains(
        "the candidate's tokenizer is not the baseline's: 2 pieces have another id, '"),
      "\(refused.errors)")
    #expect(refused.errors.contains("('other' against 'model')"))
    #expect(refused.errors.contains("hint: ") && refused.errors.contains("--different-preparation"))
    let told = try check("--different-preparation")
    #expect(told.status == 0, "\(told.errors)")
    #expect(told.errors.contains("warning: the candidate's tokenizer is not the baseline's: 2 "))
  }

  /// Zeros in the rows of tokens that no reference holds change no vector of the references.
  @Test func rowsThatNoReferenceReachesAreRefused() throws {
    var bytes = try folder.bytes("other/model.safetensors")
    let count = bytes.prefix(8).enumerated().reduce(0) { $0 + Int($1.element) << (8 * $1.offset) }
    let header = try JSONSerialization.jsonObject(with: Data(bytes[8..<8 + count]))
    let table = (header as? [String: Any])?["embeddings.word_embeddings.weight"] as? [String: Any]
    let start = 8 + count + (try #require((table?["data_offsets"] as? [Int])?.first))
    for (_, id) in [Self.words.first, Self.words.second] {
      for place in start + id * 512..<start + (id + 1) * 512 { bytes[place] = 0 }
    }
    try Data(bytes).write(to: URL(filePath: folder.path("other/model.safetensors")))
    let refused = try check()
    #expect(refused.status == 3)
    #expect(
      refused.errors.contains(
        "2 of 3200 rows of the candidate's weight 'embeddings.word_embeddings.weight' are worse "
          + "than its compression explains, the first row "), "\(refused.errors)")
    let json = try check("--json", "--quiet").json()
    #expect(json["verdict"] as? String == "refused")
    let rows = (json["coverage"] as? [String: Any])?["tokenRows"] as? [String: Int]
    #expect(rows == ["all": 3200, "reached": 485])
  }

  @Test func theFlagIsForReferences() throws {
    let run = try Program.run(
      ["check", "v.npy", "model", "--inputs", "i.jsonl", "--different-preparation"],
      in: folder.path)
    #expect(run.status == 64)
  }
}
