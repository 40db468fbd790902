import Foundation
import StrictJSON
import Testing

@testable import Release

/// The JSON Schemas of the project file, of recipes and of the customer list, as `jsonschema` understands them,
/// against our own readers.
@Suite(
  .enabled(if: Oracle.isAvailable, "needs the oracle environment; run scripts/test"))
struct SchemaInteropTests {
  struct Case: Sendable {
    enum Verdict: Sendable {
      /// Both take it.
      case sound
      /// Both refuse it.
      case faulty
      /// The reader alone refuses it; why no schema can.
      case beyondSchemas(String)
    }

    let name: String
    let verdict: Verdict
    let text: String

    init(_ name: String, _ verdict: Verdict, _ text: String) {
      self.name = name
      self.verdict = verdict
      self.text = text
    }

    /// The sound project with some text replaced.
    init(_ name: String, _ verdict: Verdict, _ old: String, _ new: String) {
      precondition(SchemaInteropTests.project.contains(old), "\(old) stands in the project")
      self.init(
        name, verdict, SchemaInteropTests.project.replacingOccurrences(of: old, with: new))
    }
  }

  static let project = """
    ingot: 1
    models:
      encoder:
        source: models/encoder
        compress: {scheme: palettize, bits: 4, granularity: per-group, groupSize: 16}
        gate: {references: pairs.jsonl, limits: {profile: strict, cosineMin: 0.999}}
        formats: [mlpackage]
        description: Sentences to vectors
        coreml: {minimumDeploymentTarget: iOS18, sequenceLength: [32, 64], outputType: float16}
    customModels:
      source: flows/{flowName}/v{modelVersion}
      compress: {scheme: int8}
      gate:
        references: flows/{flowName}/references.jsonl
        limits: lenient
        threshold: 0.5
    customers: customers.json
    release: {version: 1.4.0, sdk: ">=3.2.0 <5.0.0", archive: zip, sign: keys/release, author: A}

    """

  static let projects = [
    Case("sound", .sound, project),
    Case(
      "as JSON", .sound,
      """
      {"ingot": 1, "models": {"a": {"source": "m", "compress": {"scheme": "none"},
        "gate": {"references": "r"}}}, "customers": "c", "release": {"version": "1.0.0-rc.1+x",
        "sdk": ">=1.0.0"}}
      """),
    Case(
      "no limits of its own", .sound, "limits: {profile: strict, cosineMin: 0.999}", "limits: {}"),
    Case("a limit with an exponent", .sound, "cosineMin: 0.999", "similarityDriftMean: 1e-3"),
    Case(
      "weakened", .sound, "profile: strict, cosineMin: 0.999",
      "profile: strict, cosineMin: 0.5, weakened: true"),
    Case(
      "few references", .sound, "{references: pairs.jsonl,",
      "{references: pairs.jsonl, fewReferences: true,"),
    Case(
      "few references in words", .faulty, "{references: pairs.jsonl,",
      "{references: pairs.jsonl, fewReferences: please,"),
    Case("a number as a path", .sound, "source: models/encoder", "source: 2026"),
    Case("a word of YAML 1.1", .sound, "author: A", "author: yes"),
    Case("an empty text", .sound, "author: A", "author: \"\""),
    Case("one length", .sound, "sequenceLength: [32, 64]", "sequenceLength: 32"),
    Case(
      "bits of int8", .sound, "{scheme: int8}", "{scheme: int8, bits: 8, granularity: per-tensor}"),
    Case("spaces in a range", .sound, ">=3.2.0 <5.0.0", ">=3.2.0   <5.0.0"),
    Case("an open range", .sound, ">=3.2.0 <5.0.0", ">=3.2.0"),

    Case("one encoder", .sound, "{scheme: int8}", "{scheme: int8}\n  encoder: text"),
    Case(
      "a recipe for each encoder", .sound, "{scheme: int8}",
      "{image: {scheme: int8}, text: {scheme: palettize, bits: 4}}"),
    Case(
      "the recipe of one encoder", .sound, "{scheme: int8}",
      "{image: {scheme: int8}}\n  encoder: image"),

    Case("unknown encoder", .faulty, "{scheme: int8}", "{scheme: int8}\n  encoder: sound"),
    Case("two encoders in a list", .faulty, "{scheme: int8}", "{scheme: int8}\n  encoder: [text]"),
    Case("one of two recipes", .faulty, "{scheme: int8}", "{image: {scheme: int8}}"),
    Case(
      "the recipe of the other encoder", .faulty, "{scheme: int8}",
      "{image: {scheme: int8}}\n  encoder: text"),
    Case(
      "a recipe too many", .faulty, "{scheme: int8}",
      "{image: {scheme: int8}, text: {scheme: int8}}\n  encoder: text"),
    Case(
      "a recipe beside recipes", .faulty, "{scheme: int8}",
      "{scheme: int8, image: {scheme: int8}, text: {scheme: int8}}"),
    Case("an encoder's recipe empty", .faulty, "{scheme: int8}", "{image: {}, text: {}}"),
    Case(
      "an encoder's recipe, faulty", .faulty, "{scheme: int8}",
      "{image: {scheme: int8}, text: {scheme: palettize}}"),
    Case("not a group", .faulty, "- 1\n"),
    Case("no contract", .faulty, "ingot: 1\n", ""),
    Case("another contract", .faulty, "ingot: 1", "ingot: 2"),
    Case("contract in quotes", .faulty, "ingot: 1", "ingot: \"1\""),
    Case("unknown key", .faulty, "customers:", "telemetry: on\ncustomers:"),
    Case("unknown key of a recipe", .faulty, "description:", "describe:"),
    Case("unknown key of compress", .faulty, "bits: 4", "bit: 4, bits: 4"),
    Case("unknown key of a gate", .faulty, "threshold: 0.5", "treshold: 0.5"),
    Case("unknown limit", .faulty, "cosineMin: 0.999", "cosineMax: 0.999"),
    Case("unknown key of coreml", .faulty, "outputType:", "output:"),
    Case("unknown key of release", .faulty, "archive: zip", "archives: zip"),
    Case("no customers", .faulty, "customers: customers.json\n", ""),
    Case("customers as a list", .faulty, "customers: customers.json", "customers: [a]"),
    Case("customers empty", .faulty, "customers: customers.json", "customers:"),
    Case("customers as an empty text", .faulty, "customers: customers.json", "customers: \"\""),
    Case("no source", .faulty, "    source: models/encoder\n", ""),
    Case("no scheme", .faulty, "{scheme: int8}", "{}"),
    Case("unknown scheme", .faulty, "{scheme: int8}", "{scheme: int3}"),
    Case("four bits", .sound, "{scheme: int8}", "{scheme: int4}"),
    Case("four bits in blocks", .sound, "{scheme: int8}", "{scheme: int4, groupSize: 64}"),
    Case(
      "everything about integers", .sound, "{scheme: int8}",
      "{scheme: uint4, bits: 4, mode: asymmetric, granularity: per-block, groupSize: 16, "
        + "range: largest}"),
    Case(
      "everything about palettes", .sound, "{scheme: int8}",
      "{scheme: palettize, bits: 2, granularity: per-group, groupSize: 8, width: 4, entries: int8}"),
    Case("unique values", .sound, "{scheme: int8}", "{scheme: unique}"),
    Case("bits of int4, wrong", .faulty, "{scheme: int8}", "{scheme: int4, bits: 8}"),
    Case("bits of unique values", .faulty, "{scheme: int8}", "{scheme: unique, bits: 8}"),
    Case("a width of integers", .faulty, "{scheme: int8}", "{scheme: int8, width: 2}"),
    Case("a width of 3", .faulty, "bits: 4", "bits: 4, width: 3"),
    Case("a mode of palettes", .faulty, "bits: 4", "bits: 4, mode: symmetric"),
    Case("an unknown mode", .faulty, "{scheme: int8}", "{scheme: int8, mode: around}"),
    Case("an unknown range", .faulty, "{scheme: int8}", "{scheme: int8, range: max}"),
    Case("unknown entries", .faulty, "bits: 4", "bits: 4, entries: int4"),
    Case("a block size of channels", .faulty, "{scheme: int8}", "{scheme: int8, groupSize: 32}"),
    Case(
      "vectors that do not fill a group", .beyondSchemas("two numbers are compared"),
      "groupSize: 16", "groupSize: 6, width: 4"),
    Case("a built-in recipe", .sound, "{scheme: int8}", "{recipe: balanced}"),
    Case("inputs", .sound, "{scheme: int8}", "{recipe: tiny, calibration: \"{flowName}.jsonl\"}"),
    Case(
      "inputs of both encoders", .sound, "{scheme: int8}",
      "{image: {recipe: small}, text: {scheme: int8}, calibration: inputs.jsonl}"),
    Case(
      "inputs of one encoder", .faulty, "{scheme: int8}",
      "{image: {recipe: small, calibration: a}, text: {scheme: int8}}"),
    Case("inputs alone", .faulty, "{scheme: int8}", "{calibration: inputs.jsonl}"),
    Case("empty inputs", .faulty, "{scheme: int8}", "{scheme: int8, calibration: }"),
    Case("an unknown recipe", .faulty, "{scheme: int8}", "{recipe: smal}"),
    Case("a recipe beside a scheme", .faulty, "{scheme: int8}", "{recipe: small, scheme: int8}"),
    Case("a recipe beside bits", .faulty, "{scheme: int8}", "{recipe: small, bits: 8}"),
    Case("a recipe of a placeholder", .faulty, "{scheme: int8}", "{recipe: \"{flowName}.yaml\"}"),
    Case("rules in a project", .faulty, "{scheme: int8}", "{rules: [{match: {}, use: keep}]}"),
    Case(
      "a recipe's file that is not there", .beyondSchemas("files are looked for"), "{scheme: int8}",
      "{recipe: recipes/ours.yaml}"),
    Case("bits of int8, wrong", .faulty, "{scheme: int8}", "{scheme: int8, bits: 4}"),
    Case("bits of a palette, wrong", .faulty, "bits: 4", "bits: 5"),
    Case("a palette without bits", .faulty, "bits: 4, ", ""),
    Case("bits of none", .faulty, "{scheme: int8}", "{scheme: none, bits: 8}"),
    Case("channels of a palette", .faulty, "per-group, groupSize: 16", "per-channel"),
    Case("groups of int8", .faulty, "{scheme: int8}", "{scheme: int8, granularity: per-group}"),
    Case("group size without groups", .faulty, "granularity: per-group, groupSize", "groupSize"),
    Case("group size of 0", .faulty, "groupSize: 16", "groupSize: 0"),
    Case("group size in quotes", .faulty, "groupSize: 16", "groupSize: \"16\""),
    Case("unknown profile", .faulty, "limits: lenient", "limits: loose"),
    Case("limits as a list", .faulty, "limits: lenient", "limits: [lenient]"),
    Case("a limit out of range", .faulty, "cosineMin: 0.999", "cosineMin: 1.5"),
    Case("a limit that is no number", .faulty, "cosineMin: 0.999", "cosineMin: high"),
    Case("weakened in words", .faulty, "cosineMin: 0.999", "weakened: please"),
    Case("a threshold of scores", .sound, "threshold: 0.5", "threshold: -50.5"),
    Case("a threshold in words", .faulty, "threshold: 0.5", "threshold: high"),
    Case("unknown format", .faulty, "formats: [mlpackage]", "formats: [onnx]"),
    Case("two formats", .faulty, "formats: [mlpackage]", "formats: [mlpackage, safetensors]"),
    Case("no format", .faulty, "formats: [mlpackage]", "formats: []"),
    Case("coreml for safetensors", .faulty, "formats: [mlpackage]", "formats: [safetensors]"),
    Case("coreml without a format", .faulty, "    formats: [mlpackage]\n", ""),
    Case("unknown target", .faulty, "iOS18", "iOS12"),
    Case("length 0", .faulty, "sequenceLength: [32, 64]", "sequenceLength: 0"),
    Case("no lengths", .faulty, "sequenceLength: [32, 64]", "sequenceLength: []"),
    Case("a length twice", .faulty, "[32, 64]", "[32, 32]"),
    Case("a placeholder in a shared model", .faulty, "models/encoder", "\"models/{flowName}\""),
    Case("unknown placeholder", .faulty, "flows/{flowName}/v", "flows/{flow}/v"),
    Case("a brace alone", .faulty, "flows/{flowName}/v", "flows/flowName}/v"),
    Case("a name with a path", .faulty, "  encoder:", "  ../encoder:"),
    Case("a version of two parts", .faulty, "version: 1.4.0", "version: 1.4"),
    Case("a version with a path", .faulty, "version: 1.4.0", "version: 1.4.0/.."),
    Case("a closed range", .faulty, "<5.0.0", "<=5.0.0"),
    Case("another archive", .faulty, "archive: zip", "archive: tar.gz"),

    Case(
      "a weaker limit", .beyondSchemas("the profile's own limits are compared"),
      "cosineMin: 0.999", "cosineMin: 0.5"),
    Case(
      "weakened by nothing", .beyondSchemas("the profile's own limits are compared"),
      "cosineMin: 0.999", "weakened: true"),
    Case(
      "an empty range", .beyondSchemas("two versions are compared"), ">=3.2.0 <5.0.0",
      ">=5.0.0 <5.0.0"),
    Case(
      "a part of a version with a leading zero", .beyondSchemas("parts are looked at one by one"),
      "version: 1.4.0", "version: 1.4.0-01"),
    Case(
      "lengths in another order", .beyondSchemas("two numbers are compared"), "[32, 64]",
      "[64, 32]"),
    Case(
      "a whole number with a point", .beyondSchemas("8 and 8.0 are one number to JSON"), "bits: 4",
      "bits: 4.0"),
    Case(
      "names that differ in case only", .beyondSchemas("keys are compared with each other"),
      """
      ingot: 1
      models:
        a: {source: m, compress: {scheme: int8}, gate: {references: r}}
        A: {source: m, compress: {scheme: int8}, gate: {references: r}}
      customers: c
      release: {version: 1.0.0, sdk: ">=1.0.0"}

      """),
    Case(
      "a key twice", .beyondSchemas("the text is gone when a schema looks"), "ingot: 1",
      "ingot: 1\ningot: 1"),
  ]

  static let recipe = """
    ingot-recipe: 1
    name: ours
    rules:
      - match: {name: ["*.query.weight", "a?"], role: matrix, shape: ["*", 384, "> 2"]}
        use: {scheme: palettize, bits: 4, granularity: per-group}
        fallback: [{scheme: palettize, bits: 4}]
      - match: {role: [token-table, matrix], elements: ">= 2048 <9999"}
        use: {scheme: int4, groupSize: 64}
        optional: true
      - match: {}
        use: keep
    otherwise: keep

    """

  /// A recipe in which some text is replaced.
  private static func rules(
    _ name: String, _ verdict: Case.Verdict, _ old: String, _ new: String
  ) -> Case {
    precondition(recipe.contains(old), "\(old) stands in the recipe")
    return Case(name, verdict, recipe.replacingOccurrences(of: old, with: new))
  }

  static let recipes = [
    Case("sound", .sound, recipe),
    rules(
      "a fallback behind one that always fits", .beyondSchemas("choices are compared"),
      "[{scheme: palettize, bits: 4}]", "[{scheme: palettize, bits: 4}, keep]"),
    Case("not a group", .faulty, "- 1\n"),
    rules("another version", .faulty, "ingot-recipe: 1", "ingot-recipe: 2"),
    rules("no version", .faulty, "ingot-recipe: 1\n", ""),
    rules("a name with a path", .faulty, "name: ours", "name: ../ours"),
    rules("unknown key", .faulty, "otherwise", "else"),
    rules("another end", .faulty, "otherwise: keep", "otherwise: int8"),
    rules("a rule without a match", .faulty, "match: {}\n    use", "use"),
    rules("a rule without a use", .faulty, "    use: keep\n", ""),
    rules("unknown key of a rule", .faulty, "optional", "maybe"),
    rules("unknown key of a match", .faulty, "elements", "count"),
    rules("unknown role", .faulty, "token-table", "table"),
    rules("an empty list of roles", .faulty, "[token-table, matrix]", "[]"),
    rules("an empty name", .faulty, "\"a?\"]", "\"\"]"),
    rules("a shape in words", .faulty, "[\"*\", 384, \"> 2\"]", "square"),
    rules("a negative length", .faulty, "384", "-384"),
    rules("a number in words", .faulty, ">= 2048 <9999", "many"),
    rules("a use in words", .faulty, "use: keep", "use: int8"),
    rules("a scheme that is none", .faulty, "{scheme: int4, groupSize: 64}", "{scheme: int3}"),
    rules("a fallback without a list", .faulty, "[{scheme: palettize, bits: 4}]", "keep"),
    rules("no fallbacks", .faulty, "[{scheme: palettize, bits: 4}]", "[]"),
    rules("optional in words", .faulty, "optional: true", "optional: maybe"),
    rules(
      "an empty range", .beyondSchemas("two numbers are compared"), ">= 2048 <9999",
      ">= 2048 <2048"),
    rules(
      "a scheme for biases", .beyondSchemas("roles and schemes are compared"),
      "[token-table, matrix]", "[token-table, bias]"),
    rules(
      "the name of a built-in recipe", .beyondSchemas("rules are compared"), "name: ours",
      "name: small"),
  ]

  static let customer = """
    [{"app_id": "c2d67cdb-e117-4c3e-acca-2ae7f1a42210", "bundle_identifiers": ["com.a.b"],
      "customModels": [{"flowId": 1, "flowName": "upsell_1", "modelVersion": 73}], "plan": "gold"}]
    """

  /// A list in which some text is replaced.
  private static func list(
    _ name: String, _ verdict: Case.Verdict, _ old: String, _ new: String
  ) -> Case {
    precondition(customer.contains(old), "\(old) stands in the list")
    return Case(name, verdict, customer.replacingOccurrences(of: old, with: new))
  }

  static let lists = [
    Case("sound", .sound, customer),
    list(
      "no flows", .sound, #"[{"flowId": 1, "flowName": "upsell_1", "modelVersion": 73}]"#, "null"),
    list("a whole number with a point", .sound, "\"modelVersion\": 73", "\"modelVersion\": 73.0"),
    list("further keys of a flow", .sound, "\"flowId\": 1", "\"flowId\": 1, \"note\": null"),
    Case("an object", .faulty, "{}"),
    Case("no customers", .faulty, "[]"),
    Case("a number", .faulty, "[1]"),
    list("no app id", .faulty, "\"app_id\"", "\"app\""),
    list("app id in upper case", .faulty, "c2d67cdb", "C2D67CDB"),
    list("app id without hyphens", .faulty, "c2d67cdb-", "c2d67cdb"),
    list("app id as a number", .faulty, "\"c2d67cdb-e117-4c3e-acca-2ae7f1a42210\"", "7"),
    list("no bundle identifiers", .faulty, "[\"com.a.b\"]", "[]"),
    list("bundle identifier of one part", .faulty, "com.a.b", "app"),
    list("bundle identifier with an underscore", .faulty, "com.a.b", "com.a_b.c"),
    list("bundle identifier twice", .faulty, "[\"com.a.b\"]", "[\"com.a.b\", \"com.a.b\"]"),
    list("bundle identifier as a number", .faulty, "\"com.a.b\"", "1"),
    list("flows as an object", .faulty, "\"customModels\": [{", "\"customModels\": {}, \"x\": [{"),
    list("a flow without a name", .faulty, "\"flowName\"", "\"name\""),
    list("flow name with a path", .faulty, "upsell_1", "../upsell"),
    list("flow name in upper case", .faulty, "upsell_1", "Upsell"),
    list("flow id below 0", .faulty, "\"flowId\": 1", "\"flowId\": -1"),
    list("flow id as a text", .faulty, "\"flowId\": 1", "\"flowId\": \"1\""),
    list("version 0", .faulty, "\"modelVersion\": 73", "\"modelVersion\": 0"),
    list("version 1.5", .faulty, "\"modelVersion\": 73", "\"modelVersion\": 1.5"),
    Case(
      "an app twice", .beyondSchemas("entries are compared by one key"),
      """
      [{"app_id": "c2d67cdb-e117-4c3e-acca-2ae7f1a42210", "bundle_identifiers": ["a.b"]},
       {"app_id": "c2d67cdb-e117-4c3e-acca-2ae7f1a42210", "bundle_identifiers": ["a.c"]}]
      """),
    list(
      "a flow twice", .beyondSchemas("entries are compared by one key"),
      #"[{"flowId": 1,"#,
      #"[{"flowId": 2, "flowName": "upsell_1", "modelVersion": 1}, {"flowId": 1,"#),
    list(
      "a key twice", .beyondSchemas("the text is gone when a schema looks"), "\"plan\": \"gold\"",
      "\"plan\": 1, \"plan\": 2"),
  ]

  @Test func thereAreCases() {
    #expect(Self.projects.count + Self.lists.count >= 80)
    #expect(Set(Self.recipes.map(\.name)).count == Self.recipes.count)
    #expect(Set(Self.projects.map(\.name)).count == Self.projects.count)
    #expect(Set(Self.lists.map(\.name)).count == Self.lists.count)
  }

  @Test func projectFilesAreJudgedAlike() throws {
    try compare(Self.projects, "yaml", schema: "project") { path, log in
      _ = ProjectReader.read(path, log: log)
    }
  }

  @Test func recipesAreJudgedAlike() throws {
    try compare(Self.recipes, "yaml", schema: "recipe") { path, log in
      _ = CompressionRecipeReader(log: log).read(path)
    }
  }

  @Test func customerListsAreJudgedAlike() throws {
    try compare(Self.lists, "json", schema: "customers") { path, log in
      _ = CustomerReader.read(path, log: log)
    }
  }

  private func compare(
    _ cases: [Case], _ suffix: String, schema: String,
    read: (String, ContractSection.Log) -> Void
  ) throws {
    let folder = try TemporaryFolder()
    let paths = cases.indices.map { folder.path("\($0).\(suffix)") }
    for (path, item) in zip(paths, cases) {
      try item.text.write(toFile: path, atomically: false, encoding: .utf8)
    }
    let answers = try Oracle.run(
      "judge_projects.py", ["\(Oracle.repository)/specs/schemas/\(schema).schema.json"] + paths
    ).split(separator: "\n").map { try JSONParser.parse(Array($0.utf8), origin: "answer") }
    try #require(answers.count == cases.count)
    for ((path, item), answer) in zip(zip(paths, cases), answers) {
      let log = ContractSection.Log()
      read(path, log)
      let accepted = try #require(answer.object).bool("accepted")
      let words = "\(item.name): \(try #require(answer.object).string("fault")) \(log.faults)"
      switch item.verdict {
      case .sound: #expect(accepted && !log.faults.hasErrors, "\(words)")
      case .faulty: #expect(!accepted && log.faults.hasErrors, "\(words)")
      case .beyondSchemas: #expect(accepted && log.faults.hasErrors, "\(words)")
      }
    }
  }
}
