import Foundation
import TestSupport
import Testing

/// Prompts that a project chooses: one model for queries and one for documents, of one source.
struct PromptProjectTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.copyQuickstart("project")
    try folder.write(
      "project/models/sentence-encoder/config_sentence_transformers.json",
      #"{"prompts": {"query": "query: "}, "default_prompt_name": "query"}"#)
    try folder.write(
      "project/customers.json",
      """
      [{"app_id": "\(TemporaryFolder.apps[0])", "bundle_identifiers": ["com.example.app"],
        "customModels": []}]
      """)
    try write(documents: #"{text: "passage: "}"#)
  }

  private func write(documents: String) throws {
    try folder.write(
      "project/ingot.yaml",
      """
      ingot: 1
      models:
        queries:
          source: models/sentence-encoder
          compress: {scheme: int8}
          gate: {references: references/pairs.jsonl}
        documents:
          source: models/sentence-encoder
          prompt: \(documents)
          compress: {scheme: int8}
          gate: {references: references/pairs.jsonl}
          formats: [mlpackage]
        plain:
          source: models/sentence-encoder
          prompt: {text: ""}
          compress: {scheme: int8}
          gate: {references: references/pairs.jsonl}
      customers: customers.json
      release: {version: 1.0.0, sdk: ">=1.0.0 <2.0.0"}

      """)
  }

  private func run(_ arguments: [String]) throws -> Program {
    try Program.run(arguments, in: folder.path)
  }

  private var archive: String { "out/\(TemporaryFolder.archive(TemporaryFolder.apps[0]))" }

  private func build() throws {
    let built = try run(["build", "project", "--output", "out", "--quiet"])
    try #require(built.status == 0, "\(built.errors)")
  }

  /// The prompts of the package's models by their names.
  private func manifestPrompts() throws -> [String: String] {
    let text = try Program.shell("tar --zstd -xOf \"$1\" manifest.json", [archive], in: folder.path)
    let object = try JSONSerialization.jsonObject(with: Data(text.output.utf8))
    let models = try #require((object as? [String: Any])?["models"] as? [[String: Any]])
    return Dictionary(
      models.map { ($0["name"] as? String ?? "", $0["prompt"] as? String ?? "none") }
    ) { first, _ in first }
  }

  @Test func eachModelCarriesItsOwn() throws {
    try build()
    #expect(
      try manifestPrompts()
        == ["queries": "query: ", "documents": "passage: ", "plain": "none"])
    let unpacked = try Program.shell(
      "mkdir u && tar --zstd -xf \"$1\" -C u && \"$0\" inspect u/models/documents/*.mlpackage --json",
      [archive], in: folder.path)
    let metadata = try #require(try unpacked.json()["metadata"] as? [String: String])
    #expect(metadata["dev.ingot.prompt"] == "passage: ")
  }

  @Test func aReplayTakesTheProjectsPrompts() throws {
    try build()
    let again = try run(["verify", archive, "--replay", "project", "--quiet"])
    #expect(again.status == 0, "\(again.errors)")
    try write(documents: #"{text: "passage:"}"#)
    let changed = try run(["verify", archive, "--replay", "project", "--quiet"])
    #expect(changed.status == 4)
    #expect(changed.output.contains("model 'documents': differs from its receipt\n"))
    #expect(changed.output.contains("model 'plain': proven again, passed standard\n"))
    #expect(changed.errors.contains("config_sentence_transformers.json': recorded "))
  }

  @Test(arguments: [
    (
      "quer",
      "9:13: model 'documents': project/models/sentence-encoder: has no prompt 'quer'; it has 'query'"
    ),
    ("[query]", "9:13: 'prompt' is a list, expected a name"),
    ("\"\"", "9:13: 'prompt' is ''"),
    ("{name: query}", "9:13: 'prompt' has no 'text'"),
  ])
  func aPromptThatIsNoneIsAFault(_ written: String, _ message: String) throws {
    try write(documents: written)
    let found = try run(["validate", "project"])
    #expect(found.status == 1)
    #expect(found.errors.contains(message), "\(found.errors)")
  }
}
