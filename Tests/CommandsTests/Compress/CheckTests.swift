import Foundation
import TestSupport
import Testing

struct CheckTests {
  static let itself =
    "warning: baseline and candidate are the same bytes: a model was judged by itself\n"

  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeModel()
    try folder.writePairs()
  }

  private func check(_ baseline: String, _ candidate: String, _ flags: [String] = []) throws
    -> Program
  {
    try Program.run(
      ["check", baseline, candidate, "--references", "pairs.jsonl"] + flags, in: folder.path)
  }

  /// Outputs of a model for the reference pairs, `a` then `b`, as `embed` gives them.
  private func writeOutputs(of model: String, to file: String) throws {
    let pairs = String(decoding: try folder.bytes("pairs.jsonl"), as: UTF8.self)
    let sides = pairs.matches(of: /\{"values": [^}]*\}/).map { "\($0.0)\n" }
    #expect(sides.count == 24)
    try folder.write("sides.jsonl", sides.joined())
    let run = try Program.run(
      ["embed", model, "--inputs", "sides.jsonl", "-o", file], in: folder.path)
    #expect(run.status == 0)
  }

  @Test func modelPassesAgainstItself() throws {
    let run = try check("model", "model", ["--limits", "strict"])
    #expect(run.status == 0)
    #expect(run.errors == Self.itself)
    #expect(run.output.hasPrefix("gate: passed strict\n  cosine: mean 1, p1 1, min 1\n"))
    #expect(run.output.hasSuffix("flips: 0; measured on 24 inputs in 12 pairs\n"))
  }

  @Test func jsonHasTheKeysOthersRelyOn() throws {
    let run = try check("model", "model", ["--json", "--quiet"])
    #expect(run.status == 0)
    #expect(run.errors == Self.itself)
    let json = try run.json()
    #expect(json["schemaVersion"] as? Int == 1)
    #expect(json["verdict"] as? String == "passed")
    #expect((json["reasons"] as? [String]) == [])
    let metrics = try #require(json["metrics"] as? [String: Any])
    #expect(
      Set(metrics.keys) == [
        "cosine", "similarityDrift", "neighbourOverlap", "topOneAgreement", "flips", "normDrift",
        "distinct", "inputs", "pairs",
      ])
    #expect(metrics["pairs"] as? Int == 12)
    #expect(metrics["inputs"] as? Int == 24)
    #expect(Set((metrics["cosine"] as? [String: Any] ?? [:]).keys) == ["mean", "p1", "min"])
    let keys = run.output.matches(of: /(?m)^  "([A-Za-z]+)":/).map { String($0.1) }
    #expect(
      keys == [
        "findings", "flips", "limits", "metrics", "reasons", "schemaVersion", "verdict", "warnings",
      ])
  }

  @Test func anotherModelIsRefusedWithReasons() throws {
    try folder.writeModel("other", seed: 9)
    let run = try check("model", "other")
    #expect(run.status == 3)
    #expect(run.output.hasPrefix("gate: refused\n"))
    let lines = run.errors.split(separator: "\n").filter { !$0.hasPrefix("warning: ") }
    #expect(lines.first == "error: other: refused")
    #expect(lines.count > 3)
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("  ") })
    let json = try check("model", "other", ["--json"])
    #expect(json.status == 3)
    #expect(try json.json()["verdict"] as? String == "refused")
    let reasons = try #require(try json.json()["reasons"] as? [String])
    #expect(reasons.map { "  \($0)" } == lines.dropFirst().prefix(reasons.count).map(String.init))
    // What the looser profile would say, in words and in values.
    #expect(lines.count == reasons.count + 3)
    #expect(
      lines.dropLast().last?.hasPrefix("  the limits 'lenient' would refuse it, too: ") == true)
    #expect(lines.last?.contains(" would bring ") == true)
    let profiles = try #require(try json.json()["profiles"] as? [[String: Any]])
    #expect(profiles.map { $0["profile"] as? String } == ["lenient"])
    #expect(profiles.map { $0["passes"] as? Bool } == [false])
  }

  @Test func eitherSideMayBeOutputs() throws {
    try writeOutputs(of: "model", to: "out.npy")
    for (baseline, candidate) in [
      ("out.npy", "model"), ("model", "out.npy"), ("out.npy", "out.npy"),
    ] {
      let run = try check(baseline, candidate)
      #expect(run.status == 0, "\(baseline) \(candidate)")
      #expect(run.output.hasPrefix("gate: passed standard\n"))
    }
  }

  @Test func outputsThatAreNotFiniteAreRefused() throws {
    try writeOutputs(of: "model", to: "out.npy")
    let npy = try #require(Npy(try folder.bytes("out.npy")))
    for bad in [Float.nan, .infinity] {
      var values = npy.values
      values[7] = bad
      try folder.write("bad.npy", Npy.bytes([24, 5], values))
      let run = try check("model", "bad.npy")
      #expect(run.status == 3)
      #expect(run.errors.contains("\nerror: bad.npy: refused\n"))
      #expect(run.errors.contains("not finite"))
      #expect(!run.output.contains("nan"))
    }
  }

  @Test func outputsOfAnotherShapeFail() throws {
    try folder.write("few.npy", Npy.bytes([3, 5], Array(repeating: 1, count: 15)))
    let run = try check("model", "few.npy")
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(
      run.errors == "error: few.npy: has 3 rows, the reference set needs 24 (two per pair)\n")
    try folder.write("narrow.npy", Npy.bytes([24, 2], (0..<48).map { Float($0) }))
    let narrow = try check("model", "narrow.npy")
    #expect(narrow.status == 1)
    #expect(narrow.output.isEmpty)
    #expect(
      narrow.errors
        == "error: the candidate's output is 2 numbers, the baseline's is 5 numbers\n")
  }

  struct Case: CustomTestStringConvertible {
    let name: String
    let text: String?
    let error: String
    var testDescription: String { name }
  }

  static let pair = #"{"a": {"values": [1, 2, 3, 4]}, "b": {"values": [4, 3, 2, 1]}}"#
  static let cases = [
    Case(
      name: "missing", text: nil, error: "pairs.jsonl: cannot open: no such file or directory"),
    Case(
      name: "empty", text: "",
      error: "pairs.jsonl:1:1: the reference set is empty; a model cannot be judged on nothing"),
    Case(
      name: "mixed", text: "\(pair)\n{\"input\": {\"values\": [1, 2, 3, 4]}}\n",
      error: "pairs.jsonl:2:1: this line is a sample, line 1 is a pair; a set holds one kind"),
    Case(
      name: "blank line", text: "\(pair)\n\n\(pair)\n",
      error: "pairs.jsonl:2:1: the line is blank"),
    Case(
      name: "no object", text: "\(pair)\n[]\n",
      error:
        "pairs.jsonl:2:1: a line is an array of 0, expected a string or an object with 'image', "
        + "'text' or 'values', or a line of a reference set"),
    Case(
      name: "one input only", text: #"{"a": {"values": [1]}, "b": {"values": [1]}}"#,
      error:
        "pairs.jsonl:1:1: every pair holds the same input; at least two different ones are needed"
    ),
  ]

  @Test(arguments: cases)
  func badReferenceSetsFailByPlace(_ test: Case) throws {
    try FileManager.default.removeItem(atPath: folder.path("pairs.jsonl"))
    if let text = test.text { try folder.write("pairs.jsonl", text) }
    let run = try check("model", "model")
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    // One right line for the model follows where there is a file to hold it.
    let hint =
      "hint: a line for this model: {\"a\": {\"values\": [0.1, 0.2, 0.3, 0.4]}, "
      + "\"b\": {\"values\": [0.2, 0.3, 0.4, 0.5]}, \"similarity\": 5}\n"
    #expect(run.errors == "error: \(test.error)\n" + (test.text == nil ? "" : hint))
  }

  @Test func fewPairsAreAnErrorUnlessMeant() throws {
    try folder.writePairs(count: 3)
    let refused = try check("model", "model")
    #expect(refused.status == 1)
    #expect(refused.output.isEmpty)
    #expect(
      refused.errors
        == "error: pairs.jsonl: has only 3 pairs, a proof needs 8\n"
        + "hint: add inputs like those the app will see, or say that so few are meant: "
        + "--few-references\n")
    let run = try check("model", "model", ["--few-references"])
    #expect(run.status == 0)
    #expect(
      run.errors
        == Self.itself + "warning: the reference set has only 3 pairs; fewer than 8 say little\n")
  }
}
