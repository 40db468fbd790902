import Foundation
import TestSupport
import Testing

/// The gate on Core ML files of trees whose layout is not the model's own.
@Suite(.enabled(if: Oracle.isAvailable, "no Python for the oracles: run scripts/test"))
struct RelaidTreesCommandTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    #expect(try Program.run(["init", ".", "--template", "tabular"], in: folder.path).status == 0)
    let made = try Program.run(
      ["compress", "models/engagement", "--output", "sync.mlmodel"] + references, in: folder.path)
    #expect(made.status == 0, "\(made.errors)")
  }

  private let references = ["--references", "references/engagement.jsonl"]

  private func check(_ mode: String) throws -> Program {
    _ = try Oracle.run(
      "relay_trees.py", [mode, folder.path("sync.mlmodel"), folder.path("\(mode).mlmodel")])
    return try Program.run(
      ["check", "models/engagement", "\(mode).mlmodel", "--json"] + references, in: folder.path)
  }

  @Test func anotherLayoutIsCompared() throws {
    let found = try check("turned")
    #expect(found.status == 0, "\(found.output)")
    #expect(!found.output.contains("other-names"), "\(found.output)")
    #expect(found.output.contains("\"verdict\": \"passed\""))
  }

  @Test(arguments: [
    ("missing", "another way than the baseline's"), ("threshold", "decides otherwise"),
    ("fewer", "trees, the baseline has"), ("leaf", "'trees.leaves'"),
  ])
  func spoiltTreesAreRefused(_ mode: String, _ words: String) throws {
    let found = try check(mode)
    #expect(found.status == 3, "\(found.output) \(found.errors)")
    #expect(found.output.contains(words), "\(found.output)")
    #expect(found.output.contains(mode == "leaf" ? "\"refused\"" : "\"other-trees\""))
  }
}
