import Foundation
import TestSupport
import Testing

/// What goes before every text: chosen on the command line or in a project, and carried by what is
/// written.
struct PromptTests {
  let folder: TemporaryFolder
  private let texts = ["the river", "a house of music", ""]

  init() throws {
    folder = try TemporaryFolder()
    try folder.copyQuickstart("project")
    try FileManager.default.copyItem(
      atPath: folder.path("project/models/sentence-encoder"), toPath: folder.path("model"))
    try folder.write("model/config_sentence_transformers.json", Self.prompts)
    try folder.write("texts.jsonl", texts.map { "{\"text\": \"\($0)\"}\n" }.joined())
    try folder.write("asked.jsonl", texts.map { "{\"text\": \"query: \($0)\"}\n" }.joined())
  }

  private static let prompts = """
    {"prompts": {"query": "query: ", "document": "passage: "}, "default_prompt_name": null}
    """

  private func run(_ arguments: [String]) throws -> Program {
    try Program.run(arguments, in: folder.path)
  }

  private func rows(
    _ model: String, _ inputs: String = "texts.jsonl", _ flags: [String] = []
  ) throws -> [Float] {
    let made = try run(
      ["embed", model, "--inputs", inputs, "--output", "o.npy", "--quiet"] + flags)
    try #require(made.status == 0, "\(made.errors)")
    return try #require(Npy(try folder.bytes("o.npy"))).values
  }

  private func compress(_ output: String, _ flags: [String]) throws {
    let made = try run(
      ["compress", "model", "--scheme", "none", "--output", output, "--quiet"] + flags)
    try #require(made.status == 0, "\(made.errors)")
  }

  /// Largest difference of two outputs.
  private func difference(_ left: [Float], _ right: [Float]) -> Float {
    left.count == right.count
      ? zip(left, right).map { ($0 - $1).magnitude }.max() ?? .infinity : .infinity
  }

  @Test func aChosenPromptGoesBeforeEveryText() throws {
    let asked = try rows("model", "asked.jsonl")
    #expect(try rows("model", "texts.jsonl", ["--prompt", "query"]) == asked)
    #expect(try rows("model", "texts.jsonl", ["--prompt-text", "query: "]) == asked)
    #expect(difference(try rows("model"), asked) > 0.01)
  }

  @Test func aCompressedModelCarriesIt() throws {
    try compress("small.safetensors", ["--prompt", "query"])
    #expect(try rows("small.safetensors") == (try rows("model", "asked.jsonl")))
    let other = try rows("small.safetensors", "texts.jsonl", ["--prompt-text", ""])
    #expect(other == (try rows("model")))
    let json = try run(["inspect", "small.safetensors", "--json"]).json()
    let prompts = try #require(json["prompts"] as? [String: Any])
    #expect(prompts["default"] as? String == "query")
    #expect(prompts["text"] as? String == "query: ")
    #expect((prompts["all"] as? [String: String])?["document"] == "passage: ")
  }

  @Test func aPackageHoldsIt() throws {
    try compress("X.mlpackage", ["--prompt-text", "query: ", "--with-preparation"])
    let asked = try rows("model", "asked.jsonl")
    #expect(difference(try rows("X.mlpackage"), asked) < 0.01)
    let metadata = try run(["inspect", "X.mlpackage", "--json"]).json()["metadata"]
    #expect((metadata as? [String: String])?["dev.ingot.prompt"] == "query: ")
    #expect(try run(["inspect", "X.mlpackage"]).output.contains("dev.ingot.prompt: \"query: \"\n"))
    let page = try String(contentsOfFile: folder.path("USAGE.md"), encoding: .utf8)
    #expect(page.contains(#"with the prompt "query: ": the tokenizer gets `"query: " + text`"#))
    #expect(page.contains(#"package that is made with it: `document` (`"passage: "`)."#))
    let refused = try run([
      "embed", "X.mlpackage", "--inputs", "texts.jsonl", "-o", "p.npy", "--prompt", "query",
    ])
    #expect(refused.status == 1)
    #expect(
      refused.errors
        == "error: X.mlpackage: a package holds the prompt that it was made with; leave the prompt out\n"
    )
  }

  @Test func aCheckAcrossPromptsSaysSo() throws {
    try compress("X.mlpackage", ["--prompt", "query"])
    let pairs = "project/references/pairs.jsonl"
    let across = try run(["check", "model", "X.mlpackage", "--references", pairs])
    #expect(across.status == 3)
    #expect(
      across.errors.contains(
        #"warning: the baseline puts "" before every text, the candidate "query: ": vectors of "#))
    let alike = try run(
      ["check", "model", "X.mlpackage", "--references", pairs, "--prompt", "query"])
    #expect(alike.status == 0, "\(alike.errors)")
    #expect(!alike.errors.contains("before every text"))
  }

  /// Nothing of a text would be left to pool: every vector would be of zeros.
  @Test(arguments: [
    ["plan", "model", "-o", "X.mlpackage"], ["compress", "model", "-o", "X.mlpackage"],
  ])
  func aLengthThatAPromptLeftOutFillsIsAnError(_ command: [String]) throws {
    try folder.write(
      "model/1_Pooling/config.json",
      #"{"word_embedding_dimension": 128, "pooling_mode": "mean", "include_prompt": false}"#)
    let refused = try run(command + ["--lengths", "6", "--prompt", "query"])
    #expect(refused.status == 1)
    #expect(
      refused.errors
        == #"error: model: sequence length: 6 leaves no room for texts: the prompt "query: " takes "#
        + "6 tokens with what the tokenizer puts before it, and the pooling leaves them out; give "
        + "at least 8, or another prompt\n")
    #expect(!folder.exists("X.mlpackage"))
    #expect(try run(command + ["--lengths", "8", "--prompt", "query"]).status == 0)
    #expect(try run(command + ["--lengths", "6"]).status == 0)
  }

  @Test func aNameThatIsNoneIsAnError() throws {
    let refused = try run(["inspect", "model", "--prompt", "quer"])
    #expect(refused.status == 1)
    #expect(
      refused.errors.hasPrefix(
        #"error: model: has no prompt 'quer'; it has 'document', 'query'"#)
        || refused.errors.hasPrefix(
          #"error: model: has no prompt 'quer'; it has 'query', 'document'"#)
    )
  }
}
