import Foundation
import TestSupport
import Testing

/// What only `config.json` says of a tokenizer goes along with a package, which has no place for that
/// file.
struct PackagedTokenizerTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.copySentenceEncoder()
    // The file keeps capitals; BERT's class, which nothing but config.json names, does not.
    try folder.replace("model/tokenizer.json", "\"lowercase\": true", by: "\"lowercase\": false")
    try folder.replace(
      "model/config.json", "\"model_type\": \"bert\",",
      by: "\"model_type\": \"bert\", \"transformers_version\": \"4.57.6\",")
    for name in ["out", "again"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
    }
    try folder.write(
      "in.jsonl", "{\"text\": \"The GREEN House\"}\n{\"text\": \"the green house\"}\n")
    try folder.write(
      "pairs.jsonl",
      EmbedSentencesTests.words.prefix(12).map {
        "{\"a\": {\"text\": \"The \($0.uppercased())\"}, \"b\": {\"text\": \"a \($0)\"}}\n"
      }.joined())
  }

  private func run(_ arguments: [String]) throws -> Program {
    let run = try Program.run(arguments, in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    return run
  }

  /// Two rows: the text with capitals and without.
  private func rows(_ model: String, _ flags: [String] = []) throws -> [[Float]] {
    _ = try run(["embed", model, "--inputs", "in.jsonl", "-o", "o.npy"] + flags)
    let values = try #require(Npy(try folder.bytes("o.npy"))).values
    return stride(from: 0, to: values.count, by: 128).map { Array(values[$0..<$0 + 128]) }
  }

  private func difference(_ left: [Float], _ right: [Float]) -> Float {
    zip(left, right).map { ($0 - $1).magnitude }.max() ?? .infinity
  }

  @Test(arguments: [true, false])
  func aPackageTokenizesAsItsModel(hasFilesBeside: Bool) throws {
    let own = try rows("model")
    #expect(difference(own[0], own[1]) < 1e-6)
    let flags = hasFilesBeside ? ["--with-preparation"] : []
    _ = try run(
      [
        "compress", "model", "--scheme", "none", "-o", "out/X.mlpackage", "--references",
        "pairs.jsonl",
      ] + flags)
    let files = hasFilesBeside ? [] : ["--tokenizer", "model/tokenizer.json"]
    let packaged = try rows("out/X.mlpackage", files)
    #expect(difference(packaged[0], packaged[1]) < 1e-6)
    #expect(difference(packaged[0], own[0]) < 1e-2)
    _ = try run(["check", "model", "out/X.mlpackage", "--references", "pairs.jsonl"] + files)
    #expect(
      try run(["inspect", "out/X.mlpackage", "--json"]).output.contains("dev.ingot.tokenizer"))
  }

  /// Nothing beside a package changes its tokenizer any more.
  @Test func anotherConfigurationBesideAPackageDoesNotCount() throws {
    _ = try run(
      ["compress", "model", "--scheme", "none", "-o", "out/X.mlpackage", "--with-preparation"])
    try folder.write("out/config.json", #"{"tokenizer_class": "PreTrainedTokenizerFast"}"#)
    let packaged = try rows("out/X.mlpackage")
    #expect(difference(packaged[0], packaged[1]) < 1e-6)
  }

  private func compress(_ model: String, _ output: String, _ flags: [String] = []) throws {
    _ = try run(["compress", model, "--scheme", "none", "-o", output] + flags)
  }

  private func digest(_ name: String) throws -> String {
    String(
      try Program.run([name], program: "/usr/bin/sha256sum", in: folder.path).output.prefix(64))
  }

  private func refusal(_ arguments: [String]) throws -> String {
    let run = try Program.run(arguments, in: folder.path)
    #expect(run.status == 1)
    return run.errors
  }

  /// Two words of the vocabulary change places: every text still has tokens, and they are others.
  @Test func anotherVocabularyBesideAPackageIsRefused() throws {
    try compress("model", "out/X.mlpackage", ["--with-preparation"])
    let before = try rows("out/X.mlpackage")
    let own = try digest("out/tokenizer.json")
    try folder.swapWords("green", "house", in: "out/tokenizer.json")
    let other = try digest("out/tokenizer.json")
    let words =
      "error: out/tokenizer.json: its SHA-256 is \(other), but out/X.mlpackage was made with a file "
      + "of \(own), and would give other outputs with this one; put that file back, name its folder "
      + "with --tokenizer, or make the package again\n"
    let embedding = ["embed", "out/X.mlpackage", "--inputs", "in.jsonl", "-o", "n.npy"]
    #expect(try refusal(embedding) == words)
    #expect(
      try refusal(["check", "model", "out/X.mlpackage", "--references", "pairs.jsonl"]) == words)
    #expect(try refusal(["compress", "out/X.mlpackage", "-o", "again/Y.mlpackage"]) == words)
    #expect(try refusal(["inspect", "out/X.mlpackage"]) == words)
    #expect(try rows("out/X.mlpackage", ["--tokenizer", "model"]) == before)
  }

  /// A project's build holds the package and its tokenizer in one folder.
  @Test func anotherVocabularyInABuiltPackageIsRefused() throws {
    try folder.copyQuickstart("project")
    try folder.replace("project/ingot.yaml", "[safetensors]", by: "[mlpackage]")
    try folder.write(
      "project/customers.json",
      """
      [{"app_id": "\(TemporaryFolder.apps[0])", "bundle_identifiers": ["com.example.app"],
        "customModels": []}]
      """)
    _ = try run(["build", "project", "--output", "built", "--quiet"])
    let archive = "built/" + TemporaryFolder.archive(TemporaryFolder.apps[0], version: "1.4.0")
    let unpacked = try Program.shell(
      "mkdir u && tar --zstd -xf \"$1\" -C u", [archive], in: folder.path)
    try #require(unpacked.status == 0, "\(unpacked.errors)")
    let place = "u/models/sentence-encoder"
    _ = try rows("\(place)/model.mlpackage")
    try folder.swapWords("green", "house", in: "\(place)/tokenizer.json")
    let embedding = ["embed", "\(place)/model.mlpackage", "--inputs", "in.jsonl", "-o", "n.npy"]
    #expect(
      try refusal(embedding).contains("but \(place)/model.mlpackage was made with a file of"))
  }

  /// What transformers lays over `tokenizer.json` is gone; what was never there comes along.
  @Test func onlyTheFilesOfThePackageCount() throws {
    try folder.write("model/tokenizer_config.json", #"{"do_lower_case": true}"#)
    try compress("model", "out/X.mlpackage", ["--with-preparation"])
    let before = try rows("out/X.mlpackage")
    try folder.write("out/added_tokens.json", #"{"green": 7}"#)
    #expect(try rows("out/X.mlpackage") == before)
    let own = try digest("out/tokenizer_config.json")
    try FileManager.default.removeItem(atPath: folder.path("out/tokenizer_config.json"))
    let embedding = ["embed", "out/X.mlpackage", "--inputs", "in.jsonl", "-o", "n.npy"]
    #expect(
      try refusal(embedding)
        == "error: out/tokenizer_config.json: is missing; out/X.mlpackage was made with a file of "
        + "SHA-256 \(own); put it beside the others, or name the folder of all with --tokenizer\n")
  }

  @Test func aPackageOfAPackageKeepsIt() throws {
    _ = try run(
      ["compress", "model", "--scheme", "none", "-o", "out/X.mlpackage", "--with-preparation"])
    _ = try run(
      [
        "compress", "out/X.mlpackage", "--scheme", "int8", "-o", "again/Y.mlpackage",
        "--with-preparation",
      ])
    let packaged = try rows("again/Y.mlpackage")
    #expect(difference(packaged[0], packaged[1]) < 1e-6)
  }
}

extension TemporaryFolder {
  /// Lets two words of a vocabulary in `tokenizer.json` change their ids.
  func swapWords(_ one: String, _ other: String, in name: String) throws {
    try replace(name, "\"\(one)\":", by: "\"swapped\":")
    try replace(name, "\"\(other)\":", by: "\"\(one)\":")
    try replace(name, "\"swapped\":", by: "\"\(other)\":")
  }

  /// Copies the encoder of the quickstart to `model`.
  func copySentenceEncoder() throws {
    try FileManager.default.copyItem(
      atPath: "\(Program.repository)/specs/examples/quickstart/models/sentence-encoder",
      toPath: path("model"))
  }

  /// Replaces a text in a file.
  func replace(_ name: String, _ old: String, by new: String) throws {
    let text = String(decoding: try bytes(name), as: UTF8.self)
    try #require(text.contains(old))
    try write(name, text.replacing(old, with: new))
  }
}
