import Foundation
import TestSupport
import Testing

/// The suite that judges clients of The Update Framework, run against ours.
@Suite(
  .enabled(if: Oracle.isAvailable, "INGOT_ORACLE_PYTHON names no Python environment"),
  .enabled(
    if: Oracle.updateConformance != nil,
    "INGOT_TUF_CONFORMANCE names no folder of tuf-conformance"),
  .enabled(if: Program.has("faketime"), "faketime is not installed"))
struct UpdateConformanceTests {
  /// The program of `Tests/TUFClient`, built beside this test.
  private static let client =
    URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path + "/ingot-tuf"

  @Test func everyTestOfTheSuitePasses() throws {
    let suite = try #require(Oracle.updateConformance)
    let scratch = try TemporaryFolder()
    let report = scratch.path("report.xml")
    let output = try Oracle.run(
      program: "/usr/bin/env",
      [
        "-C", scratch.path, try #require(Oracle.python), "-m", "pytest", "-q", "-p",
        "no:cacheprovider",
        "\(suite)/tuf_conformance", "--entrypoint", Self.client, "--junit-xml", report,
      ], environment: ["PYTHONPATH": suite, "PYTHONDONTWRITEBYTECODE": "1"])
    let text = try scratch.text("report.xml")
    for (name, expected) in ["tests": 113, "failures": 0, "errors": 0, "skipped": 0] {
      #expect(text.contains(" \(name)=\"\(expected)\""), "\(output)")
    }
  }
}
