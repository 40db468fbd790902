import TestSupport
import Testing

/// `--limits` with single limits, as in a project.
struct LimitsFlagTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let limits: String
    let fault: String
    var testDescription: String { limits }
  }

  static let faults = [
    Case(limits: "loose", fault: "--limits 'loose' is none of strict, standard, lenient"),
    Case(
      limits: "standard,cosine=0.98",
      fault: "--limits has no limit 'cosine'; known: cosine-mean, cosine-min, "
        + "similarity-drift-mean, similarity-drift-max, neighbour-overlap, calibration-error"),
    Case(
      limits: "standard,cosine-mean=high",
      fault: "--limits gives 'cosine-mean' as 'high', expected a number"),
    Case(
      limits: "cosine-mean=nan", fault: "--limits gives 'cosine-mean' as 'nan', expected a number"),
    Case(
      limits: "strict,cosine-mean=0.9995,cosine-mean=0.9996",
      fault: "--limits gives 'cosine-mean' twice"),
    Case(limits: "strict,lenient", fault: "--limits names two profiles"),
    Case(
      limits: "cosine-mean=2",
      fault: "--limits gives 'cosine-mean' as 2, expected a number from -1 to 1"),
    Case(
      limits: "standard,cosineMean=0.995",
      fault: "--limits has no limit 'cosineMean'; did you mean 'cosine-mean'?"),
    Case(
      limits: "standard, similarity_drift_mean=0.005",
      fault: "--limits has no limit 'similarity_drift_mean'; did you mean 'similarity-drift-mean'?"),
    Case(limits: "weakened,weakened", fault: "--limits names 'weakened' twice"),
  ]

  @Test(arguments: faults) func faultsAreWrongUsage(_ test: Case) throws {
    let run = try Program.run([
      "check", "model", "model", "--references", "pairs.jsonl", "--limits", test.limits,
    ])
    #expect(run.status == 64)
    #expect(run.errors.hasPrefix("Error: \(test.fault)\n"), "\(run.errors)")
  }

  private func check(_ limits: String) throws -> Program {
    let folder = try TemporaryFolder()
    try folder.writeModel()
    try folder.writeModel("other", seed: 2)
    try folder.writePairs()
    return try Program.run(
      ["check", "model", "other", "--references", "pairs.jsonl", "--limits", limits],
      in: folder.path)
  }

  @Test func singleLimitsAreHeld() throws {
    let refused = try check("standard, cosine-mean=0.995")
    #expect(refused.status == 3)
    #expect(refused.errors.contains("is below 0.995 (standard, overridden)"), "\(refused.errors)")
    let passed = try check(
      "cosine-mean=-1,cosine-min=-1,similarity-drift-mean=2,similarity-drift-max=2,"
        + "neighbour-overlap=0,weakened")
    #expect(passed.status == 0, "\(passed.errors)")
  }

  /// Whoever types a weaker limit has said so; the verdict says it again.
  @Test(arguments: [
    ("standard,cosine-mean=0.98", "standard, weakened: cosine mean 0.98"),
    ("standard,cosine-mean=0.98,weakened", "standard, weakened: cosine mean 0.98"),
    (
      "cosine-mean=0.98,cosine-min=0.9,neighbour-overlap=1",
      "standard, weakened: cosine mean 0.98, cosine min 0.9; tightened: neighbour overlap 1"
    ),
    ("strict,cosine-mean=0.9995,weakened", "strict, tightened: cosine mean 0.9995"),
    ("lenient,weakened", "lenient"),
  ])
  func theVerdictNamesLimitsThatAreNotTheProfiles(_ limits: String, _ words: String) throws {
    let folder = try TemporaryFolder()
    try folder.writeModel()
    try folder.writePairs()
    let check = ["check", "model", "model", "--references", "pairs.jsonl", "--limits", limits]
    let run = try Program.run(check, in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("gate: passed \(words)\n"), "\(run.output)")
    let json = try Program.run(check + ["--json"], in: folder.path).json()
    #expect(json["verdict"] as? String == "passed")
    #expect((json["limits"] as? [String: Any])?["words"] as? String == words)
  }

  @Test func compressTakesALimitAsItIsTyped() throws {
    let folder = try TemporaryFolder()
    try folder.writeModel()
    try folder.writePairs()
    let run = try Program.run(
      [
        "compress", "model", "-o", "small.safetensors", "--references", "pairs.jsonl", "--limits",
        "standard,cosine-mean=0.98",
      ], in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.output.hasPrefix("gate: passed standard, weakened: cosine mean 0.98\n"), "\(run.output)")
  }

  @Test func helpListsEveryLimitWithItsDefaults() throws {
    let help = try Program.run(["check", "--help"]).output
    #expect(help.contains("cosine-mean:"))
    #expect(help.contains("strict 0.999, standard 0.99, lenient 0.95."))
    #expect(help.contains("neighbour-overlap:"))
    #expect(help.contains("calibration-error:"))
    #expect(help.contains("; no profile has it."))
  }
}
