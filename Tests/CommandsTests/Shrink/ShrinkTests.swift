import Foundation
import TestSupport
import Testing

/// `ingot shrink` from the outside: a network of 24 features whose two matrices can be stored in
/// several ways.
struct ShrinkTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeSearchModel()
    try folder.writeSearchPairs()
    try folder.writeSearchInputs()
  }

  private func shrink(_ flags: String..., output: String = "s.safetensors") throws -> Program {
    try Program.run(
      ["shrink", "model", "--references", "pairs.jsonl", "-o", output] + flags, in: folder.path)
  }

  private func size(_ name: String) throws -> Int { try folder.bytes(name).count }

  @Test(arguments: ["strict", "standard", "lenient"])
  func whatItFindsPassesAndIsSmallerThanINT8(_ limits: String) throws {
    let run = try shrink("--limits", limits, "--json")
    #expect(run.status == 0, "\(run.errors)")
    let json = try run.json()
    let search = try #require(json["search"] as? [String: Any])
    let trials = try #require(search["trials"] as? [[String: Any]])
    #expect(trials.last?["share"] as? String == "verdict")
    #expect(trials.last?["verdict"] as? String == "passed")
    for trial in trials {
      let reasons = try #require(trial["reasons"] as? [String])
      #expect(reasons.isEmpty == (trial["verdict"] as? String == "passed"))
    }
    #expect((json["gate"] as? [String: Any])?["verdict"] as? String == "passed")
    #expect(json["sizeBytes"] as? Int == (try size("s.safetensors")))
    let plain = try Program.run(
      [
        "compress", "model", "--references", "pairs.jsonl", "-o", "int8.safetensors", "--limits",
        limits,
      ],
      in: folder.path)
    #expect(plain.status == 0)
    #expect(try size("s.safetensors") <= size("int8.safetensors"))
    let check = try Program.run(
      ["check", "model", "s.safetensors", "--references", "pairs.jsonl", "--limits", "lenient"],
      in: folder.path)
    #expect(check.status == 0, "\(check.errors)")
  }

  /// Why nothing smaller was written: the reason against the next smaller candidate, or the limit that
  /// is nearest.
  @Test(arguments: [("lenient", "of weights were refused: "), ("strict", "nearest to its limit: ")])
  func itSaysWhatStopsIt(_ limits: String, _ words: String) throws {
    let run = try shrink("--limits", limits)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains(words), "\(run.output)")
  }

  /// No input is in both shares, and together they are the whole set.
  @Test func theSharesAreInTheAnswer() throws {
    let json = try shrink("--json").json()
    let search = try #require(json["search"] as? [String: Any])
    let shares = try #require(search["references"] as? [String: [String: Any]])
    let lines = shares.values.compactMap { $0["lines"] as? Int }
    #expect(lines.count == 2 && lines.reduce(0, +) == 160)
    #expect(lines.allSatisfy { $0 > 40 })
    #expect(shares["search"]?["sha256"] as? String != shares["verdict"]?["sha256"] as? String)
  }

  @Test func theRecipeGivesTheSameBytes() throws {
    for fitting in [[], ["--calibration", "inputs.jsonl"]] {
      let run = try Program.run(
        [
          "shrink", "model", "--references", "pairs.jsonl", "-o", "s.safetensors",
          "--write-recipe", "found.yaml",
        ] + fitting, in: folder.path)
      #expect(run.status == 0, "\(run.errors)")
      let again = try Program.run(
        ["compress", "model", "--recipe", "./found.yaml", "-o", "again.safetensors"] + fitting,
        in: folder.path)
      #expect(again.status == 0, "\(again.errors)")
      #expect(try folder.bytes("s.safetensors") == folder.bytes("again.safetensors"))
    }
  }

  @Test func theBytesDoNotDependOnThreads() throws {
    let outputs = try [1, 2, 5].map { jobs in
      let run = try shrink("--jobs", "\(jobs)", "--calibration", "inputs.jsonl")
      #expect(run.status == 0, "\(run.errors)")
      return try folder.bytes("s.safetensors")
    }
    #expect(outputs.allSatisfy { $0 == outputs[0] })
  }

  @Test(arguments: [7_000, 9_000, 14_000, 60_000])
  func aBudgetIsKept(_ budget: Int) throws {
    let run = try shrink("--budget", "\(budget)", "--limits", "lenient", "--json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try size("s.safetensors") <= budget)
    let search = try #require(try run.json()["search"] as? [String: Any])
    let trials = try #require(search["trials"] as? [[String: Any]])
    #expect(trials.count == 1)
  }

  @Test func aLargerBudgetLosesLess() throws {
    let losses = try ["7kB", "9kB", "14kB"].map { budget in
      let run = try shrink("--budget", budget, "--limits", "lenient", "--json")
      #expect(run.status == 0, "\(run.errors)")
      let gate = try #require(try run.json()["gate"] as? [String: Any])
      let metrics = try #require(gate["metrics"] as? [String: Any])
      return 1 - (try #require((metrics["cosine"] as? [String: Any])?["mean"] as? Double))
    }
    #expect(losses == losses.sorted(by: >))
  }

  /// What a package takes besides weights is counted as it will be written.
  @Test func aPackageIsFoundAgainWithItsSizeAsTheBudget() throws {
    func bytes(_ arguments: String..., output: String) throws -> Int {
      let run = try Program.run(
        ["shrink", "model", "--references", "pairs.jsonl", "-o", output, "--json"] + arguments,
        in: folder.path)
      #expect(run.status == 0, "\(run.errors)")
      return try #require(try run.json()["sizeBytes"] as? Int)
    }
    let size = try bytes(output: "S.mlpackage")
    #expect(try bytes("--budget", "\(size + 100)", output: "T.mlpackage") <= size + 100)
  }

  @Test func aBudgetBelowTheSmallestIsRefusedWithTheSmallest() throws {
    let run = try shrink("--budget", "900")
    #expect(run.status == 1)
    #expect(run.errors.contains("the smallest model has"), "\(run.errors)")
    #expect(run.errors.contains("the budget is 900 B"), "\(run.errors)")
    #expect(try folder.names() == ["inputs.jsonl", "model", "pairs.jsonl"])
  }

  /// The best of a size that the limits refuse: what it would take besides.
  @Test func aBudgetThatIsTooSmallForTheLimitsSaysWhatWouldBeEnough() throws {
    let two = try Program.run(
      [
        "compress", "model", "-o", "two.safetensors", "--scheme", "palettize", "--bits", "2",
      ], in: folder.path)
    #expect(two.status == 0)
    let budget = try size("two.safetensors") + 1000
    let run = try shrink("--budget", "\(budget)", "--limits", "strict", "--json")
    #expect(run.status == 3, "\(run.errors)")
    let explanation = try #require(try run.json()["explanation"] as? [String: Any])
    let mend = try #require(explanation["mend"] as? [String: Any])
    #expect(mend["isInside"] as? Bool == true, "\(mend)")
    let sentence = try #require(mend["sentence"] as? String)
    #expect(sentence.hasSuffix(", inside strict"), "\(sentence)")
    #expect(run.errors.contains("  \(sentence)\n"), "\(run.errors)")
    #expect(!folder.exists("s.safetensors"))
  }

  @Test func limitsThatNothingMeetsAreARefusalWithWhatStopsIt() throws {
    // Even weights that are kept are rounded to float16 in a package.
    let run = try shrink(
      "--limits", "strict,similarity-drift-max=0.0000000001", output: "S.mlpackage")
    #expect(run.status == 3)
    #expect(run.errors.contains("refused, nothing was written to S.mlpackage"))
    #expect(run.errors.contains("similarity drift max"), "\(run.errors)")
    #expect(try folder.names() == ["inputs.jsonl", "model", "pairs.jsonl"])
  }

  @Test func tooFewReferencesSayHowManyAreNeeded() throws {
    try folder.writeSearchPairs("pairs.jsonl", count: 9, seed: 4)
    let run = try shrink()
    #expect(run.status == 1)
    #expect(run.errors.contains("of 8 that are needed"), "\(run.errors)")
    #expect(run.errors.contains("32 lines or more"), "\(run.errors)")
    try folder.writeSearchPairs("verdict.jsonl", count: 9, seed: 5)
    #expect(try shrink("--verdict", "verdict.jsonl").status == 0)
  }

  @Test func noShareIsEmptyEvenWhereFewAreMeant() throws {
    try folder.writeSearchPairs("pairs.jsonl", count: 1, seed: 4)
    let run = try shrink("--few-references")
    #expect(run.status == 1)
    #expect(run.errors.contains("has 0 lines of 1 that are needed"), "\(run.errors)")
  }

  @Test(arguments: ["s.safetensors", "./s.safetensors", "model/../s.safetensors"])
  func theRecipeDoesNotReplaceTheModel(_ path: String) throws {
    let run = try shrink("--write-recipe", path)
    #expect(run.status == 1)
    #expect(run.errors.contains("is the --output of this very command"), "\(run.errors)")
    #expect(try folder.names() == ["inputs.jsonl", "model", "pairs.jsonl"])
  }

  @Test func aVerdictOnWhatTheSearchSawIsRefused() throws {
    let run = try shrink("--verdict", "pairs.jsonl")
    #expect(run.status == 1)
    #expect(run.errors.contains("is an input of pairs.jsonl too"), "\(run.errors)")
  }

  @Test func calibrationOnReferencesIsRefused() throws {
    let pairs = String(decoding: try folder.bytes("pairs.jsonl"), as: UTF8.self)
    let first = try #require(pairs.firstMatch(of: /"a": (\{[^}]*\})/)).1
    try folder.write(
      "inputs.jsonl", folder.searchLines(50, seed: 9).joined(separator: "\n") + "\n\(first)\n")
    let run = try shrink("--calibration", "inputs.jsonl")
    #expect(run.status == 1)
    #expect(run.errors.contains("--drop-overlap"), "\(run.errors)")
    #expect(try shrink("--calibration", "inputs.jsonl", "--drop-overlap").status == 0)
  }

  @Test func aPackageOfAnOldSystemGetsWhatThatLoads() throws {
    let run = try Program.run(
      [
        "shrink", "model", "--references", "pairs.jsonl", "-o", "S.mlpackage",
        "--minimum-deployment-target", "iOS16", "--json",
      ], in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    let tensors = try #require(try run.json()["tensors"] as? [[String: Any]])
    let schemes = tensors.compactMap { $0["scheme"] as? String }
    #expect(!schemes.contains { $0.contains("groups") || $0.contains("block") }, "\(schemes)")
    // Palettes of whole weights are among it.
    #expect(schemes.contains { $0.hasSuffix("per tensor") }, "\(schemes)")
    let int8 = try Program.run(
      ["compress", "model", "-o", "I.mlpackage", "--scheme", "int8", "--json"], in: folder.path)
    let bytes = try #require(try run.json()["sizeBytes"] as? Int)
    #expect(10 * bytes < 9 * (try #require(try int8.json()["sizeBytes"] as? Int)))
  }

  /// Names are found again as they are, whatever a pattern would make of them.
  @Test func weightsWithTheNamesOfPatternsAreFoundAgain() throws {
    for (old, new) in [("w0.npy", "w*.npy"), ("w1.npy", "w[?].npy")] {
      try FileManager.default.moveItem(
        atPath: folder.path("model/\(old)"), toPath: folder.path("model/\(new)"))
      try folder.write(
        "model/model.json", try folder.text("model/model.json").replacing(old, with: new))
    }
    let run = try shrink("--write-recipe", "r.yaml")
    #expect(run.status == 0, "\(run.errors)")
    let again = try Program.run(
      ["compress", "model", "--recipe", "./r.yaml", "-o", "again.safetensors"], in: folder.path)
    #expect(again.status == 0, "\(again.errors)")
    #expect(try folder.bytes("again.safetensors") == folder.bytes("s.safetensors"))
    #expect(try folder.text("r.yaml").contains("w[*]"))
  }

  @Test func aRecipeInTheModelsFolderIsWrittenAnew() throws {
    for limits in ["strict", "lenient"] {
      let run = try shrink("--limits", limits, "--write-recipe", "model/r.yaml")
      #expect(run.status == 0, "\(run.errors)")
    }
  }

  @Test(arguments: ["0", "12XB", "MB", "-3", "1e9999"])
  func aBudgetThatIsNoSizeIsWrongUsage(_ budget: String) throws {
    #expect(try shrink("--budget=\(budget)").status == (budget == "0" ? 1 : 64))
  }
}
