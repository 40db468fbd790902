/// Project files that a schema and the reader judge.
extension SchemaInteropTests {
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
      "few references", .sound, "{references: pairs.jsonl,",
      "{references: pairs.jsonl, fewReferences: true,"),
    Case(
      "few references in words", .faulty, "{references: pairs.jsonl,",
      "{references: pairs.jsonl, fewReferences: please,"),
    Case(
      "weakened", .sound, "profile: strict, cosineMin: 0.999",
      "profile: strict, cosineMin: 0.5, weakened: true"),
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
    Case(
      "a table in two parts", .sound, "{scheme: int8}",
      "{scheme: split, rows: 8, first: {scheme: int8}, rest: {scheme: palettize, bits: 4}}"),
    Case(
      "one part of a table", .faulty, "{scheme: int8}",
      "{scheme: split, rows: 8, first: {scheme: int8}}"),
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
    Case("a search", .sound, "{scheme: int8}", "{smallest: {}, calibration: inputs.jsonl}"),
    Case("a budget", .sound, "{scheme: int8}", "{smallest: {budget: 12MB}}"),
    Case("a budget of bytes", .sound, "{scheme: int8}", "{smallest: {budget: 12000000}}"),
    Case("a budget of no size", .faulty, "{scheme: int8}", "{smallest: {budget: 12XB}}"),
    Case("a budget of nothing", .faulty, "{scheme: int8}", "{smallest: {budget: 0}}"),
    Case("a search as a word", .faulty, "{scheme: int8}", "{smallest: true}"),
    Case("an empty search", .faulty, "{scheme: int8}", "{smallest: }"),
    Case("an unknown key of a search", .faulty, "{scheme: int8}", "{smallest: {size: 12MB}}"),
    Case("a search beside a scheme", .faulty, "{scheme: int8}", "{smallest: {}, scheme: int8}"),
    Case(
      "a search beside encoders", .faulty, "{scheme: int8}", "{smallest: {}, image: {scheme: int8}}"
    ),
    Case(
      "a search of one encoder", .faulty, "{scheme: int8}",
      "{image: {smallest: {}}, text: {scheme: int8}}"),
    Case(
      "references of the verdict", .sound, "{scheme: int8}",
      "{smallest: {verdict: \"flows/{flowName}/others.jsonl\"}}"),
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
}
