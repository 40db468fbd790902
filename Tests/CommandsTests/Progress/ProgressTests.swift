import Foundation
import TestSupport
import Testing

/// Progress as people and machines see it.
struct ProgressTests {
  let folder: TemporaryFolder

  /// A network that takes a moment over its inputs.
  init() throws {
    folder = try TemporaryFolder()
    let width = 600
    var numbers = SeededGenerator(seed: 3)
    for layer in 0..<3 {
      try folder.write(
        "m/w\(layer).npy",
        Npy.bytes(
          [width, layer == 0 ? 2 : width],
          (0..<width * (layer == 0 ? 2 : width)).map { _ in
            0.05 * numbers.float()
          }))
    }
    try folder.write(
      "m/model.json",
      """
      {"architecture": "dense", "inputs": [{"name": "a"}, {"name": "b"}],
       "layers": [{"weight": "w0.npy", "activation": "tanh"},
                  {"weight": "w1.npy", "activation": "tanh"}, {"weight": "w2.npy"}],
       "output": {"name": "vector", "kind": "embedding"}}
      """)
    let lines = (0..<6000).map { "{\"values\": [\($0), \(numbers.float())]}\n" }
    try folder.write("in.jsonl", lines.joined())
  }

  private func events(_ run: Program) throws -> [[String: Any]] {
    try run.errors.split(separator: "\n").map { line in
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require(value as? [String: Any])
    }
  }

  @Test(arguments: [[], ["--quiet"]])
  func machinesGetALineForEachWord(_ flags: [String]) throws {
    let run = try Program.run(
      ["embed", "m", "--inputs", "in.jsonl", "-o", "o.npy", "--json-progress"] + flags,
      in: folder.path)
    #expect(run.status == 0)
    #expect(run.output == "o.npy: float32 [6000, 600]\n")
    let events = try events(run)
    for event in events {
      #expect(event["schemaVersion"] as? Int == 1)
      #expect(event["event"] as? String == "progress")
      #expect(event["command"] as? String == "embed")
      #expect(event["step"] as? String == "running inputs")
      #expect(event["total"] as? Int == 6000)
      #expect(event["secondsLeft"] != nil && event["item"] is NSNull)
    }
    let done = events.compactMap { $0["done"] as? Int }
    #expect(done == done.sorted() && done.last == 6000)
  }

  /// The steps of making and judging, each to its end; at most ten lines a second and one a step.
  @Test func everyStepIsToldToItsEnd() throws {
    let pairs = (0..<40).map {
      "{\"a\": {\"values\": [\($0), 1]}, \"b\": {\"values\": [\($0), 0.5]}}\n"
    }
    try folder.write("pairs.jsonl", pairs.joined())
    let start = Date()
    let run = try Program.run(
      [
        "compress", "m", "--references", "pairs.jsonl", "--limits", "lenient", "-o",
        "s.safetensors", "--json-progress",
      ], in: folder.path)
    let seconds = Date().timeIntervalSince(start)
    #expect(run.status == 0, "\(run.errors)")
    let events = try events(run)
    let steps = [
      "compressing", "comparing weights", "running references", "looking for neighbours",
    ]
    for step in steps {
      let last = events.last { $0["step"] as? String == step }
      #expect(last?["done"] as? Int == last?["total"] as? Int && last != nil, "\(step)")
    }
    #expect(events.count <= Int(10 * seconds) + 1 + steps.count)
    #expect(run.errors.contains("\"item\":\"w"))
  }

  @Test func aPipeGetsNoControlCodes() throws {
    let run = try Program.run(
      ["embed", "m", "--inputs", "in.jsonl", "-o", "o.npy"], in: folder.path)
    #expect(run.status == 0 && run.errors.isEmpty)
  }

  /// What a terminal of 30 columns gets, as `script` sees it.
  private func onTerminal(_ flags: String, term: String = "xterm") throws -> String {
    let run = try Program.shell(
      #"script -qec "stty cols 30; '$0' embed m --inputs in.jsonl -o o.npy $1" /dev/null </dev/null"#,
      [flags], in: folder.path, environment: ["TERM": term])
    #expect(run.status == 0)
    return run.output
  }

  @Test(.enabled(if: Program.has("script"), "needs script, of bsdutils"))
  func aTerminalGetsOneLineThatIsRemoved() throws {
    let text = try onTerminal("")
    let parts = text.components(separatedBy: "\r\u{1B}[K")
    #expect(parts.count > 2)
    #expect(parts.first == "")
    for line in parts.dropFirst().dropLast() {
      #expect(line.hasPrefix("running inputs ") && line.count < 30, "\(line)")
    }
    // Nothing is left of it when the answer comes.
    #expect(parts.last == "o.npy: float32 [6000, 600]\r\n")
  }

  @Test(.enabled(if: Program.has("script"), "needs script, of bsdutils"))
  func aTerminalThatKnowsNoCodesGetsNone() throws {
    #expect(try !onTerminal("", term: "dumb").contains("\u{1B}"))
    #expect(try !onTerminal("--quiet").contains("\u{1B}"))
    #expect(try onTerminal("--json-progress").hasPrefix("{\"command\":\"embed\""))
  }

  /// Each step names the candidate that is made.
  @Test func aSearchSaysWhichCandidate() throws {
    let pairs = (0..<120).map {
      "{\"a\": {\"values\": [\($0), 1]}, \"b\": {\"values\": [\($0), 0.5]}}\n"
    }
    try folder.write("pairs.jsonl", pairs.joined())
    let run = try Program.run(
      ["shrink", "m", "--references", "pairs.jsonl", "-o", "s.safetensors", "--json-progress"],
      in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    let candidates = try events(run).filter { $0["mostCandidates"] != nil }
    #expect(candidates.first?["candidate"] as? Int == 1)
    #expect(candidates.contains { $0["step"] as? String == "running references" })
  }
}
