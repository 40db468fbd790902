import Foundation
import TestSupport
import Testing

/// Runs every command of the walk-through, as somebody would who reads it.
@Suite(
  .enabled(if: ClipModels.isAvailable, "needs the oracle environment and its models: scripts/test"))
struct ClipWalkthroughTests {
  /// A command of the page with what the page says of it.
  struct Command {
    let line: String
    let status: Int32
    /// Lines of the answer; `…` matches anything.
    var answer: [String] = []
  }

  /// A page taken apart.
  struct Page {
    private(set) var commands: [Command] = []
    /// Blocks of other languages.
    private(set) var texts: [(language: String, text: String)] = []

    init(_ path: String) throws {
      let text = try String(contentsOfFile: path, encoding: .utf8)
      for part in text.components(separatedBy: "```").enumerated() where part.offset % 2 == 1 {
        let lines = part.element.components(separatedBy: "\n")
        guard lines[0] == "console" else {
          texts.append((lines[0], lines.dropFirst().joined(separator: "\n")))
          continue
        }
        for line in lines.dropFirst() where !line.isEmpty { add(line) }
      }
    }

    private mutating func add(_ line: String) {
      guard line.hasPrefix("$ ") else {
        commands[commands.count - 1].answer.append(line)
        return
      }
      let parts = line.dropFirst(2).components(separatedBy: "# status ")
      let status = parts.count > 1 ? Int32(parts[1]) ?? -1 : 0
      commands.append(
        Command(line: parts[0].trimmingCharacters(in: .whitespaces), status: status))
    }
  }

  let folder: TemporaryFolder
  let page: Page

  init() throws {
    folder = try TemporaryFolder()
    page = try Page("\(Oracle.repository)/specs/walkthroughs/clip.md")
    let model = ClipModels.path("openclip-mask")
    try copy(model, "clip")
    _ = try Oracle.run("break_clip.py", [model, folder.path("broken"), "outlier"])
    try copy(folder.path("broken/pairs.jsonl"), "pairs.jsonl")
    try copy("\(model)/images", "images")
    let inputs = try String(contentsOfFile: "\(model)/inputs.jsonl", encoding: .utf8)
      .split(separator: "\n")
    try write("photos.jsonl", inputs.filter { $0.contains("\"image\"") })
    try write("phrases.jsonl", inputs.filter { $0.contains("\"text\"") })
    try FileManager.default.createDirectory(
      atPath: folder.path("project"), withIntermediateDirectories: true)
    for (language, text) in page.texts {
      if language == "yaml" { try write("project/ingot.yaml", [text[...]]) }
      if text.hasPrefix("[{\"bundle_identifiers\"") {
        try write("project/customers.json", [text[...]])
      }
    }
  }

  private func copy(_ source: String, _ name: String) throws {
    try FileManager.default.copyItem(atPath: source, toPath: folder.path(name))
  }

  private func write(_ name: String, _ lines: [Substring]) throws {
    try (lines.joined(separator: "\n") + "\n").write(
      toFile: folder.path(name), atomically: false, encoding: .utf8)
  }

  /// Runs a line in a shell; answers and errors together.
  private func run(_ line: String) throws -> (status: Int32, text: String) {
    let programs = URL(filePath: Program.path).deletingLastPathComponent().path
    let run = try Program.shell(
      "exec 2>&1\n" + line, in: folder.path,
      environment: [
        "PATH": "\(programs):/usr/bin:/bin", "INGOT_STORE": folder.path("store"),
      ])
    return (run.status, run.output)
  }

  /// Whether a line of a text holds the parts of a pattern in their order.
  private static func shows(_ text: String, _ pattern: String) -> Bool {
    let parts = pattern.components(separatedBy: "…").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    return text.split(separator: "\n").contains { line in
      var rest = line
      return parts.allSatisfy { part in
        guard !part.isEmpty else { return true }
        guard let range = rest.range(of: part) else { return false }
        rest = rest[range.upperBound...]
        return true
      }
    }
  }

  @Test func everyCommandDoesWhatThePageSays() throws {
    #expect(page.commands.count >= 15)
    #expect(page.commands.allSatisfy { $0.line.hasPrefix("ingot ") })
    for command in page.commands {
      let found = try run(command.line)
      #expect(found.status == command.status, "\(command.line): \(found.text)")
      for line in command.answer {
        #expect(Self.shows(found.text, line), "\(command.line): \(line)\n\(found.text)")
      }
    }
    let files = FileManager.default
    #expect(!files.fileExists(atPath: folder.path("Text4.mlpackage")), "it was refused")
    #expect(files.fileExists(atPath: folder.path("packages/SHA256SUMS")))
  }

  /// What the page shows of the formats is what the model has.
  @Test func thePairOfThePageStandsInTheSet() throws {
    let pairs = try String(contentsOfFile: folder.path("pairs.jsonl"), encoding: .utf8)
    let shown = try #require(page.texts.first { $0.text.hasPrefix("{\"a\"") }).text
    #expect(pairs.contains(shown.trimmingCharacters(in: .whitespacesAndNewlines)))
  }
}
