import Foundation
import TestSupport
import Testing

/// `ingot explain` from the outside: a network of 24 features whose two matrices can be stored in
/// several ways.
struct ExplainTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try writeModel("model")
    var numbers = SeededGenerator(seed: 2)
    let pairs = (0..<60).map { _ in
      let sides = (0..<2).map { _ in "{\"values\": \((0..<24).map { _ in numbers.float() })}" }
      return "{\"a\": \(sides[0]), \"b\": \(sides[1])}\n"
    }
    try folder.write("pairs.jsonl", pairs.joined())
  }

  private func writeModel(
    _ name: String, changing change: (inout [Float], inout [Float]) -> Void = { _, _ in }
  ) throws {
    var numbers = SeededGenerator(seed: 7)
    func floats(_ count: Int, _ scale: Float) -> [Float] {
      (0..<count).map { _ in scale * numbers.float() }
    }
    var first = floats(2304, 0.4)
    let bias = floats(96, 0.1)
    var second = floats(6144, 0.2)
    change(&first, &second)
    try folder.write("\(name)/w0.npy", Npy.bytes([96, 24], first))
    try folder.write("\(name)/b0.npy", Npy.bytes([96], bias))
    try folder.write("\(name)/w1.npy", Npy.bytes([64, 96], second))
    let features = (0..<24).map { "{\"name\": \"f\($0)\"}" }.joined(separator: ", ")
    try folder.write(
      "\(name)/model.json",
      """
      {"architecture": "dense", "inputs": [\(features)],
       "layers": [{"weight": "w0.npy", "bias": "b0.npy", "activation": "tanh"},
                  {"weight": "w1.npy"}],
       "output": {"name": "vector", "kind": "embedding"}}
      """)
  }

  private func run(_ words: String...) throws -> Program { try run(words) }

  private func run(_ words: [String]) throws -> Program {
    try Program.run(words, in: folder.path)
  }

  private func explain(_ candidate: String, _ flags: String...) throws -> Program {
    try run(["explain", "model", candidate, "--references", "pairs.jsonl"] + flags)
  }

  private func compress(_ flags: [String], to path: String) throws -> Program {
    try run(["compress", "model", "--output", path, "--json"] + flags)
  }

  private func cosine(_ gate: [String: Any]) throws -> Double {
    let metrics = try #require(gate["metrics"] as? [String: Any])
    return try #require((metrics["cosine"] as? [String: Any])?["mean"] as? Double)
  }

  private static let coarse = [
    ["--scheme", "palettize", "--bits", "2"],
    ["--scheme", "palettize", "--bits", "3", "--granularity", "per-group", "--group-size", "16"],
    ["--scheme", "int4", "--granularity", "per-channel"],
  ]

  /// A mend that is printed is a model that can be made: with its size, and its metrics.
  @Test(arguments: coarse, ["strict", "standard"])
  func theRecipeOfAMendMakesWhatWasPrinted(_ scheme: [String], _ limits: String) throws {
    #expect(try compress(scheme, to: "small.safetensors").status == 0)
    let run = try explain(
      "small.safetensors", "--limits", limits, "--json", "--write-recipe", "mended.yaml")
    #expect(run.status == 0, "\(run.errors)")
    let json = try run.json()
    #expect((json["gate"] as? [String: Any])?["verdict"] as? String == "refused")
    let mend = try #require(json["mend"] as? [String: Any])
    #expect(mend["isInside"] as? Bool == true, "\(mend)")
    #expect((mend["sentence"] as? String)?.hasSuffix(", inside \(limits)") == true)
    let made = try compress(
      ["--recipe", "./mended.yaml", "--references", "pairs.jsonl", "--limits", limits],
      to: "mended.safetensors")
    #expect(made.status == 0, "\(made.errors)")
    let gate = try #require(try made.json()["gate"] as? [String: Any])
    #expect(try cosine(gate) == cosine(mend))
    #expect(
      try weightBytes("mended.safetensors") - weightBytes("small.safetensors")
        == mend["extraBytes"] as? Int)
  }

  /// Bytes of the numbers in a file, its header left out.
  private func weightBytes(_ name: String) throws -> Int {
    let bytes = try folder.bytes(name)
    let header = bytes.prefix(8).enumerated().reduce(0) { $0 + Int($1.element) << (8 * $1.offset) }
    return bytes.count - 8 - header
  }

  @Test func aRefusalOfCompressNamesCulpritsAndMend() throws {
    let run = try compress(
      Self.coarse[0] + ["--references", "pairs.jsonl", "--limits", "strict"],
      to: "small.safetensors")
    #expect(run.status == 3)
    #expect(run.errors.contains("together, 'w0', 'w1' make 100 % of the drift"), "\(run.errors)")
    #expect(run.errors.contains(") would bring similarity drift mean from 0."), "\(run.errors)")
    let explanation = try #require(try run.json()["explanation"] as? [String: Any])
    let culprits = try #require(explanation["culprits"] as? [[String: Any]])
    #expect(culprits.allSatisfy { $0["kind"] as? String == "rounding" } && culprits.count == 2)
    let kept = try self.run(
      ["compress", "model", "-o", "s.safetensors"] + Self.coarse[0])
    #expect(kept.status == 0)
    let check = try self.run(
      "check", "model", "s.safetensors", "--references", "pairs.jsonl", "--limits", "strict",
      "--json")
    #expect(check.status == 3)
    let checked = try #require(try check.json()["explanation"] as? [String: Any])
    #expect(
      try JSONSerialization.data(withJSONObject: checked, options: .sortedKeys)
        == JSONSerialization.data(withJSONObject: explanation, options: .sortedKeys))
  }

  @Test func aFaultIsTakenFromTheModelAsTrained() throws {
    try writeModel("broken") { _, second in
      for place in 96..<192 { second[place] = -second[place] }
    }
    let run = try explain("broken")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("1 of its 64 rows is negated, the first row 1"), "\(run.output)")
    #expect(
      run.output.contains("mend: taking 'w1' from the model as trained (+0 B) would bring "),
      "\(run.output)")
    #expect(run.output.contains("next: make the candidate again from model\n"), "\(run.output)")
  }

  @Test func whatPassesIsExplainedToo() throws {
    #expect(try compress([], to: "small.safetensors").status == 0)
    let run = try explain("small.safetensors", "--json")
    #expect(run.status == 0)
    let json = try run.json()
    #expect((json["gate"] as? [String: Any])?["verdict"] as? String == "passed")
    #expect(json["mend"] is NSNull)
    let culprits = try #require(json["culprits"] as? [[String: Any]])
    #expect(culprits.first?["kind"] as? String == "rounding")
    let text = try explain("small.safetensors")
    #expect(text.output.contains("nothing to mend: it passes standard\n"), "\(text.output)")
  }

  @Test func whatCannotBeExplainedFails() throws {
    let outputs = try explain("vectors.npy")
    #expect(outputs.status == 64)
    #expect(
      outputs.errors.contains("vectors.npy holds outputs; only a model that runs can be explained"))
    #expect(try explain("missing.safetensors").status == 1)
    let none = try explain("model", "--write-recipe", "mended.yaml")
    #expect(none.status == 1)
    #expect(none.errors.contains("mended.yaml: no recipe was found to write"), "\(none.errors)")
    #expect(none.errors.contains("the candidate passes, nothing needs a mend"), "\(none.errors)")
    #expect(none.output.contains("nothing to mend: it passes standard\n"), "\(none.output)")
    #expect(!folder.exists("mended.yaml"))
  }
}
