import Foundation
import TestSupport
import Testing

/// Pages of `--report` as a browser shows them: Debian's Chromium, without a window.
@Suite(.enabled(if: Program.has("chromium"), "no chromium"))
struct ReportInteropTests {
  let folder: TemporaryFolder
  private let quickstart = "\(Program.repository)/specs/examples/quickstart"

  init() throws { folder = try TemporaryFolder() }

  /// What `look_at_report.py` found on a page; a fault of it fails the test.
  private func look(at page: String) throws -> [String: Any] {
    let script = "\(Program.repository)/scripts/oracles/look_at_report.py"
    let text = try Oracle.run(
      program: "/usr/bin/env", ["python3", script, folder.path(page)])
    let found = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    #expect(found["faults"] as? [String] == [])
    #expect(found["untouched"] as? Bool == true)
    return found
  }

  private func ingot(_ arguments: String..., status: Int32) throws {
    let run = try Program.run(arguments, in: folder.path)
    #expect(run.status == status, "\(run.errors)")
  }

  /// Pairs of texts that try to be more than texts.
  private func writeHostilePairs() throws {
    let signs = [
      "<script>window.touched = 1</script>", "\"><img src=x onerror=\"window.touched = 1\">",
      "\"\u{301} onmouseover=\"window.touched = 1", "</style><h1>Passed</h1>", "\u{202E}desserp",
      "<a href=\"https://example.com\">here</a>", "صباح الخير",
      String(repeating: "long", count: 300),
    ]
    let lines = try (0..<40).map { number in
      let pair = [
        "a": ["text": "\(signs[number % signs.count]) \(number)"],
        "b": ["text": "\(signs[(number / 2) % signs.count]) water \(number)"],
      ]
      return String(decoding: try JSONEncoder().encode(pair), as: UTF8.self) + "\n"
    }
    try folder.write("pairs.jsonl", lines.joined())
  }

  @Test func aSearchIsReadableEverywhere() throws {
    try writeHostilePairs()
    try ingot(
      "shrink", "\(quickstart)/models/sentence-encoder", "--references", "pairs.jsonl", "-o",
      "s.safetensors", "--limits", "lenient", "--report", "r.html", status: 0)
    let found = try look(at: "r.html")
    #expect(found["points"] as? Int == found["candidates"] as? Int)
    #expect((found["points"] as? Int ?? 0) >= 2)
    #expect((found["limits"] as? Int ?? 0) >= 1)
    #expect((found["layers"] as? Int ?? 0) >= 2)
    #expect(found["pairs"] as? Int == 8)
    #expect(found["models"] as? Int == 1)
  }

  @Test func picturesAreShownBesideTheirTexts() throws {
    try TinyClip.write(to: folder.path("clip"))
    try TinyClip.writePairs(to: folder.path)
    try ingot(
      "compress", "clip", "--encoder", "image", "--references", "pairs.jsonl", "-o",
      "s.safetensors", "--scheme", "palettize", "--bits", "1", "--report", "r.html", status: 3)
    let found = try look(at: "r.html")
    #expect((found["headings"] as? [String])?.contains("Why it was refused") == true)
    // One in each pair at least.
    #expect((found["images"] as? Int ?? 0) >= 8)
  }

  @Test func aProjectIsReadableEverywhere() throws {
    try ingot(
      "build", quickstart, "-o", "out", "--no-store", "--report", "r.html", status: 3)
    let found = try look(at: "r.html")
    #expect((found["models"] as? Int ?? 0) >= 4)
    #expect((found["roles"] as? [String: Int])?["navigation"] == 1)
  }
}
