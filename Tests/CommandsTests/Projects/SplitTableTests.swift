import Foundation
import TestSupport
import Testing

/// Recipes that store a table of tokens in two parts.
struct SplitTableTests {
  private static let model =
    "\(Program.repository)/specs/examples/quickstart/models/sentence-encoder"
  private static let table = "embeddings.word_embeddings.weight"
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func recipe(_ rules: String) throws {
    try folder.write("ours.yaml", "ingot-recipe: 1\nrules:\n\(rules)\notherwise: keep\n")
  }

  private func tensors(_ run: Program) throws -> [[String: Any]] {
    #expect(run.status == 0, "\(run.errors)")
    return try #require(try run.json()["tensors"] as? [[String: Any]])
  }

  /// One tensor in every listing of weights, and two sets of numbers in the file.
  @Test func isOneWeightThatIsStoredInTwoWays() throws {
    try recipe(
      """
        - match: {role: token-table}
          use:
            scheme: split
            rows: 400
            first: {scheme: palettize, bits: 6, granularity: per-group, groupSize: 8}
            rest: {scheme: palettize, bits: 3, granularity: per-group}
      """)
    let arguments = [Self.model, "--recipe", "ours.yaml", "--json"]
    let planned = try tensors(Program.run(["plan"] + arguments, in: folder.path))
    let made = try tensors(
      Program.run(["compress"] + arguments + ["-o", "s.safetensors"], in: folder.path))
    for list in [planned, made] {
      let found = list.filter { ($0["name"] as? String)?.hasPrefix(Self.table) == true }
      #expect(found.map { $0["name"] as? String } == [Self.table])
      #expect(
        found.map { $0["scheme"] as? String } == [
          "400 rows in palette 6 bits in groups of 8, others in palette 3 bits in groups of 16"
        ])
      // Indices and entries of the first part, then those of the other.
      #expect(
        found.map { $0["bytes"] as? Int } == [
          400 * 128 * 6 / 8 + 50 * 64 * 4 + 2800 * 128 * 3 / 8 + 175 * 8 * 4
        ])
    }
    let stored = try tensors(
      Program.run(["inspect", "s.safetensors", "--json"], in: folder.path)
    ).compactMap { $0["name"] as? String }.filter { $0.hasPrefix(Self.table) }
    #expect(
      Set(stored)
        == Set(
          ["first:indices", "first:palette", "rest:indices", "rest:palette"].map {
            "\(Self.table):\($0)"
          }))
  }

  private static let halves = "first: {scheme: int8}, rest: {scheme: int8}"

  @Test func whatCannotBeSplitIsRefused() throws {
    try recipe(
      """
        - match: {role: token-table}
          use: {scheme: split, rows: 3200, \(Self.halves)}
        - match: {name: "*.0.attention.self.query.weight"}
          use: {scheme: split, rows: 8, \(Self.halves)}
      """)
    for command in [["plan"], ["compress", "-o", "s.safetensors"]] {
      let run = try Program.run(
        command + [Self.model, "--recipe", "ours.yaml"], in: folder.path)
      #expect(run.status == 1)
      #expect(
        run.errors.contains(
          "tensor '\(Self.table)': has 3200 rows, and is split after 3200; "
            + "use 1 to 3199 rows (rule 1 has no fallback that fits)\n"))
      #expect(
        run.errors.contains(
          "tensor 'encoder.layer.0.attention.self.query.weight': is not a table of tokens; only "
            + "those are split; use one scheme for all its rows (rule 2 has no fallback that fits)\n"
        ))
    }
    #expect(try folder.names() == ["ours.yaml"])
  }

  /// The fault in a word, with its figures.
  @Test func aFallbackSaysWhy() throws {
    try recipe(
      """
        - match: {role: token-table}
          use: {scheme: split, rows: 8, first: {scheme: int8},
            rest: {scheme: palettize, bits: 4, granularity: per-group, groupSize: 9}}
          fallback: [{scheme: split, rows: 3200, \(Self.halves)}, {scheme: int8}]
      """)
    let planned = try tensors(
      Program.run(["plan", Self.model, "--recipe", "ours.yaml", "--json"], in: folder.path))
    let table = try #require(planned.first { $0["name"] as? String == Self.table })
    let fallback = try #require(table["fallback"] as? [String: Any])
    let passed = try #require(fallback["passed"] as? [[String: Any]])
    #expect(passed.map { $0["fault"] as? String } == ["groups", "split"])
    #expect(
      passed[0]["why"] as? String
        == "rows from 8 on: 3192 channels are no multiple of the group size 9")
    #expect(passed[0]["firstRow"] as? Int == 8 && passed[0]["groupSize"] as? Int == 9)
    #expect(passed[1]["rows"] as? Int == 3200 && passed[1]["of"] as? Int == 3200)
    #expect(table["scheme"] as? String == "int8 per channel")
  }
}
