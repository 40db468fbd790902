import Foundation
import TestSupport
import Testing

/// Outputs made elsewhere, on the command line and in projects.
struct SourceCheckCommandTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeModel()
    try folder.writePairs()
    try writeInputs()
    _ = try run(["embed", "model", "--inputs", "inputs.jsonl", "-o", "vectors.npy", "--quiet"])
  }

  func run(_ arguments: [String]) throws -> Program {
    try Program.run(arguments, in: folder.path)
  }

  func writeInputs(_ name: String = "inputs.jsonl") throws {
    var numbers = SeededGenerator(seed: 9)
    let lines = (0..<20).map { _ in "{\"values\": \((0..<4).map { _ in numbers.float() })}\n" }
    try folder.write(name, lines.joined())
  }

  /// Writes the vectors, each number changed.
  func writeVectors(
    _ name: String = "other.npy", width: Int = 5, _ change: (Int, Float) -> Float
  ) throws {
    let vectors = try #require(Npy(try folder.bytes("vectors.npy")))
    let values = vectors.values.enumerated().map { change($0.offset, $0.element) }
    try folder.write(name, Npy.bytes([values.count / width, width], values))
  }

  @Test func vectorsThatAgreeAreStatusZero() throws {
    let found = try run(["check", "vectors.npy", "model", "--inputs", "inputs.jsonl"])
    #expect(found.status == 0)
    #expect(found.errors.isEmpty)
    #expect(
      found.output
        == "source check: agrees with vectors made elsewhere, cosine min 1 (20 inputs)\n")
    let json = try run(["check", "vectors.npy", "model", "--inputs", "inputs.jsonl", "--json"])
      .json()
    let check = try #require(json["sourceCheck"] as? [String: Any])
    #expect(check["verdict"] as? String == "agrees")
    #expect(check["inputs"] as? Int == 20)
    #expect(check["maxDifference"] as? Double == 0)
    #expect((check["worst"] as? [Any])?.isEmpty == true)
    #expect((check["cosine"] as? [String: Double])?["min"] == 1)
  }

  @Test func vectorsThatDoNotAreStatusThree() throws {
    try writeVectors { $0 < 5 ? $1 + 0.2 : $1 }
    let found = try run(["check", "other.npy", "model", "--inputs", "inputs.jsonl"])
    #expect(found.status == 3)
    #expect(found.output.isEmpty)
    let start = "error: model: disagrees with other.npy on 1 of 20 inputs: cosine min 0."
    #expect(found.errors.hasPrefix(start))
    #expect(found.errors.contains(", line 1: cosine 0."))
    #expect(found.errors.contains(" of the row: given "))
    #expect(found.errors.contains(", the model gives "))
    let json = try run(["check", "other.npy", "model", "--inputs", "inputs.jsonl", "--json"])
    #expect(json.status == 3)
    let check = try #require(try json.json()["sourceCheck"] as? [String: Any])
    #expect(check["verdict"] as? String == "disagrees")
    let worst = try #require(check["worst"] as? [[String: Any]])
    #expect(worst.count == 1 && worst[0]["line"] as? Int == 1)
    let causes = try #require(check["causes"] as? [[String: Any]])
    #expect(causes.map { $0["id"] as? String } == ["some-rows"])
    #expect(causes.compactMap { $0["sentence"] as? String } == check["hints"] as? [String])
  }

  @Test func theCommandThatShowsHowAModelIsReadIsNamed() throws {
    let model = "\(Program.repository)/specs/examples/quickstart/models/sentence-encoder"
    try folder.write("texts.txt", (0..<8).map { "a reminder of \($0) words\n" }.joined())
    _ = try run([
      "embed", model, "--inputs", "texts.txt", "--prompt-text", "query: ", "-o", "prompted.npy",
      "--quiet",
    ])
    let found = try run(["check", "prompted.npy", model, "--inputs", "texts.txt", "--json"])
    #expect(found.status == 3)
    let sentence =
      "every row differs: another prompt (or none), another pooling, or a module after the pooling; "
      + "'ingot inspect' shows how the model is read, and its own library what it does"
    #expect(found.errors.contains("\n  \(sentence)\n"), "\(found.errors)")
    let check = try #require(try found.json()["sourceCheck"] as? [String: Any])
    #expect(check["hints"] as? [String] == [sentence])
    let causes = try #require(check["causes"] as? [[String: Any]])
    #expect(causes.count == 1 && causes[0]["id"] as? String == "every-row")
    #expect(causes[0]["texts"] as? Bool == true)
  }

  @Test func compressSaysWhatWasChecked() throws {
    let base = ["compress", "model", "-o", "small.safetensors", "--references", "pairs.jsonl"]
    let checked = try run(base + ["--source-check", "vectors.npy", "--inputs", "inputs.jsonl"])
    #expect(checked.status == 0)
    #expect(
      checked.output.hasSuffix(
        "source check: agrees with vectors made elsewhere, cosine min 1 (20 inputs)\n"))
    let silent = try run(base)
    #expect(
      silent.output.hasSuffix(
        "source check: nobody checked that outputs are those of where it was trained\n"))
    #expect(try run(base + ["--json"]).json()["sourceCheck"] is NSNull)
  }

  @Test func compressStopsBeforeAnythingIsMade() throws {
    try writeVectors { $1 * ($0 < 50 ? 1 : 1.5) }
    let found = try run([
      "compress", "model", "-o", "small.safetensors", "--source-check", "other.npy", "--inputs",
      "inputs.jsonl",
    ])
    #expect(found.status == 3)
    #expect(found.errors.hasPrefix("error: model: disagrees with other.npy on 10 of 20 inputs"))
    #expect(try !folder.files().contains("small.safetensors"))
  }

  @Test func eachFlagNeedsTheOther() throws {
    for flags in [["--source-check", "vectors.npy"], ["--inputs", "inputs.jsonl"]] {
      let found = try run(["compress", "model", "-o", "small.safetensors"] + flags)
      #expect(found.status == 64)
      #expect(found.errors.contains("needs the "))
    }
    for arguments in [
      ["vectors.npy", "model"], ["model", "vectors.npy", "--inputs", "inputs.jsonl"],
      ["model", "model", "--inputs", "inputs.jsonl"],
      ["vectors.npy", "model", "--inputs", "inputs.jsonl", "--limits", "strict"],
      ["model", "model", "--references", "pairs.jsonl", "--inputs", "inputs.jsonl"],
      [
        "vectors.npy", "model", "--references", "pairs.jsonl", "--inputs", "inputs.jsonl",
        "--source-check", "vectors.npy",
      ],
    ] {
      #expect(try run(["check"] + arguments).status == 64)
    }
  }

  @Test func theGateAndTheCheckRunTogether() throws {
    let flags = [
      "--references", "pairs.jsonl", "--source-check", "vectors.npy", "--inputs", "inputs.jsonl",
    ]
    let found = try run(["check", "model", "model"] + flags)
    #expect(found.status == 0)
    #expect(found.output.hasPrefix("source check: agrees"))
    #expect(found.output.contains("gate: passed standard\n"))
    try writeVectors("vectors.npy") { $1 + Float($0 % 3) }
    let refused = try run(["check", "model", "model"] + flags)
    #expect(refused.status == 3)
    #expect(!refused.output.contains("gate"))
  }

  @Test func filesThatAreNoVectorsAreErrors() throws {
    try writeVectors("short.npy", width: 4) { $1 }
    try writeVectors("bad.npy") { $0 == 7 ? .nan : $1 }
    try folder.write("broken.npy", "no npy")
    for (file, words) in [
      ("short.npy", "has 25 rows, inputs.jsonl has 20 inputs"),
      ("bad.npy", "have numbers that are not finite, first row 1 ("), ("broken.npy", "broken.npy"),
      ("none.npy", "none.npy"),
    ] {
      let found = try run(["check", file, "model", "--inputs", "inputs.jsonl"])
      #expect(found.status == 1)
      #expect(found.errors.contains(words))
    }
  }

  // MARK: Known outputs

  private func writeKnown(_ factor: Float, _ name: String = "known.jsonl") throws {
    try folder.writeFlow("flow", version: 1, weight: 0.5)
    let lines = (1..<21).map { number in
      let known = Float(number) * 0.5 * factor
      return "{\"input\": {\"values\": [\(number), 0]}, \"output\": [\(known)]}\n"
    }
    try folder.write(name, lines.joined())
  }

  @Test func inputsMayComeFromStdin() throws {
    let piped = try Program.shell(
      #""$0" check vectors.npy model --inputs - < inputs.jsonl"#, in: folder.path)
    #expect(piped.status == 0, "\(piped.errors)")
    #expect(piped.errors == "standard input: read as JSON lines\n")
    #expect(piped.output.hasPrefix("source check: agrees with "))
    let twice = try run([
      "check", "model", "model", "--references", "-", "--source-check", "vectors.npy", "--inputs",
      "-",
    ])
    #expect(twice.status == 64)
    #expect(twice.errors.hasPrefix("Error: --references and --inputs are both '-': "))
  }

  @Test func aRegressorTenTimesOffIsAnErrorBeforeAnyCompression() throws {
    try writeKnown(10)
    for arguments in [
      ["check", "flow/v1", "flow/v1", "--references", "known.jsonl", "--limits", "strict"],
      ["compress", "flow/v1", "-o", "small.safetensors", "--references", "known.jsonl"],
    ] {
      let found = try run(arguments)
      #expect(found.status == 1)
      #expect(found.errors.contains("error: known.jsonl: the known outputs are missed"))
      #expect(found.errors.contains("\n  line 20, [20.0, 0.0]: known 100, the baseline gives 10\n"))
      #expect(found.errors.contains("the right numbers are about the model's times 10: a scaling"))
    }
    #expect(try !folder.files().contains("small.safetensors"))
    try writeKnown(1)
    let fine = try run(["check", "flow/v1", "flow/v1", "--references", "known.jsonl"])
    #expect(fine.status == 0)
  }

  let archive = "out/\(TemporaryFolder.archive(TemporaryFolder.apps[0]))"
}
