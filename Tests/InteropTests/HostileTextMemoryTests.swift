import Foundation
import Testing

/// JSON and YAML made to cost memory: refused, each in a process of its own that stays small.
@Suite(.enabled(if: Oracle.isAvailable, "no oracle environment: run scripts/test"))
struct HostileTextMemoryTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    /// Arguments of `ingot`; `FILE` stands for the hostile file, `MODEL` for a sound model.
    let arguments: [String]
    let file: String
    let content: @Sendable () -> String
    var testDescription: String { name }
  }

  private static let references = ["check", "MODEL", "MODEL", "--references", "FILE"]
  private static let inputs = ["embed", "MODEL", "--inputs", "FILE", "--output", "OUTPUT"]

  static let cases: [Case] = [
    Case(
      name: "one long line of references", arguments: references, file: "r.jsonl",
      content: { #"{"a": {"text": ""# + String(repeating: "x", count: 31_000_000) + #""}}"# }),
    Case(
      name: "many values in a reference", arguments: references, file: "r.jsonl",
      content: { #"{"a": ["# + String(repeating: "0,", count: 15_000_000) + "0]}" }),
    Case(
      name: "many short lines", arguments: references, file: "r.jsonl",
      content: { String(repeating: "{}\n", count: 10_000_000) }),
    Case(
      name: "one long text to embed", arguments: inputs, file: "i.jsonl",
      content: { #"{"text": ""# + String(repeating: "a ", count: 15_000_000) + #""}"# }),
    Case(
      name: "a configuration of brackets", arguments: ["inspect", "FOLDER"], file: "config.json",
      content: { String(repeating: "[", count: 30_000_000) }),
    Case(
      name: "a configuration of small objects", arguments: ["inspect", "FOLDER"],
      file: "config.json", content: { "[" + String(repeating: "{},", count: 5_000_000) + "0]" }),
    Case(
      name: "a project of brackets", arguments: ["validate", "FILE"], file: "ingot.yaml",
      content: { String(repeating: "[", count: 250_000) }),
    Case(
      name: "a project of many keys", arguments: ["validate", "FILE"], file: "ingot.yaml",
      content: { String(repeating: "a: 1\n", count: 5_000_000) }),
    Case(
      name: "a customer list of escapes", arguments: ["validate", "PROJECT"],
      file: "customers.json", content: { "\"" + String(repeating: "\\u0041", count: 2_600_000) }),
  ]

  @Test(arguments: cases)
  func staysSmall(_ testCase: Case) throws {
    let folder = try TemporaryFolder()
    let example = "\(Oracle.repository)/specs/examples/quickstart"
    let file = folder.path(testCase.file)
    if testCase.arguments.contains("PROJECT") {
      try FileManager.default.copyItem(
        atPath: "\(example)/ingot.yaml", toPath: folder.path("ingot.yaml"))
    }
    try Data(testCase.content().utf8).write(to: URL(filePath: file))
    let places = [
      "FILE": file, "FOLDER": folder.path, "PROJECT": folder.path,
      "MODEL": "\(example)/flows/session_length/v5", "OUTPUT": folder.path("out.npy"),
    ]
    let ingot = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "ingot").path
    let text = try Oracle.run(
      "measure.py", ["1", ingot] + testCase.arguments.map { places[$0] ?? $0 })
    let measured = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Double]
    #expect(measured?["status"] == 1)
    #expect(measured?["peakMB"] ?? .infinity < 100)
  }
}
