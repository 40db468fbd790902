import Files
import Testing

@testable import Release

@Suite struct ProjectReaderTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let bytes: [UInt8]
    let faults: [String]
    var testDescription: String { name }

    init(_ name: String, text: String, _ faults: String...) {
      self.init(name, bytes: Array(text.utf8), faults)
    }

    init(_ name: String, bytes: [UInt8], _ faults: [String]) {
      self.name = name
      self.bytes = bytes
      self.faults = faults
    }

    /// The sound contract with some text replaced.
    init(_ name: String, _ old: String, _ new: String, faults: String...) {
      let text = SmallProject.contract
      let range = text.firstRange(of: old)
      let edited = range.map { text[..<$0.lowerBound] + new + text[$0.upperBound...] }
      self.init(name, bytes: Array((edited.map(String.init) ?? "").utf8), faults)
    }
  }

  /// The sound contract with a Core ML section.
  private static func coreML(_ name: String, _ section: String, _ faults: String...) -> Case {
    let text = SmallProject.contract
    let old = "formats: [safetensors]"
    let new = "formats: [mlpackage]\n    description: Ranks\n    coreml: \(section)"
    let range = text.firstRange(of: old)
    let edited = range.map { text[..<$0.lowerBound] + new + text[$0.upperBound...] }
    return Case("Core ML: \(name)", bytes: Array((edited.map(String.init) ?? "").utf8), faults)
  }

  static let texts = [
    Case("empty", text: "", "1:1: the file is empty"),
    Case("only a comment", text: "# nothing\n", "1:1: the file is empty"),
    Case("a word", text: "hello", "1:1: the project is 'hello', expected a group of keys"),
    Case("a list", text: "- a\n", "1:1: the project is a list, expected a group of keys"),
    Case("null", text: "~", "1:1: the project is empty, expected a group of keys"),
    Case(
      "invalid UTF-8", bytes: [0x61, 0x3A, 0x20, 0xFF], ["1:1: the text is not valid UTF-8"]),
    Case(
      "NUL", text: "ingot: 1\na: \0b\n", "2:4: a control character (byte 0) stands in the text"),
    Case(
      "unclosed list", text: "ingot: [1\n",
      "2:1: is not YAML: while parsing a flow sequence, did not find expected ',' or ']'"),
    Case(
      "tab as indentation", text: "models:\n\ta: 1\n",
      "2:1: is not YAML: while scanning for the next token, "
        + "found character that cannot start any token"),
    Case(
      "braces without quotes", text: "gate: {references: flows/{flowName}/x}\n",
      "1:26: is not YAML: while parsing a flow mapping, did not find expected ',' or '}' "
        + "[inside { … } write a value that holds braces in quotes]"),
    Case(
      "two documents", text: "ingot: 1\n---\ningot: 1\n",
      "2:1: a second document starts here; the file has to be one"),
    Case("key twice", text: "ingot: 1\ningot: 1\n", "1:1: the key 'ingot' stands twice"),
    Case("a list as key", text: "[a]: 1\n", "1:1: a key is a list, expected a word"),
    Case("tag", text: "ingot: !!int 1\n", "1:8: tags ('tag:yaml.org,2002:int') are not supported"),
    Case("own tag", text: "ingot: !x 1\n", "1:8: tags ('!x') are not supported"),
    Case(
      "alias", text: "a: &x 1\nb: *x\n",
      "2:4: aliases ('*name') are not supported "
        + "[write the value out; a text that starts with '*' needs quotes]"),
    Case(
      "alias behind a quoted quote", text: "a: x \"\nb: *x\n",
      "2:4: aliases ('*name') are not supported "
        + "[write the value out; a text that starts with '*' needs quotes]"),
    Case(
      "alias after a strange line end", text: "# a\u{2028}b: *x\n",
      "2:4: aliases ('*name') are not supported "
        + "[write the value out; a text that starts with '*' needs quotes]"),
    Case(
      "alias bomb", text: "a: &a [x,x]\n" + (0..<30).map { "b\($0): &b [*a,*a]\n" }.joined(),
      "2:9: aliases ('*name') are not supported "
        + "[write the value out; a text that starts with '*' needs quotes]"),
    Case(
      "nesting of 40", text: String(repeating: "[", count: 40) + String(repeating: "]", count: 40),
      "1:33: values nest deeper than 32 levels"),
    Case(
      "nesting of 100,000", text: String(repeating: "[", count: 100_000),
      "1:1: values nest deeper than 32 levels"),
  ]

  static let contracts = [
    Case("sound", "ingot: 1", "ingot: 1"),
    Case("comment with a star", "ingot: 1", "ingot: 1 # the *only* version"),
    Case(
      "newer contract", "ingot: 1", "ingot: 2",
      faults: "1:8: 'ingot' is '2', this version reads contract 1"),
    Case(
      "contract in quotes", "ingot: 1", "ingot: \"1\"",
      faults: "1:8: 'ingot' is '1', this version reads contract 1"),
    Case(
      "no contract", "ingot: 1\n", "",
      faults: "1:1: the key 'ingot' is missing [start the file with 'ingot: 1']"),
    Case(
      "misspelt key", "customModels:", "custommodel:",
      faults: "8:1: unknown key 'custommodel' [did you mean 'customModels'?]"),
    Case(
      "unknown key", "customers:", "telemetry: on\ncustomers:",
      faults: "15:1: unknown key 'telemetry' "
        + "[known here: ingot, models, customModels, customers, release]"),
    Case(
      "no source", "source: models/ranker", "# none",
      faults: "5:5: the key 'source' is missing [add 'source', the model's folder or file]"),
    Case(
      "empty source", "source: models/ranker", "source:",
      faults: "4:12: 'source' is empty [add 'source', the model's folder or file]"),
    Case(
      "source as list", "source: models/ranker", "source: [a, b]",
      faults: "4:13: 'source' is a list, expected a text"),
    Case(
      "placeholder in a shared model", "source: models/ranker", "source: models/{flowName}",
      faults: "4:13: 'source' holds a placeholder "
        + "[placeholders are for 'customModels'; a shared model has one source]"),
    Case(
      "misspelt placeholder", "flows/{flowName}", "flows/{flowname}",
      faults: "9:11: 'source': '{flowname}' is no placeholder [did you mean '{flowName}'?]"),
    Case(
      "unknown placeholder", "flows/{flowName}", "flows/{customer}",
      faults: "9:11: 'source': '{customer}' is no placeholder "
        + "[placeholders: {flowName}, {modelVersion}, {flowId}, {appId}]"),
    Case(
      "brace without partner", "flows/{flowName}", "flows/flowName}",
      faults: "9:11: 'source': a brace has no partner "
        + "[placeholders: {flowName}, {modelVersion}, {flowId}, {appId}]"),
    Case(
      "unknown scheme", "{scheme: int8}", "{scheme: int3}",
      faults: "5:24: unknown scheme 'int3'; "
        + "choose int8, uint8, int4, uint4, palettize, unique or none"),
    Case(
      "palette without bits", "{scheme: int8}", "{scheme: palettize}",
      faults: "5:24: palettize needs a number of bits: choose 1, 2, 3, 4, 6 or 8"),
    Case(
      "bits as words", "{scheme: int8}", "{scheme: palettize, bits: four}",
      faults: "5:41: 'bits' is 'four', expected a whole number"),
    Case(
      "bits beyond all bounds", "{scheme: int8}",
      "{scheme: palettize, bits: 99999999999999999999}",
      faults: "5:41: 'bits' is '99999999999999999999', expected a whole number"),
    Case(
      "compression as a word", "compress: {scheme: int8}", "compress: int8",
      faults: "5:15: 'compress' is 'int8', expected a group of keys"),
    Case(
      "misspelt limits", "limits: standard", "limits: standart",
      faults: "6:50: no limits are called 'standart' [did you mean 'standard'?]"),
    Case(
      "unknown limit", "similarityDriftMax: 0.1", "similarityDrift: 0.1",
      faults: "13:32: unknown key 'similarityDrift' [did you mean 'similarityDriftMax'?]"),
    Case(
      "limit that is no number", "similarityDriftMax: 0.1", "similarityDriftMax: nan",
      faults: "13:52: 'similarityDriftMax' is 'nan', expected a number"),
    Case(
      "weaker limit", "similarityDriftMax: 0.1", "similarityDriftMax: 0.2",
      faults: "13:52: 'similarityDriftMax' is 0.2, weaker than the 0.15 of 'lenient' "
        + "[add 'weakened: true' to say that this is meant, or remove the limit]"),
    Case(
      "two weaker limits", "similarityDriftMax: 0.1", "cosineMin: 0.5, neighbourOverlap: 0",
      faults: "13:43: 'cosineMin' is 0.5, weaker than the 0.8 of 'lenient' "
        + "[add 'weakened: true' to say that this is meant, or remove the limit]",
      "13:66: 'neighbourOverlap' is 0.0, weaker than the 0.8 of 'lenient' "
        + "[add 'weakened: true' to say that this is meant, or remove the limit]"),
    Case(
      "weaker limit that says so", "similarityDriftMax: 0.1",
      "similarityDriftMax: 0.2, weakened: true"),
    Case(
      "weakened by nothing", "similarityDriftMax: 0.1", "similarityDriftMax: 0.1, weakened: true",
      faults: "13:67: 'weakened' is true, no limit is weaker than those of 'lenient' "
        + "[remove 'weakened']"),
    Case(
      "not weakened", "similarityDriftMax: 0.1", "similarityDriftMax: 0.1, weakened: false"),
    Case(
      "weakened in quotes", "similarityDriftMax: 0.1",
      "similarityDriftMax: 0.1, weakened: \"true\"",
      faults: "13:67: 'weakened' is 'true', expected true or false"),
    Case(
      "limit out of range", "similarityDriftMax: 0.1", "similarityDriftMax: 3",
      faults: "13:23: the limit 'similarityDriftMax' is 3, expected a number from 0 to 2"),
    Case(
      "threshold out of range", "threshold: 0.5", "threshold: 50",
      faults: "14:16: 'threshold' is '50', expected -1 to 1"),
    Case(
      "unknown format", "formats: [safetensors]", "formats: [onnx]",
      faults: "7:15: 'onnx' is not a format [use 'safetensors' or 'mlpackage']"),
    Case(
      "two formats", "formats: [safetensors]", "formats: [safetensors, mlpackage]",
      faults: "7:28: a model has one format, here are 2 "
        + "[choose one of 'safetensors' and 'mlpackage']"),
    Case(
      "a format twice", "formats: [safetensors]", "formats: [mlpackage, mlpackage]",
      faults: "7:26: the format stands twice"),
    Case(
      "a list as format", "formats: [safetensors]", "formats: [[mlpackage]]",
      faults: "7:15: a list is not a format [use 'safetensors' or 'mlpackage']"),
    Case(
      "no format", "formats: [safetensors]", "formats: []",
      faults: "7:14: 'formats' is a list, expected a list: [safetensors]"),
    Case(
      "Core ML for safetensors", "formats: [safetensors]", "coreml: {outputType: float16}",
      faults: "7:13: 'coreml' is for the format mlpackage, this model has safetensors "
        + "[add 'formats: [mlpackage]', or remove 'coreml']"),
    Case(
      "Core ML as a word", "formats: [safetensors]", "coreml: yes",
      faults: "7:13: 'coreml' is 'yes', expected a group of keys"),
    Case(
      "description as a list", "formats: [safetensors]", "description: [a]",
      faults: "7:18: 'description' is a list, expected a text"),
    coreML(
      "unknown key", "{target: iOS16}",
      "9:14: unknown key 'target' "
        + "[known here: minimumDeploymentTarget, sequenceLength, outputType, floatType]"),
    coreML(
      "misspelt key", "{sequenceLengths: 128}",
      "9:14: unknown key 'sequenceLengths' [did you mean 'sequenceLength'?]"),
    coreML(
      "another target", "{minimumDeploymentTarget: iOS15}",
      "9:39: 'minimumDeploymentTarget' is 'iOS15', expected iOS16, iOS17 or iOS18"),
    coreML(
      "another output type", "{outputType: int8}",
      "9:26: 'outputType' is 'int8', expected float16 or float32"),
    coreML(
      "length in words", "{sequenceLength: long}",
      "9:30: 'sequenceLength' is 'long', expected a whole number from 1 on, or a list of them"),
    coreML(
      "length 0", "{sequenceLength: 0}",
      "9:30: 'sequenceLength' is '0', expected a whole number from 1 on, or a list of them"),
    coreML(
      "a negative length among others", "{sequenceLength: [32, -64]}",
      "9:35: 'sequenceLength' is '-64', expected a whole number from 1 on, or a list of them"),
    coreML("no lengths", "{sequenceLength: []}", "9:30: 'sequenceLength' is an empty list"),
    coreML(
      "lengths in another order", "{sequenceLength: [64, 32]}",
      "9:35: 'sequenceLength' has 32 after 64 [list each length once, the shortest first]"),
    coreML(
      "a length twice", "{sequenceLength: [64, 64]}",
      "9:35: 'sequenceLength' has 64 after 64 [list each length once, the shortest first]"),
    coreML("everything", "{minimumDeploymentTarget: iOS18, sequenceLength: [32, 64]}"),
    Case(
      "a text with a star", "archive: tar.zst", "author: \"*weights, -*inc\""),
    Case(
      "a star without quotes", "archive: tar.zst", "author: *.inc",
      faults: "19:12: is not YAML: while scanning an alias, "
        + "did not find expected alphabetic or numeric character "
        + "[write a text that starts with '*' in quotes]"),
    Case(
      "every choice of a scheme", "compress: {scheme: int8}",
      "compress: {scheme: uint4, bits: 4, mode: asymmetric, granularity: per-block, groupSize: 16, "
        + "range: largest, calibration: sentences.jsonl}"),
    Case(
      "vectors", "compress: {scheme: int8}",
      "compress: {scheme: palettize, bits: 2, width: 2, entries: int8}"),
    Case(
      "a mode of palettes", "compress: {scheme: int8}",
      "compress: {scheme: palettize, bits: 4, mode: symmetric}",
      faults: "5:24: palettize takes no mode; for a mode use int8, uint8, int4 or uint4"),
    Case(
      "a width in words", "compress: {scheme: int8}",
      "compress: {scheme: palettize, bits: 4, width: two, entries: 8}",
      faults: "5:51: 'width' is 'two', expected a whole number"),
    Case(
      "neither scheme nor recipe", "compress: {scheme: int8}", "compress: {}",
      faults: "5:15: the key 'scheme' is missing "
        + "[choose a scheme such as 'int8' or 'palettize', or a recipe: 'recipe: small']"),
    Case("a built-in recipe", "compress: {scheme: int8}", "compress: {recipe: small}"),
    Case(
      "a recipe with inputs", "compress: {scheme: int8}",
      "compress: {recipe: small, calibration: sentences.jsonl}"),
    Case(
      "an overlap that is dropped", "compress: {scheme: int8}",
      "compress: {recipe: small, calibration: sentences.jsonl, dropOverlap: true}"),
    Case(
      "an overlap of nothing", "compress: {scheme: int8}",
      "compress: {scheme: int8, dropOverlap: true}",
      faults: "5:43: 'dropOverlap' is for 'calibration', which is not there "
        + "[remove 'dropOverlap', or add 'calibration: sentences.jsonl']"),
    Case(
      "a misspelt recipe", "compress: {scheme: int8}", "compress: {recipe: smal}",
      faults: "5:24: no recipe is called 'smal' [did you mean 'small'?]"),
    Case(
      "an unknown recipe", "compress: {scheme: int8}", "compress: {recipe: ours}",
      faults: "5:24: no recipe is called 'ours' [built-in recipes: int8, balanced, small, tiny; "
        + "a file is named with its folder or its ending, such as './ours']"),
    Case(
      "a recipe beside a scheme", "compress: {scheme: int8}",
      "compress: {recipe: small, scheme: int8, bits: 8}",
      faults: "5:31: 'recipe' and 'scheme' exclude each other "
        + "[a recipe's rules say it all; remove one of the two]",
      "5:45: 'recipe' and 'bits' exclude each other "
        + "[a recipe's rules say it all; remove one of the two]"),
    Case(
      "an empty recipe", "compress: {scheme: int8}", "compress: {recipe: }",
      faults: "5:24: 'recipe' is empty [name a recipe: 'recipe: small']"),
    Case(
      "a recipe as a group", "compress: {scheme: int8}", "compress: {recipe: {rules: []}}",
      faults: "5:24: 'recipe' is a group of keys, expected a text"),
    Case(
      "a placeholder in a recipe",
      "source: flows/{flowName}/v{modelVersion}\n  compress: "
        + "{scheme: int8}",
      "source: flows/{flowName}/v{modelVersion}\n  compress: {recipe: \"{flowName}.yaml\"}",
      faults: "10:22: 'recipe' holds a placeholder "
        + "[every custom model is compressed by the same recipe]"),
    Case(
      "a placeholder in a shared model's inputs", "compress: {scheme: int8}",
      "compress: {scheme: int8, calibration: \"{flowName}.jsonl\"}",
      faults: "5:43: 'calibration' holds a placeholder "
        + "[placeholders are for 'customModels'; a shared model has one source]"),
    Case(
      "no inputs after all", "compress: {scheme: int8}",
      "compress: {scheme: int8, calibration: }",
      faults: "5:43: 'calibration' is empty [name inputs like those the app will see: "
        + "'calibration: sentences.jsonl']"),
    Case("weights that are kept", "compress: {scheme: int8}", "compress: {scheme: none}"),
    Case(
      "bits of kept weights", "compress: {scheme: int8}", "compress: {scheme: none, bits: 8}",
      faults: "5:24: none keeps the weights and takes no number of bits; for a number of bits use "
        + "int8 or palettize"),
    Case(
      "author as a number of texts", "archive: tar.zst", "author: [a, b]",
      faults: "19:11: 'author' is a list, expected a text"),
    Case(
      "format as a word", "formats: [safetensors]", "formats: safetensors",
      faults: "7:14: 'formats' is 'safetensors', expected a list: [safetensors]"),
    Case(
      "name of a model", "  ranker:", "  ../ranker:",
      faults: "3:3: '../ranker' cannot name a model "
        + "[at most 64 of A-Z a-z 0-9 . _ -, starting with a letter, a digit or _]"),
    Case(
      "version of two parts", "version: 1.4.0", "version: 1.4",
      faults: "17:12: 'version' is '1.4', expected a version such as 1.4.0 [write it as 1.4.0]"),
    Case(
      "version with a path", "version: 1.4.0", "version: 1.4.0/../x",
      faults: "17:12: 'version' is '1.4.0/../x', expected a version such as 1.4.0"),
    Case(
      "closed range", ">=3.2.0 <5.0.0", ">=3.2.0 <=5.0.0",
      faults: "18:8: 'sdk' is '>=3.2.0 <=5.0.0', "
        + "expected a range such as \">=3.2.0 <5.0.0\""),
    Case(
      "empty range", ">=3.2.0 <5.0.0", ">=5.0.0 <5.0.0",
      faults: "18:8: 'sdk' is '>=5.0.0 <5.0.0', which holds no version "
        + "[the second version is the first that is too new; it must be the greater one]"),
    Case("zip", "archive: tar.zst", "archive: zip"),
    Case(
      "tar.gz", "archive: tar.zst", "archive: tar.gz",
      faults: "19:12: 'archive' is 'tar.gz', expected tar.zst or zip"),
    Case(
      "tar.zstd", "archive: tar.zst", "archive: tar.zstd",
      faults: "19:12: 'archive' is 'tar.zstd', expected tar.zst or zip [did you mean 'tar.zst'?]"),
    Case("signing", "archive: tar.zst", "sign: keys/release"),
    Case(
      "no key", "archive: tar.zst", "sign:",
      faults: "19:8: 'sign' is empty [name a key file, or remove 'sign' to build unsigned]"),
    Case(
      "customers as list", "customers: customers.json", "customers: [a.json]",
      faults: "15:12: 'customers' is a list, expected a text"),
    Case(
      "two faults at once", "source: models/ranker\n    compress: {scheme: int8}",
      "sorce: models/ranker\n    compress: {scheme: int8, bit: 8}",
      faults: "4:5: unknown key 'sorce' [did you mean 'source'?]",
      "4:5: the key 'source' is missing [add 'source', the model's folder or file]",
      "5:30: unknown key 'bit' [did you mean 'bits'?]"),
  ]

  @Test(arguments: texts + contracts)
  func findsEveryFault(_ item: Case) throws {
    let scratch = try Scratch()
    let path = try scratch.file("ingot.yaml", item.bytes)
    let log = ContractSection.Log()
    let project = ProjectReader.read(path, log: log)
    log.faults.sort(first: path)
    #expect(lines(log.faults) == item.faults)
    #expect((project == nil) == !item.faults.isEmpty)
    #expect(log.faults.faults.allSatisfy { $0.place.file == path })
  }

  /// A table without rows would pass.
  @Test func thereAreCases() {
    #expect(Self.texts.count + Self.contracts.count >= 20)
  }

  @Test func refusesLargeFiles() throws {
    let scratch = try Scratch()
    let path = try scratch.file("ingot.yaml", [UInt8](repeating: 0x20, count: 262_145))
    let log = ContractSection.Log()
    #expect(ProjectReader.read(path, log: log) == nil)
    #expect(
      lines(log.faults) == ["1:1: has 262145 bytes, the limit for such a file is 262144"])
  }

  @Test func namesAMissingFile() throws {
    let faults = ProjectValidator.validate("no/such/project")
    #expect(faults.description == "no/such/project:1:1: cannot open: no such file or directory")
  }
}
