import Foundation
import TestSupport
import Testing

/// What options that take inputs read, and what they say of it.
struct InputFormCommandTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeModel()
    try folder.writePairs()
  }

  private func run(_ arguments: [String]) throws -> Program {
    try Program.run(arguments, in: folder.path)
  }

  private func embed(_ inputs: String) throws -> Program {
    try run(["embed", "model", "--inputs", inputs, "-o", "o.npy"])
  }

  @Test func aTableIsArrangedByTheModelsFeatures() throws {
    try folder.write("in.jsonl", "{\"values\": [1, 2, 3, 4]}\n{\"values\": [5, 6, 7, 8]}\n")
    #expect(try embed("in.jsonl").status == 0)
    let expected = try folder.bytes("o.npy")
    try folder.write("in.csv", "d,c,b,a\n4,3,2,1\n8,7,6,5\n")
    let run = try embed("in.csv")
    #expect(run.status == 0)
    #expect(run.errors == "in.csv: read as CSV: the features 'd', 'c', 'b', 'a'\n")
    #expect(try folder.bytes("o.npy") == expected)
  }

  @Test func standardInputIsRead() throws {
    let piped = try Program.shell(
      #"printf '{"values": [1, 2, 3, 4]}\n' | "$0" embed model --inputs - -o o.npy"#,
      in: folder.path)
    #expect(piped.status == 0)
    #expect(piped.errors == "standard input: read as JSON lines\n")
    #expect(piped.output == "o.npy: float32 [1, 5]\n")
    let judged = try Program.shell(
      #""$0" check model model --references - < pairs.jsonl"#, in: folder.path)
    #expect(judged.status == 0)
  }

  @Test func faultsOfStandardInputNameTheLine() throws {
    let run = try Program.shell(
      #"printf '{"values": [1, 2, 3, 4]}\n\n' | "$0" embed model --inputs - -o o.npy"#,
      in: folder.path)
    #expect(run.status == 1)
    #expect(run.errors.contains("error: standard input:2:1: the line is blank\n"))
    #expect(!folder.exists("o.npy"))
  }

  @Test func standardInputForTwoOptionsIsWrongUsage() throws {
    let run = try run([
      "compress", "model", "--output", "x.safetensors", "--references", "-", "--calibration", "-",
    ])
    #expect(run.status == 64)
    #expect(
      run.errors.hasPrefix(
        "Error: --references and --calibration are both '-': stdin can be read once; give a file\n")
    )
  }

  @Test func gzippedReferencesAreThoseInside() throws {
    try #require(try Program.shell("gzip -k pairs.jsonl", in: folder.path).status == 0)
    let run = try run(["check", "model", "model", "--references", "pairs.jsonl.gz"])
    #expect(run.status == 0)
    #expect(run.output.hasSuffix("measured on 24 inputs in 12 pairs\n"))
  }

  @Test func whatIsNotClearShowsOneRightLine() throws {
    try folder.write("words.txt", "a plane\na cat\n")
    let references = try run(["check", "model", "model", "--references", "words.txt"])
    #expect(references.status == 1)
    #expect(
      references.errors
        == """
        error: words.txt:1:1: a line needs 'a' and 'b' (a pair) or 'input' (a sample)
        hint: a line for this model: {"a": {"values": [0.1, 0.2, 0.3, 0.4]}, "b": {"values": [0.2, 0.3, 0.4, 0.5]}, "similarity": 5}

        """)
    let inputs = try embed("words.txt")
    #expect(inputs.status == 1)
    #expect(
      inputs.errors.hasSuffix(
        "hint: a line for this model: {\"values\": [0.1, 0.2, 0.3, 0.4]}\n"), "\(inputs.errors)")
    try folder.write("other.csv", "a,b,c,e\n1,2,3,4\n")
    let columns = try embed("other.csv")
    #expect(
      columns.errors.contains(
        "error: other.csv:1: the columns are 'a', 'b', 'c', 'e', the model takes 4 features: 'a', 'b', "
          + "'c', 'd'; too many: 'e'; missing: 'd'\n"))
  }

  @Test func aPairGivesTwoRowsAsCheckTakesThem() throws {
    #expect(try embed("pairs.jsonl").output == "o.npy: float32 [24, 5]\n")
    let judged = try run(["check", "o.npy", "model", "--references", "pairs.jsonl"])
    #expect(judged.status == 0, "\(judged.errors)")
  }

  private func compress(_ flags: [String]) throws -> Program {
    try run(
      [
        "compress", "model", "--output", "x.safetensors", "--references", "pairs.jsonl",
        "--limits", "lenient", "--calibration", "calibration.jsonl", "--json",
      ] + flags)
  }

  /// A line of references helps nobody whose calibration set is of another kind.
  @Test func aFaultOfTheCalibrationSetHasNoHintAboutReferences() throws {
    try folder.write("words.jsonl", "{\"text\": \"a word\"}\n")
    let refused = try run([
      "compress", "model", "--output", "x.safetensors", "--references", "pairs.jsonl",
      "--calibration", "words.jsonl",
    ])
    #expect(refused.status == 1)
    #expect(refused.errors.hasPrefix("error: words.jsonl:1: "), "\(refused.errors)")
    #expect(!refused.errors.contains("hint: a line for this model"), "\(refused.errors)")
  }

  @Test func expectationsNameTheThresholdThatFits() throws {
    let line =
      #"{"a": {"values": [1, 0, 0, 0]}, "b": {"values": [1, 0, 0, 0.1]}, "expect": "match"}"#
    let other =
      #"{"a": {"values": [1, 0, 0, 0]}, "b": {"values": [-1, 2, 3, -4]}, "expect": "mismatch"}"#
    try folder.write("expect.jsonl", "\(line)\n\(other)\n")
    let missing = try run([
      "check", "model", "model", "--references", "expect.jsonl", "--few-references",
    ])
    #expect(
      missing.errors.contains(
        """
        warning: 2 pairs have 'expect', but there is no threshold; nothing was expected
        hint: give the similarity at which the app decides: --threshold 0.5

        """))
    let missed = try run([
      "check", "model", "model", "--references", "expect.jsonl", "--few-references",
      "--threshold", "0.99999999",
    ])
    #expect(
      missed.errors.contains(
        "the baseline itself misses 1 of 2 expectations at the threshold 0.99999999\n"
          + "  line 1 expects a match, its similarity is 0.99"), "\(missed.errors)")
    #expect(missed.errors.contains("  the threshold that fits best is 0."), "\(missed.errors)")
  }

  @Test func overlapIsDroppedOnRequest() throws {
    let pairs = String(decoding: try folder.bytes("pairs.jsonl"), as: UTF8.self)
    let shared = try #require(pairs.firstMatch(of: /\{"values": [^}]*\}/)).0
    // Numbers of the size that those of the pairs have.
    let own = (0..<40).map { number in
      let values = [9, 7, 5, 11].map { Double(number % $0) / Double($0) - 0.5 }
      return "{\"values\": \(values)}\n"
    }.joined()
    try folder.write("calibration.jsonl", own + shared + "\n")
    let refused = try compress([])
    #expect(refused.status == 1)
    #expect(
      refused.errors.contains("hint: leave them out with --drop-overlap, or use other inputs\n"))
    let run = try compress(["--drop-overlap"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.errors.contains(
        "warning: calibration.jsonl: 1 input of the reference set left out of the calibration\n"))
    let calibration = try run.json()["calibration"] as? [String: Any]
    #expect(calibration?["inputs"] as? Int == 40)
    let alone = try self.run([
      "compress", "model", "--output", "x.safetensors", "--drop-overlap",
    ])
    #expect(alone.status == 64)
  }
}
