import Foundation
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
