import Foundation
import TestSupport
import Testing

/// Progress of commands that look at what is there: their answers are the same with it.
struct CommandProgressTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// How far each step was when it ended, in the order of the steps.
  private struct Ends {
    var steps: [String] = []
    var last: [String: [Int?]] = [:]
  }

  /// Runs a command with `--json-progress`, and takes its other words for those that it has without.
  private func ends(of arguments: [String], status: Int32) throws -> Ends {
    let plain = try Program.run(arguments, in: folder.path)
    let run = try Program.run(arguments + ["--json-progress"], in: folder.path)
    #expect(run.status == status && plain.status == status, "\(run.errors)")
    #expect(run.output == plain.output)
    let lines = run.errors.split(separator: "\n")
    #expect(lines.filter { !$0.hasPrefix("{") } == plain.errors.split(separator: "\n"))
    return try lines.filter { $0.hasPrefix("{") }.reduce(into: Ends()) { ends, line in
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      let event = try #require(value as? [String: Any])
      let step = try #require(event["step"] as? String)
      #expect(event["command"] as? String == arguments[0])
      if ends.steps.last != step { ends.steps.append(step) }
      ends.last[step] = [event["done"] as? Int, event["total"] as? Int]
    }
  }

  @Test func validateCountsModels() throws {
    try folder.writeProject()
    let build = ["build", "project", "--output", "out", "--no-store", "--quiet"]
    // One customer's flow is refused.
    #expect(try Program.run(build, in: folder.path).status == 3)
    let ends = try ends(of: ["validate", "project", "--output", "out"], status: 0)
    #expect(ends.steps == ["reading customers", "looking at models", "hashing inputs"])
    #expect(
      ends.last == [
        "reading customers": [0, nil], "looking at models": [4, 4], "hashing inputs": [4, 4],
      ])
  }

  /// Two arrays of 1.44 MB on each side; the last values are others.
  private func writeModels() throws {
    let width = 600
    var values = [Float](repeating: 0.5, count: width * width)
    for model in ["m", "n"] {
      for name in ["w0", "w1"] {
        try folder.write("\(model)/\(name).npy", Npy.bytes([width, width], values))
      }
      values[values.count - 1] = 0.25
      let inputs = (0..<width).map { "{\"name\": \"x\($0)\"}" }.joined(separator: ", ")
      try folder.write(
        "\(model)/model.json",
        """
        {"architecture": "dense", "inputs": [\(inputs)],
         "layers": [{"weight": "w0.npy", "activation": "tanh"}, {"weight": "w1.npy"}],
         "output": {"name": "vector", "kind": "embedding"}}
        """)
    }
  }

  @Test func diffCountsMegabytesAndTensors() throws {
    try writeModels()
    let ends = try ends(of: ["diff", "m", "n"], status: 1)
    #expect(ends.steps == ["comparing megabytes", "comparing tensors"])
    #expect(ends.last == ["comparing megabytes": [2, 2], "comparing tensors": [2, 2]])
  }

  /// A blob of 2.5 MB that is not what its name says.
  private func writeStore() throws {
    let name = String(repeating: "ab", count: 32)
    try folder.write("s/cas/ab/\(name)", [UInt8](repeating: 7, count: 2_500_000))
  }

  @Test func storeCountsMegabytesAndFiles() throws {
    try writeStore()
    let ends = try ends(of: ["store", "check", "--store", "s"], status: 1)
    #expect(ends.steps == ["hashing megabytes"])
    #expect(ends.last == ["hashing megabytes": [2, 2]])
    let run = try Program.run(
      ["store", "gc", "--store", "s", "--json-progress"], in: folder.path)
    #expect(run.status == 0)
    let last = run.errors.split(separator: "\n").last { $0.hasPrefix("{") } ?? ""
    #expect(last.contains(#""done":1"#) && last.contains(#""step":"removing files""#), "\(last)")
  }

  @Test func doctorCountsChecks() throws {
    let run = try Program.run(["doctor", "--json", "--json-progress"], in: folder.path)
    #expect(run.status == 0)
    #expect(try run.json()["verdict"] as? String == "fit")
    let last = run.errors.split(separator: "\n").last ?? ""
    #expect(last.contains(#""done":6"#) && last.contains(#""total":6"#), "\(last)")
    #expect(last.contains(#""step":"looking at this machine""#), "\(last)")
  }

  /// The line is gone when the answer comes, and the answer is the one that a pipe gets.
  @Test(
    .enabled(if: Program.has("script"), "needs script, of bsdutils"),
    arguments: [
      ("validate project", "reading customers"), ("diff m n", "comparing megabytes"),
      ("store check --store s", "hashing megabytes"),
    ])
  func aTerminalGetsALineThatIsRemoved(_ test: (command: String, step: String)) throws {
    try folder.writeProject()
    try writeModels()
    try writeStore()
    let arguments = test.command.split(separator: " ").map(String.init)
    let plain = try Program.run(arguments, in: folder.path)
    let run = try Program.shell(
      #"script -qec "stty cols 60; '$0' $1" /dev/null </dev/null"#, [test.command],
      in: folder.path, environment: ["TERM": "xterm", "NO_COLOR": "1"])
    #expect(run.status == plain.status)
    let parts = run.output.components(separatedBy: "\r\u{1B}[K")
    #expect(parts.count > 2 && parts[0] == "" && parts[1].hasPrefix(test.step), "\(parts)")
    #expect(parts.last == (plain.output + plain.errors).replacing("\n", with: "\r\n"))
  }
}
