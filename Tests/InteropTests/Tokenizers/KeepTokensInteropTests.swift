import Formats
import Foundation
import Graph
import Inputs
import TestSupport
import Testing
import Tokenization

/// Models with fewer tokens: the library reads the smaller tokenizer and table as Ingot does.
@Suite(.enabled(if: Oracle.python != nil, "no oracle environment"))
struct KeepTokensInteropTests {
  /// Small encoders of the table: WordPiece, Unigram, byte pairs of bytes and with byte fallback.
  static let cases = EncoderTableTests.table.cases.filter {
    [
      "bert-mean", "bert-unigram-mean", "xlm-roberta-head", "byte-pairs-roberta", "byte-pairs-qwen",
      "byte-pairs-gemma",
    ].contains($0.name)
  }

  @Test func everyKindIsThere() { #expect(Self.cases.count == 6) }

  @Test(arguments: cases)
  func theLibraryReadsTheSmallerModel(_ row: EncoderTable.Case) throws {
    let folder = try TemporaryFolder()
    let trained = try EncoderTableTests.table.assemble(row, in: folder)
    // Few texts, so that there is something to drop; older versions of the library strip texts.
    let all = try EncoderTable.texts.filter {
      $0 == $0.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    let texts = Array(all.prefix(60))
    let inputs = try EncoderTable.write(texts, to: folder.path("corpus.jsonl"))
    let output = folder.path("small.safetensors")
    let run = try Program.run(
      ["compress", trained, "-o", output, "--keep-tokens", inputs, "--scheme", "none", "--json"],
      in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    let vocabulary = try run.json()["vocabulary"] as? [String: Any]
    #expect(try #require(vocabulary?["dropped"] as? Int) > 0)
    let found = try judged(output, inputs, texts, in: folder)
    #expect(found["otherTokenizers"] as? Int == 0)
    // Gemma's class reads the trained folder in another way, too, before transformers 5.
    guard row.name != "byte-pairs-gemma" else { return }
    #expect(found["otherLibrary"] as? Int == 0)
    #expect(try #require(found["cosine"] as? Double) >= 0.99999)
  }

  private func judged(
    _ path: String, _ inputs: String, _ texts: [String], in folder: TemporaryFolder
  ) throws -> [String: Any] {
    let model = try ModelLoader.open(path)
    guard case .tokens(let longest, _) = model.architecture.input else { return [:] }
    let tokenizer = try #require(try model.tokenizer())
    let ids = texts.map {
      tokenizer.ids(of: model.architecture.preparation.apply(to: $0), maximumLength: longest)
    }
    try JSONEncoder().encode(ids).write(to: URL(filePath: folder.path("ids.json")))
    let vectors = folder.path("vectors.npy")
    let run = try Program.run(["embed", path, "--inputs", inputs, "-o", vectors], in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    let text = try Oracle.run(
      "keep_tokens.py", [path, inputs, folder.path("ids.json"), vectors])
    return try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
  }
}
