import Foundation
import TestSupport
import Testing

/// JSON and YAML made to cost memory: refused, each in a process of its own that stays small.
struct HostileTextMemoryTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    /// Arguments of `ingot`; names in capitals are placeholders.
    let arguments: [String]
    let file: String
    let content: @Sendable () -> String
    /// The message about the file, behind its path.
    let error: String
    var testDescription: String { name }

    init(
      _ name: String, _ arguments: [String], _ file: String, _ error: String,
      _ content: @autoclosure @escaping @Sendable () -> String
    ) {
      self.name = name
      self.arguments = arguments
      self.file = file
      self.content = content
      self.error = error
    }
  }

  private static let references = ["check", "MODEL", "MODEL", "--references", "FILE"]
  private static let inputs = ["embed", "MODEL", "--inputs", "FILE", "--output", "OUTPUT"]
  /// The folder holds sound weights, so that the configuration is read.
  private static let configuration = [
    "embed", "FOLDER", "--inputs", "SENTENCES", "--output", "OUTPUT",
  ]

  private static func many(_ part: String, _ count: Int) -> String {
    String(repeating: part, count: count)
  }

  static let cases: [Case] = [
    Case(
      "one long line of references", references, "r.jsonl",
      ":1:1: the line has 31000019 bytes, at most 1048576 are read",
      #"{"a": {"text": ""# + many("x", 31_000_000) + #""}}"#),
    Case(
      "a line of many values", references, "r.jsonl",
      ":1:600017: the text holds more than 300000 values",
      #"{"input": {"values": ["# + many("0,", 500_000) + "0]}}"),
    Case(
      "a line of many objects", references, "r.jsonl",
      ":1:900006: the text holds more than 300000 values",
      #"{"input": ["# + many("{},", 340_000) + "0]}"),
    Case(
      "many short lines", references, "r.jsonl",
      ":1:1: an input needs 'image', 'text' or 'values'", many("{}\n", 10_000_000)),
    Case(
      "one long text to embed", inputs, "i.jsonl",
      ":1:1: the line has 30000012 bytes, at most 1048576 are read",
      #"{"text": ""# + many("a ", 15_000_000) + #""}"#),
    Case(
      "a configuration beyond the limit", configuration, "config.json",
      ": has 30000000 bytes, the limit for such a file is 16777216", many("[", 30_000_000)),
    Case(
      "a configuration of brackets", configuration, "config.json",
      ":1:66: values nest deeper than 64 levels", many("[", 16_000_000)),
    Case(
      "a configuration of small objects", configuration, "config.json",
      ":1:900001: the text holds more than 300000 values",
      #"{"a":["# + many("{},", 5_000_000) + "0]}"),
    Case(
      "a configuration of many keys", configuration, "config.json",
      ":1:4088889: the text holds more than 300000 values",
      "{" + (0..<1_000_000).map { #""k\#($0)": {}"# }.joined(separator: ",") + "}"),
    Case(
      "a project of brackets", ["validate", "FILE"], "ingot.yaml",
      ":1:1: values nest deeper than 32 levels", many("[", 250_000)),
    Case(
      "a project beyond the limit", ["validate", "FILE"], "ingot.yaml",
      ":1:1: has 25000000 bytes, the limit for such a file is 262144", many("a: 1\n", 5_000_000)),
    Case(
      "a project of many keys", ["validate", "FILE"], "ingot.yaml",
      ":1:1: a key appears twice", many("a: 1\n", 50_000)),
    Case(
      "a customer list of escapes", ["validate", "PROJECT"], "customers.json",
      ":1:15600002: the text ends inside a string", "\"" + many("\\u0041", 2_600_000)),
  ]

  @Test(arguments: cases)
  func staysSmall(_ testCase: Case) throws {
    let folder = try TemporaryFolder()
    let example = "\(Oracle.repository)/specs/examples/quickstart"
    let encoder = "\(example)/models/sentence-encoder"
    let sound =
      testCase.arguments.contains("PROJECT")
      ? ["ingot.yaml", "models", "references"].map { "\(example)/\($0)" }
      : ["\(encoder)/model.safetensors", "\(encoder)/tokenizer.json"]
    for path in sound {
      let name = URL(filePath: path).lastPathComponent
      try FileManager.default.copyItem(atPath: path, toPath: folder.path(name))
    }
    let file = folder.path(testCase.file)
    try Data(testCase.content().utf8).write(to: URL(filePath: file))
    let places = [
      "FILE": file, "FOLDER": folder.path, "PROJECT": folder.path,
      "MODEL": "\(example)/flows/session_length/v5", "OUTPUT": folder.path("out.npy"),
      "SENTENCES": Oracle.fixture("sentences.jsonl"),
    ]
    let measured = try Oracle.measure([Program.path] + testCase.arguments.map { places[$0] ?? $0 })
    #expect(measured["status"] as? Int == 1)
    let lines = (measured["errors"] as? String ?? "").split(separator: "\n")
    #expect(lines.first.map(String.init) == "error: \(file)\(testCase.error)")
    // A line that would be right may follow, nothing else.
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("hint: a line for this model: ") })
    #expect(lines.count <= 2)
    #expect(measured["peakMB"] as? Double ?? .infinity < 100)
  }
}
