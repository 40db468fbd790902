import Foundation
import TestSupport
import Testing

/// A folder of transformers, where no file says how the vectors of tokens become one.
struct PoolingCommandTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.copySentenceEncoder()
    try folder.write("in.jsonl", "{\"text\": \"the green house\"}\n{\"text\": \"water\"}\n")
  }

  /// Takes away what sentence-transformers wrote.
  private func bare() throws {
    for name in ["modules.json", "1_Pooling"] {
      try FileManager.default.removeItem(atPath: folder.path("model/\(name)"))
    }
  }

  private func run(_ arguments: [String], status: Int32 = 0) throws -> Program {
    let run = try Program.run(arguments, in: folder.path)
    #expect(run.status == status, "\(run.errors)")
    return run
  }

  private func rows(_ model: String, _ flags: [String] = []) throws -> [Float] {
    _ = try run(["embed", model, "--inputs", "in.jsonl", "-o", "o.npy"] + flags)
    return try #require(Npy(try folder.bytes("o.npy"))).values
  }

  private static let missing =
    "model: 'modules.json' is missing; no file says how the vectors of tokens become the one of a "
    + "text, and a guess could be wrong unseen; if you know it, give --pooling with one of cls, max, "
    + "mean, mean_sqrt_len_tokens, weightedmean, lasttoken (sentence-transformers takes the mean of "
    + "such a folder), or write two files, here for the mean: modules.json with "
  private static let modules =
    #"[{"idx":0,"name":"0","path":"","type":"sentence_transformers.models.Transformer"},"#
    + #"{"idx":1,"name":"1","path":"1_Pooling","type":"sentence_transformers.models.Pooling"}]"#
  private static let pooling = #"{"embedding_dimension":128,"pooling_mode":"mean"}"#

  @Test(arguments: [
    ["plan", "model"], ["compress", "model", "-o", "m.st"], ["inspect", "model"],
    ["embed", "model", "--inputs", "in.jsonl", "-o", "o.npy"],
  ])
  func whatIsMissingIsSaidAndHowToWriteIt(_ command: [String]) throws {
    try bare()
    let refused = try run(command, status: 1)
    #expect(
      refused.errors.contains(
        Self.missing + Self.modules + " and 1_Pooling/config.json with " + Self.pooling),
      "\(refused.errors)")
    // The shown files fix it.
    try folder.write("model/modules.json", Self.modules)
    try folder.write("model/1_Pooling/config.json", Self.pooling)
    _ = try run(command)
  }

  @Test func aPoolingThatIsGivenIsTheOneOfTheFiles() throws {
    try bare()
    let chosen = try ["mean", "cls"].map { try rows("model", ["--pooling", $0]) }
    #expect(chosen[0] != chosen[1])
    try folder.write("model/modules.json", Self.modules)
    try folder.write("model/1_Pooling/config.json", Self.pooling)
    #expect(try rows("model") == chosen[0])
    #expect(try rows("model", ["--pooling", "mean"]) == chosen[0])
  }

  @Test func whatIsWrittenCarriesIt() throws {
    try bare()
    let own = try rows("model", ["--pooling", "max"])
    _ = try run([
      "compress", "model", "--pooling", "max", "--scheme", "none", "-o", "m.safetensors",
    ])
    #expect(try rows("m.safetensors") == own)
    #expect(try rows("m.safetensors", ["--pooling", "max"]) == own)
    let refused = try run(["inspect", "m.safetensors", "--pooling", "cls", "--json"], status: 1)
    #expect(
      refused.errors.contains(
        "the model's own files say that its pooling is max; leave out --pooling"),
      "\(refused.errors)")
    try folder.write(
      "pairs.jsonl",
      EmbedSentencesTests.words.prefix(12).map {
        "{\"a\": {\"text\": \"the \($0)\"}, \"b\": {\"text\": \"a \($0)\"}}\n"
      }.joined())
    _ = try run([
      "check", "model", "m.safetensors", "--pooling", "max", "--references", "pairs.jsonl",
    ])
    _ = try run(["plan", "model", "--pooling", "max"])
  }

  @Test func anotherPoolingThanTheModelsOwnIsRefused() throws {
    let refused = try run(
      ["embed", "model", "--inputs", "in.jsonl", "-o", "o.npy", "--pooling", "cls"], status: 1)
    #expect(
      refused.errors
        == "error: model: the model's own files say that its pooling is mean; leave out "
        + "--pooling\n")
    try folder.writeModel("dense")
    #expect(
      try run(["plan", "dense", "--pooling", "cls"], status: 1).errors
        == "error: dense: the model has no vectors of tokens to be pooled; leave out --pooling\n")
    let wrong = try run(["plan", "model", "--pooling", "middle"], status: 64)
    #expect(wrong.errors.contains("--pooling 'middle' is not one of cls, max, mean, "))
  }

  @Test func aPackageHoldsItsPooling() throws {
    try bare()
    _ = try run(["compress", "model", "--pooling", "cls", "-o", "X.mlpackage"])
    for command in [["plan", "X.mlpackage"], ["inspect", "X.mlpackage"]] {
      let refused = try run(command + ["--pooling", "cls"], status: 1)
      #expect(refused.errors.contains("a package holds the pooling that it was made with"))
    }
  }

  // MARK: Other architectures

  @Test(arguments: [
    (
      #"{"model_type": "xlnet", "architectures": ["XLNetLMHeadModel"]}"#,
      "'xlnet' (XLNetLMHeadModel)"
    ),
    (#"{"model_type": "funnel"}"#, "'funnel'"),
    (#"{"architectures": ["ResNet"]}"#, "ResNet"),
  ])
  func anotherArchitectureIsCalledWhatItCallsItself(_ config: String, _ name: String) throws {
    try folder.write("model/config.json", config)
    for command in [["plan", "model"], ["inspect", "model"]] {
      let refused = try run(command, status: 1)
      #expect(
        refused.errors.contains(
          "model/config.json: calls the model \(name), which is not read; "),
        "\(refused.errors)")
      #expect(
        refused.errors.contains(
          "specs/formats/architectures.md lists all; or make a Core ML package of this one with "
            + "coremltools"),
        "\(refused.errors)")
    }
  }
}
