import Foundation
import TestSupport
import Testing

/// `--recipe`: every fault before anything is written.
struct RecipeTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeModel()
  }

  private func compress(_ recipe: String, _ flags: [String] = []) throws -> Program {
    try Program.run(
      ["compress", "model", "-o", "s.st", "--recipe", recipe] + flags, in: folder.path)
  }

  static let wrongFlags: [(flags: [String], words: String)] = [
    (["--recipe", "smal"], "--recipe: no recipe is called 'smal'; did you mean 'small'?"),
    (
      ["--recipe", "ours"],
      "--recipe: no recipe is called 'ours'; built-in recipes: int8, balanced, small, tiny; a file "
        + "is named with its folder or its ending, such as './ours'"
    ),
    (
      ["--recipe", "small", "--scheme", "int8"],
      "--recipe and --scheme exclude each other: a recipe's rules say how each weight is stored"
    ),
    (
      ["--recipe", "small", "--entries", "int8", "--bits", "4"],
      "--recipe and --bits exclude each other: a recipe's rules say how each weight is stored"
    ),
    (
      ["--scheme", "int4", "--mode", "around"],
      "unknown mode 'around'; choose symmetric or asymmetric"
    ),
    (["--width", "2"], "int8 takes no width; for a width use palettize"),
    (
      ["--scheme", "split"],
      "split is for recipes and projects, which give it 'rows', and schemes as 'first' and 'rest'"
    ),
    (
      ["--scheme", "palettize", "--bits", "4", "--range", "largest"],
      "palettize takes no range; for a range use int8, uint8, int4 or uint4"
    ),
  ]

  @Test(arguments: wrongFlags.indices)
  func wrongFlagsAreStatus64(_ index: Int) throws {
    let (flags, words) = Self.wrongFlags[index]
    for command in [["compress", "model", "-o", "s.st"], ["plan", "model"]] {
      let run = try Program.run(command + flags, in: folder.path)
      #expect(run.status == 64)
      #expect(run.output.isEmpty)
      #expect(run.errors.hasPrefix("Error: \(words)\n"), "\(run.errors)")
    }
    #expect(try folder.names() == ["model"])
  }

  @Test func faultsOfTheFileAreSaidAllAtOnce() throws {
    try folder.write(
      "ours.yaml",
      """
      ingot-recipe: 1
      rules:
        - match: {role: kernel}
          use: {scheme: int3}
        - use: keep
      """)
    for arguments in [["compress", "model", "-o", "s.st"], ["plan", "model"]] {
      let run = try Program.run(arguments + ["--recipe", "ours.yaml"], in: folder.path)
      #expect(run.status == 1)
      #expect(run.output.isEmpty)
      #expect(
        run.errors == """
          error: ours.yaml: 3 faults in the recipe
            ours.yaml:3:19: no role is called 'kernel' (known here: matrix, token-table, \
          position-table, bias, norm, statistic, threshold, number)
            ours.yaml:4:19: unknown scheme 'int3'; choose int8, uint8, int4, uint4, float16, \
          palettize, unique or none
            ours.yaml:5:5: the key 'match' is missing (say which weights: 'match: {role: matrix}'; \
          'match: {}' is every one)

          """)
    }
    #expect(try folder.names() == ["model", "ours.yaml"])
  }

  @Test func aFileThatIsNotThereIsStatus1() throws {
    try folder.write("recipes/ours.yaml", "ingot-recipe: 1\n")
    let run = try compress("recipes/our.yaml")
    #expect(run.status == 1)
    #expect(
      run.errors == """
        error: recipes/our.yaml: 1 fault in the recipe
          recipes/our.yaml:1:1: the recipe 'recipes/our.yaml' is not there (did you mean \
        'ours.yaml'?)

        """)
    #expect(!folder.exists("s.st"))
  }

  /// Beside names, groups and rules, what would otherwise be found only when values are read.
  @Test func whatDoesNotFitTheModelIsSaidAllAtOnce() throws {
    try folder.writePairs()
    try folder.write(
      "ours.yaml",
      """
      ingot-recipe: 1
      name: ours
      rules:
        - match: {name: "*.kernel"}
          use: {scheme: int8}
        - match: {name: "b*"}
          use: {scheme: int8}
        - match: {name: w0}
          use: {scheme: palettize, bits: 2, granularity: per-group, groupSize: 4}
      """)
    let faults = """
      error: model: the recipe 'ours' does not fit it, 4 faults
        rule 1 (name '*.kernel'): matches no weight of the model
        rule 2 (name 'b*'): matches only weights that always stay uncompressed, such as 'b0', role bias
        tensor 'w0': 6 channels are no multiple of the group size 4; use a group size of 3, or \
      per-tensor (rule 3 has no fallback that fits)
        tensor 'w1': no rule matches it (role matrix, shape [5, 6])
      hint: a rule may have a 'fallback', a rule that need not match 'optional: true', and what no \
      rule matches stays uncompressed with 'otherwise: keep'

      """
    let run = try compress("ours.yaml", ["--references", "pairs.jsonl"])
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors == faults)
    #expect(try folder.names() == ["model", "ours.yaml", "pairs.jsonl"])
    let plan = try Program.run(["plan", "model", "--recipe", "ours.yaml"], in: folder.path)
    #expect(plan.status == 1)
    #expect(plan.errors == faults)
  }

  @Test func aRecipeDecidesOnEachWeight() throws {
    try folder.write(
      "ours.yaml",
      """
      ingot-recipe: 1
      rules:
        - match: {shape: ["*", 4]}
          use: {scheme: palettize, bits: 2, granularity: per-group, groupSize: 4}
          fallback: [{scheme: palettize, bits: 2, granularity: per-group, groupSize: 3}]
      otherwise: keep
      """)
    let run = try compress("ours.yaml", ["--json"])
    #expect(run.status == 0)
    let tensors = try #require(try run.json()["tensors"] as? [[String: Any]])
    #expect(
      tensors.map { $0["scheme"] as? String } == ["palette 2 bits in groups of 3", "kept", "kept"])
    let plan = try Program.run(
      ["plan", "model", "--recipe", "ours.yaml", "--json"], in: folder.path)
    let planned = try #require(try plan.json()["tensors"] as? [[String: Any]])
    #expect(planned.map { $0["bytes"] as? Int } == tensors.map { $0["bytes"] as? Int })
    try expectMatch(planned)
  }

  /// The rule and the fallback as values, beside the sentence.
  private func expectMatch(_ planned: [[String: Any]]) throws {
    let first = try #require(planned.first)
    let why = "6 channels are no multiple of the group size 4"
    #expect(first["rule"] as? String == "rule 1, fallback 1: \(why)")
    let match = try #require(first["match"] as? [String: Any])
    #expect(match["index"] as? Int == 1)
    #expect((match["conditions"] as? [String: [String]]) == ["shape": ["*", "4"]])
    let fallback = try #require(first["fallback"] as? [String: Any])
    #expect(fallback["index"] as? Int == 1 && fallback["why"] as? String == why)
    #expect(fallback["from"] as? String == "palette 2 bits in groups of 4")
    #expect(fallback["to"] as? String == "palette 2 bits in groups of 3")
    let passed = try #require((fallback["passed"] as? [[String: Any]])?.first)
    #expect(passed["fault"] as? String == "groups")
    #expect(passed["groupSize"] as? Int == 4 && passed["channels"] as? Int == 6)
    for other in planned.dropFirst() {
      #expect(other["match"] is NSNull && other["fallback"] is NSNull && other["rule"] is NSNull)
    }
  }

  @Test(arguments: ["int8", "balanced", "small", "tiny"])
  func builtInRecipesSuitEveryModel(_ name: String) throws {
    #expect(try compress(name).status == 0)
    #expect(folder.exists("s.st"))
    #expect(try Program.run(["compress", "--help"]).output.contains("\(name):"))
  }

  @Test func bytesDependOnTheRulesAndNotOnTheFile() throws {
    let rules = "ingot-recipe: 1\nrules: [{match: {}, use: {scheme: int8}}]\n"
    try folder.write("a.yaml", rules)
    try folder.write("elsewhere/b.yaml", "# The same.\n" + rules)
    #expect(try compress("a.yaml").status == 0)
    let first = try folder.bytes("s.st")
    #expect(try compress("elsewhere/b.yaml").status == 0)
    #expect(try folder.bytes("s.st") == first)
  }
}
