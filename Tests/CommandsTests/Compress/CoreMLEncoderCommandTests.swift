import Foundation
import TestSupport
import Testing

/// Packages of a model that takes texts.
struct CoreMLEncoderCommandTests {
  let folder: TemporaryFolder
  private let encoder =
    "\(Program.repository)/specs/examples/quickstart/models/sentence-encoder"

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: [String]) throws -> Program {
    try Program.run(arguments, in: folder.path)
  }

  private func compress(_ flags: [String] = []) throws -> Program {
    try run(["compress", encoder, "--format", "mlpackage", "-o", "X.mlpackage"] + flags)
  }

  private func inputs(_ package: String = "X.mlpackage") throws -> [String] {
    let json = try run(["inspect", package, "--json"]).json()
    let inputs = json["inputs"] as? [[String: Any]] ?? []
    return inputs.map { "\($0["name"] ?? "") \($0["type"] ?? "")" }
  }

  @Test func lengthsOfInputs() throws {
    #expect(try compress().status == 0)
    #expect(try inputs() == ["input_ids int32 [1, 128]", "attention_mask int32 [1, 128]"])
    #expect(try compress(["--sequence-length", "32"]).status == 0)
    #expect(try inputs() == ["input_ids int32 [1, 32]", "attention_mask int32 [1, 32]"])
    #expect(try compress(["--sequence-length", "16,64,32"]).status == 0)
    #expect(
      try inputs()
        == ["input_ids", "attention_mask"].map {
          "\($0) int32 [1, 64] or [1, 32] or [1, 16]"
        })
    let plan = try run(["plan", encoder, "--format", "mlpackage", "--sequence-length", "16,64"])
    #expect(plan.output.hasSuffix(", opset CoreML8: iOS18 and later\n"))
  }

  @Test(arguments: [
    (["--sequence-length", "129"], "129 is outside 1...128, the tokens the model takes"),
    (
      ["--sequence-length", "16,32", "--minimum-deployment-target", "iOS16"],
      "a choice of sequence lengths"
    ),
    (
      [
        "--scheme", "palettize", "--bits", "4", "--granularity", "per-group", "--group-size",
        "4", "--minimum-deployment-target", "iOS16",
      ], "tensor 'embeddings.word_embeddings.weight': palette 4 bits in groups of 4"
    ),
  ])
  func whatTheSystemOrTheModelLacksIsNamed(_ flags: [String], _ message: String) throws {
    for command in [
      ["plan", encoder, "--format", "mlpackage"],
      ["compress", encoder, "--format", "mlpackage", "-o", "X.mlpackage"],
    ] {
      let refused = try run(command + flags)
      #expect(refused.status == 1, "\(command[0])")
      #expect(refused.errors.contains(message), "\(refused.errors)")
    }
    #expect(try folder.names() == [])
  }

  @Test func tokenizerIsFoundBesideOrNamed() throws {
    #expect(try compress(["--sequence-length", "32"]).status == 0)
    try folder.write("in.jsonl", "{\"text\": \"Drink a glass of water\"}\n\"Go for a run\"\n")
    func embed(_ flags: [String] = []) throws -> Program {
      try run(["embed", "X.mlpackage", "--inputs", "in.jsonl", "-o", "o.npy"] + flags)
    }
    let without = try embed()
    #expect(without.status == 1)
    #expect(without.errors.contains("put it beside the package, or give --tokenizer"))
    #expect(!folder.exists("o.npy"))
    var all: Set<Data> = []
    for tokenizer in [encoder, "\(encoder)/tokenizer.json"] {
      #expect(try embed(["--tokenizer", tokenizer]).status == 0)
      all.insert(try folder.bytes("o.npy"))
    }
    let bytes = try Data(contentsOf: URL(filePath: "\(encoder)/tokenizer.json"))
    try folder.write("tokenizer.json", bytes)
    #expect(try embed().status == 0)
    all.insert(try folder.bytes("o.npy"))
    #expect(all.count == 1)
    #expect(try #require(Npy(try folder.bytes("o.npy"))).values.count == 256)
  }

  /// What lies beside a package is what ships with it: another tokenizer is not judged, but refused.
  @Test func packageIsNotOpenedWithAnotherTokenizerBesideIt() throws {
    #expect(try compress(["--sequence-length", "32"]).status == 0)
    let json = try String(contentsOfFile: "\(encoder)/tokenizer.json", encoding: .utf8)
    let other = json.replacing("\"the\": ", with: "\"thethe\": ")
      .replacing("\"a\": ", with: "\"aaaa\": ").replacing("\"is\": ", with: "\"isis\": ")
    #expect(other != json)
    try folder.write("tokenizer.json", other)
    let pairs = "\(Program.repository)/specs/examples/quickstart/references/pairs.jsonl"
    let refused = try run(["check", encoder, "X.mlpackage", "--references", pairs])
    #expect(refused.status == 1)
    #expect(refused.errors.contains("but X.mlpackage was made with a file of"))
  }

  @Test func tokenizerIsNotOverwrittenNorTakenForNothing() throws {
    #expect(try compress(["--sequence-length", "32"]).status == 0)
    let bytes = try Data(contentsOf: URL(filePath: "\(encoder)/tokenizer.json"))
    try folder.write("t/tokenizer.json", bytes)
    try folder.write("in.jsonl", "{\"text\": \"Drink a glass of water\"}\n")
    func embed(_ model: String, _ tokenizer: String, _ output: String) throws -> Program {
      try run([
        "embed", model, "--tokenizer", tokenizer, "--inputs", "in.jsonl", "--output", output,
      ])
    }
    let over = try embed("X.mlpackage", "t/tokenizer.json", "t/tokenizer.json")
    #expect(over.status == 1)
    #expect(over.errors.contains("is an input of this very command"))
    #expect(try folder.bytes("t/tokenizer.json") == bytes)
    let useless = try embed(encoder, "t", "o.npy")
    #expect(useless.status == 1)
    #expect(
      useless.errors.contains("--tokenizer is for Core ML packages, every other model has its own"))
    let misnamed = try embed("X.mlpackage", "in.jsonl", "o.npy")
    #expect(
      misnamed.errors.hasPrefix(
        "error: in.jsonl: is not called 'tokenizer.json', 'preprocessor_config.json', "
          + "'processor_config.json', 'open_clip_config.json', 'tokenizer_config.json', "
          + "'special_tokens_map.json', 'added_tokens.json', 'vocab.txt', "), "\(misnamed.errors)")
    #expect(!folder.exists("o.npy"))
  }

  /// The gate gives the package the tokenizer of the baseline.
  @Test func packageIsCheckedWithTheTokenizerOfTheBaseline() throws {
    #expect(try compress().status == 0)
    let pairs = "\(Program.repository)/specs/examples/quickstart/references/pairs.jsonl"
    let passed = try run(["check", encoder, "X.mlpackage", "--references", pairs])
    #expect(passed.status == 0, "\(passed.errors)")
    #expect(try compress(["--scheme", "palettize", "--bits", "1"]).status == 0)
    let refused = try run(["check", encoder, "X.mlpackage", "--references", pairs])
    #expect(refused.status == 3)
  }

  @Test func outputTypeIsTold() throws {
    #expect(try compress(["--output-type", "float16", "--sequence-length", "16"]).status == 0)
    let json = try run(["inspect", "X.mlpackage", "--json"]).json()
    let outputs = json["outputs"] as? [[String: Any]] ?? []
    #expect(outputs.compactMap { $0["type"] as? String } == ["fp16 [1, 128]"])
  }
}
