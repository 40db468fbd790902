import Foundation
import TestSupport
import Testing

/// `--keep-tokens`: a model without the tokens that no text of a corpus needs.
struct KeepTokensTests {
  let folder: TemporaryFolder
  private let quickstart = "\(Program.repository)/specs/examples/quickstart"
  private var encoder: String { "\(quickstart)/models/sentence-encoder" }
  private var pairs: String { "\(quickstart)/references/pairs.jsonl" }

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: [String]) throws -> Program {
    try Program.run(arguments, in: folder.path)
  }

  /// Texts of the references, one a line.
  private func texts() throws -> [String] {
    let lines = try String(contentsOfFile: pairs, encoding: .utf8).split(separator: "\n")
    return try lines.flatMap { line -> [String] in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return ["a", "b"].compactMap { (object?[$0] as? [String: Any])?["text"] as? String }
    }
  }

  private func compress(_ output: String, _ flags: [String] = []) throws -> Program {
    try run(
      ["compress", encoder, "-o", output, "--keep-tokens", "corpus.txt", "--references", pairs]
        + flags)
  }

  @Test func aProvenModelSaysWhatItKept() throws {
    try folder.write("corpus.txt", try texts().joined(separator: "\n") + "\n")
    let run = try compress("small.safetensors", ["--json"])
    #expect(run.status == 0, "\(run.errors)")
    let vocabulary = try #require(try run.json()["vocabulary"] as? [String: Any])
    let kept = try #require(vocabulary["kept"] as? Int)
    let dropped = try #require(vocabulary["dropped"] as? Int)
    #expect(kept > 100 && dropped > 0)
    let whole = try self.run(
      ["compress", encoder, "-o", "whole.safetensors", "--references", pairs])
    #expect(whole.status == 0)
    #expect(
      try folder.bytes("small.safetensors").count < folder.bytes("whole.safetensors").count)
    // The same model, judged again from what is on disk, beside all tokens.
    let check = try self.run(
      ["check", encoder, "small.safetensors", "--references", pairs])
    #expect(check.status == 0, "\(check.output)\(check.errors)")
  }

  @Test func embeddingsOfTheCorpusAreThoseOfAllTokens() throws {
    try folder.write("corpus.txt", try texts().joined(separator: "\n") + "\n")
    #expect(try compress("small.safetensors", ["--scheme", "none"]).status == 0)
    for (model, output) in [(encoder, "all.npy"), ("small.safetensors", "few.npy")] {
      let run = try run(["embed", model, "--inputs", "corpus.txt", "-o", output])
      #expect(run.status == 0, "\(run.errors)")
    }
    #expect(try folder.bytes("all.npy") == folder.bytes("few.npy"))
  }

  @Test func referencesThatNeedDroppedTokensAreNamedAndRefused() throws {
    try folder.write("corpus.txt", "water\n")
    let run = try compress("small.safetensors", ["--keep-refused", "refused.safetensors"])
    #expect(run.status == 3)
    #expect(
      run.output.contains("need tokens that were dropped, first ")
        || run.errors.contains("need tokens that were dropped, first "))
    #expect(
      run.errors.hasSuffix(
        "hint: put such texts into the file that --keep-tokens names, or take them out of the "
          + "references\n"))
    #expect(!folder.exists("small.safetensors"))
    #expect(!folder.exists("small.safetensors.all-tokens.zst"))
    #expect(folder.exists("refused.safetensors.all-tokens.zst"))
  }

  @Test(arguments: ["small.safetensors", "Small.mlpackage"])
  func embedNamesTextsThatNeedDroppedTokens(_ output: String) throws {
    try folder.write("corpus.txt", try texts().joined(separator: "\n") + "\n")
    try folder.write("other.txt", "\(try texts()[0])\nzebra quartz unfamiliar\n")
    let length = output.hasSuffix("mlpackage") ? ["--sequence-length", "32"] : []
    #expect(try compress(output, length).status == 0)
    let same = try run(["embed", output, "--inputs", "corpus.txt", "-o", "same.npy"])
    #expect(same.status == 0 && !same.errors.contains("dropped"), "\(same.errors)")
    let other = try run(["embed", output, "--inputs", "other.txt", "-o", "other.npy"])
    #expect(other.status == 0)
    #expect(
      other.errors.contains(
        "warning: other.txt:2: 1 text needs tokens that were dropped, of 2: the outputs are not "
          + "those of all tokens"), "\(other.errors)")
  }

  @Test func embedSaysThatItCannotTellWithoutTheTrainedTokenizer() throws {
    try folder.write("corpus.txt", try texts().joined(separator: "\n") + "\n")
    #expect(try compress("small.safetensors").status == 0)
    let beside = folder.path("small.safetensors.all-tokens.zst")
    try FileManager.default.removeItem(atPath: beside)
    let run = try run(["embed", "small.safetensors", "--inputs", "corpus.txt", "-o", "few.npy"])
    #expect(run.status == 0)
    #expect(
      run.errors.contains(
        "'small.safetensors.all-tokens.zst' is not there: texts that need dropped tokens are not "
          + "found"), "\(run.errors)")
    try folder.write("small.safetensors.all-tokens.zst", "not a frame")
    let damaged = try self.run(
      ["embed", "small.safetensors", "--inputs", "corpus.txt", "-o", "few.npy"])
    #expect(damaged.status == 1)
    #expect(
      damaged.errors.contains("small.safetensors.all-tokens.zst: is not a zstd archive"),
      "\(damaged.errors)")
  }

  @Test func whatIsMadeOfASmallerModelGetsTheTrainedTokenizerToo() throws {
    try folder.write("corpus.txt", try texts().joined(separator: "\n\n") + "\n")
    try folder.write("other.txt", "zebra quartz unfamiliar\n")
    let first = try compress("small.safetensors", ["--scheme", "none"])
    #expect(first.status == 0)
    #expect(
      first.errors.contains("corpus.txt: read as plain lines, one text each; 203 blank lines"))
    let again = ["compress", "small.safetensors", "-o", "again.safetensors"]
    #expect(try run(again).status == 0)
    #expect(
      try folder.bytes("again.safetensors.all-tokens.zst")
        == folder.bytes("small.safetensors.all-tokens.zst"))
    let embedding = try run(["embed", "again.safetensors", "--inputs", "other.txt", "-o", "o.npy"])
    #expect(embedding.errors.contains("1 text needs tokens that were dropped, of 1"))
    try FileManager.default.removeItem(atPath: folder.path("small.safetensors.all-tokens.zst"))
    #expect(
      try run(again).errors.contains(
        "'small.safetensors.all-tokens.zst' is not there: 'embed' will not find texts that need "
          + "dropped tokens"))
    try folder.write("small.txt", try texts()[0] + "\n")
    let twice = try run(again + ["--keep-tokens", "small.txt"])
    #expect(
      twice.errors.contains(
        "tokens already: 'embed' will find texts that need a token dropped now, and none that need "
          + "one dropped before"), "\(twice.errors)")
  }

  @Test func embedTakesTheTrainedTokenizerThatIsNamed() throws {
    try folder.write("corpus.txt", try texts().joined(separator: "\n") + "\n")
    try folder.write("other.txt", "zebra quartz unfamiliar\n")
    #expect(try compress("small.safetensors").status == 0)
    try FileManager.default.moveItem(
      atPath: folder.path("small.safetensors.all-tokens.zst"), toPath: folder.path("all.zst"))
    func embed(_ model: String, _ place: String) throws -> Program {
      try run(
        ["embed", model, "--inputs", "other.txt", "-o", "o.npy", "--all-tokens", place])
    }
    let found = try embed("small.safetensors", "all.zst")
    #expect(found.status == 0 && found.errors.contains("1 text needs tokens that were dropped"))
    #expect(
      try embed("small.safetensors", "none.zst").errors.contains("error: none.zst: is not there"))
    #expect(try embed("small.safetensors", ".").errors.contains(".zst: is not there"))
    #expect(
      try embed(encoder, "all.zst").errors.hasSuffix(
        "error: \(encoder): has all its tokens\nhint: leave --all-tokens out\n"))
  }

  @Test func planShowsTheSizesWithFewerTokens() throws {
    try folder.write("corpus.txt", try texts().joined(separator: "\n") + "\n")
    let compressed = try compress("small.safetensors", ["--json", "--scheme", "int8"]).json()
    let plan = try run(
      ["plan", encoder, "--keep-tokens", "corpus.txt", "--scheme", "int8", "--json"]
    ).json()
    #expect(plan["bytes"] as? Int == compressed["weightBytes"] as? Int)
    let kept = try [plan, compressed].map { report in
      try #require((report["vocabulary"] as? [String: Any])?["kept"] as? Int)
    }
    #expect(kept[0] == kept[1])
  }

  @Test func aPackageHasItsTokenizerBesideIt() throws {
    try folder.write("corpus.txt", try texts().joined(separator: "\n") + "\n")
    let run = try compress("Small.mlpackage", ["--sequence-length", "32"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(folder.exists("tokenizer.json"))
    let check = try self.run(
      [
        "check", encoder, "Small.mlpackage", "--tokenizer", ".", "--references", pairs,
      ])
    #expect(check.status == 0, "\(check.output)\(check.errors)")
  }

  @Test(arguments: [
    ("", "corpus.txt:1:1: the corpus is empty; without texts no token would be kept"),
    (#"{"values": [1]}"# + "\n", "corpus.jsonl:1:1: is"),
  ])
  func aCorpusWithoutTextsIsRefused(_ text: String, _ message: String) throws {
    let name = message.hasPrefix("corpus.txt") ? "corpus.txt" : "corpus.jsonl"
    try folder.write(name, text)
    let run = try run(["compress", encoder, "-o", "s.safetensors", "--keep-tokens", name])
    #expect(run.status != 0 && run.errors.contains(message), "\(run.errors)")
    #expect(!folder.exists("s.safetensors"))
  }
}
