import Foundation
import TestSupport
import Testing

/// What `plan` and `shrink` draw, on a terminal that util-linux's `script` makes.
@Suite(.enabled(if: Program.has("script"), "no util-linux"))
struct TerminalTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeShrinkable()
  }

  private static let shrink = [
    "shrink", "model", "--references", "pairs.jsonl", "-o", "s.safetensors",
  ]

  /// The answer on a terminal of 60 columns, its lines ended as in a file.
  private func onTerminal(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> String {
    let words = ([Program.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
    let run = try Program.shell(
      #"script --quiet --return --command "stty cols 60; $1 2>/dev/null" /dev/null </dev/null"#,
      [words], in: folder.path,
      environment: ["TERM": "xterm", "NO_COLOR": ""].merging(environment) { _, new in new })
    #expect(run.status == 0, "\(run.output)")
    return run.output.replacingOccurrences(of: "\r\n", with: "\n")
  }

  @Test func planDrawsTheBytesOfEachLayer() throws {
    let plan = ["plan", "model", "--scheme", "int8"]
    let piped = try Program.run(plan, in: folder.path).output
    let drawn = try onTerminal(plan)
    #expect(drawn.hasPrefix(piped))
    let bars = drawn.dropFirst(piped.count).split(separator: "\n")
    #expect(bars.count == 3 && bars.allSatisfy { $0.count <= 60 })
    #expect(bars.contains { $0.hasPrefix("w1") && $0.contains("████") && $0.hasSuffix("bits") })
  }

  @Test func shrinkDrawsItsCandidates() throws {
    let drawn = try onTerminal(Self.shrink, environment: ["NO_COLOR": "1"])
    #expect(drawn.contains("1 ✓  █") || drawn.contains("1 ✕  █"))
    #expect(drawn.contains("\ndrift  "))
    #expect(!drawn.contains("\u{1B}"))
  }

  @Test func colourIsForTerminalsThatTakeIt() throws {
    #expect(try onTerminal(Self.shrink).contains("\u{1B}[32m"))
    let plain = try onTerminal(Self.shrink, environment: ["TERM": "dumb"])
    #expect(plain.utf8.allSatisfy { $0 < 0x80 && $0 != 0x1B })
    #expect(plain.contains("1 +  #") || plain.contains("1 x  #"))
  }

  @Test func answersForProgramsAreNotDrawnOn() throws {
    for flag in ["--json", "--quiet"] {
      let piped = try Program.run(Self.shrink + [flag], in: folder.path)
      #expect(try onTerminal(Self.shrink + [flag]) == piped.output)
    }
  }
}
