import Foundation
import TestSupport
import Testing

/// `keepTokens` of a project: the trained tokenizer lies in the output, once for all customers.
struct KeepTokensBuildTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.copyQuickstart("project")
    let apps = TemporaryFolder.apps.prefix(2).map {
      #"{"app_id": "\#($0)", "bundle_identifiers": ["com.example.app"], "customModels": []}"#
    }
    try folder.write("project/customers.json", "[\(apps.joined(separator: ", "))]")
    let pairs = try String(
      contentsOfFile: folder.path("project/references/pairs.jsonl"), encoding: .utf8)
    let texts = pairs.matches(of: /"text": "([^"]*)"/).map { String($0.1) }
    try #require(texts.count == 204)
    try folder.write("project/corpus.txt", texts.joined(separator: "\n") + "\n")
    try folder.write("other.txt", "\(texts[0])\nzebra quartz unfamiliar\n")
  }

  private func run(_ arguments: [String]) throws -> Program {
    try Program.run(arguments, in: folder.path)
  }

  private func build(_ output: String, _ format: String) throws {
    try folder.write(
      "project/ingot.yaml",
      """
      ingot: 1
      models:
        encoder:
          source: models/sentence-encoder
          compress: {scheme: int8, keepTokens: corpus.txt}
          gate: {references: references/pairs.jsonl}
          formats: [\(format)]
      customers: customers.json
      release: {version: 1.0.0, sdk: ">=1.0.0 <2.0.0"}

      """)
    let built = try run(
      ["build", "project", "--output", output, "--quiet", "--store", folder.path("store")])
    try #require(built.status == 0, "\(built.errors)")
  }

  private func tokenizers(_ output: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("\(output)/all-tokens"))
  }

  /// The store keeps what was made, and a replay knows what was left out.
  @Test func aStoredModelMakesTheSamePackageAndIsReplayed() throws {
    try build("out", "safetensors")
    try build("again", "safetensors")
    let archive = TemporaryFolder.archive(TemporaryFolder.apps[0])
    #expect(try folder.bytes("out/\(archive)") == folder.bytes("again/\(archive)"))
    let run = try run(["verify", "again/\(archive)", "--replay", "project", "--quiet"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("model 'encoder': proven again"))
  }

  @Test(arguments: ["safetensors", "mlpackage"])
  func embedFindsTextsThatNeedDroppedTokensOfAPackage(_ format: String) throws {
    try build("out", format)
    let name = try #require(try tokenizers("out").first)
    #expect(try tokenizers("out").count == 1)
    let archive = "out/\(TemporaryFolder.archive(TemporaryFolder.apps[0]))"
    let unpacked = try Program.shell(
      "mkdir u && tar --zstd -xf \"$1\" -C u && find u -name '*all-tokens*'", [archive],
      in: folder.path)
    #expect(unpacked.status == 0 && unpacked.output.isEmpty)
    let model = "u/models/encoder/model.\(format)"
    let embed = ["embed", model, "--inputs", "other.txt", "-o", "o.npy"]
    #expect(
      try run(embed).errors.contains(
        "is not there: texts that need dropped tokens are not found; for a model of a package give "
          + "--all-tokens OUTPUT/all-tokens"))
    let found = try run(embed + ["--all-tokens", "out/all-tokens"])
    #expect(found.status == 0)
    #expect(
      found.errors.contains("warning: other.txt:2: 1 text needs tokens that were dropped, of 2"),
      "\(found.errors)")
    #expect(try run(["verify", "out"]).status == 0)
    // From the store: the same bytes.
    try build("again", format)
    #expect(
      try folder.bytes("again/all-tokens/\(name)") == folder.bytes("out/all-tokens/\(name)"))
  }
}
