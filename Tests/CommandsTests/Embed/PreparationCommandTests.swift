import Foundation
import TestSupport
import Testing

/// A Core ML package's words about itself, and the files beside it.
struct PreparationCommandTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeModel()
  }

  private func compress(_ flags: [String]) throws -> Program {
    try Program.run(
      ["compress", "model", "--format", "mlpackage", "-o", "X.mlpackage", "--quiet"] + flags,
      in: folder.path)
  }

  private func metadata() throws -> [String: String] {
    let json = try Program.run(["inspect", "X.mlpackage", "--json"], in: folder.path).json()
    return try #require(json["metadata"] as? [String: String])
  }

  @Test func flagsStandInThePackage() throws {
    let made = try compress(["--author", "Ours", "--license", "MIT", "--description", "A model"])
    #expect(made.status == 0)
    let metadata = try metadata()
    #expect(metadata["author"] == "Ours")
    #expect(metadata["license"] == "MIT")
    #expect(metadata["shortDescription"] == "A model")
  }

  @Test func cardStandsInThePackage() throws {
    try folder.write("model/README.md", "---\nlicense: apache-2.0\npipeline_tag: x\n---\n# Flows\n")
    #expect(try compress(["--author", "Ours"]).status == 0)
    let metadata = try metadata()
    #expect(metadata["author"] == "Ours")
    #expect(metadata["license"] == "apache-2.0")
    #expect(metadata["shortDescription"] == "Flows: x")
  }

  /// Values of metadata are whatever the package says; none passes for a line of the report.
  @Test func everyValueOfTheMetadataIsOneLine() throws {
    let forged = "A\nfindings: none\u{1B}[2J"
    #expect(try compress(["--author", forged, "--description", " B\u{202E} "]).status == 0)
    let report = try Program.run(["inspect", "X.mlpackage"], in: folder.path).output
    #expect(report.contains("\nauthor: A\\nfindings: none\\u{1B}[2J\n"), "\(report)")
    #expect(report.contains("\nshortDescription: \" B\\u{202E} \"\n"), "\(report)")
    #expect(try metadata()["author"] == forged)
  }

  /// Neither card nor flags: not a byte of them.
  @Test func nothingIsInvented() throws {
    #expect(try compress([]).status == 0)
    let keys = try metadata().keys.sorted()
    #expect(keys == ["dev.ingot.features", "dev.ingot.recipe", "dev.ingot.weights"])
  }

  @Test func usageLiesBeside() throws {
    #expect(try compress(["--with-preparation"]).status == 0)
    let page = try String(contentsOfFile: "\(folder.path)/USAGE.md", encoding: .utf8)
    let json = try Program.run(["inspect", "X.mlpackage", "--json"], in: folder.path).json()
    for key in ["inputs", "outputs"] {
      let features = try #require(json[key] as? [[String: Any]])
      #expect(!features.isEmpty)
      for feature in features {
        #expect(page.contains("\"\(feature["name"] as? String ?? "?")\""))
      }
    }
    #expect(page.contains(#"forResource: "X", withExtension: "mlmodelc""#))
    // The same again does not conflict.
    #expect(try compress(["--with-preparation"]).status == 0)
  }

  /// The package calls features by numbers, the model by their names; names of others are quoted.
  @Test func namesAreTheModelsAndAreQuoted() throws {
    let name = #"A "b" \(c) `d`"#
    let made = try Program.run(
      ["compress", "model", "-o", name + ".mlpackage", "--with-preparation", "--quiet"],
      in: folder.path)
    try #require(made.status == 0, "\(made.errors)")
    let page = try String(contentsOfFile: "\(folder.path)/USAGE.md", encoding: .utf8)
    #expect(page.hasPrefix("# How to run ``\(name).mlpackage``\n"), "\(page)")
    #expect(page.contains(#"(forResource: "A \"b\" \\(c) `d`", withExtension: "mlmodelc")"#))
    #expect(page.contains("The features, 4 numbers in this order: `a`, `b`, `c`, `d`."))
  }

  /// What an app does to tokens is what the package was proven with: those that are too many are left
  /// out between the special ones, those that are missing are filled up behind.
  @Test(arguments: [
    (lengths: "32", length: "32"),
    (lengths: "16,32", length: "[16, 32].first { $0 >= kept.count } ?? 32"),
    (lengths: "1...32", length: "kept.count"), (lengths: "8...32", length: "max(kept.count, 8)"),
  ])
  func tokensAreCutAndFilledUpAsProven(_ test: (lengths: String, length: String)) throws {
    let encoder = "\(Program.repository)/specs/examples/quickstart/models/sentence-encoder"
    let made = try Program.run(
      [
        "compress", encoder, "-o", "T.mlpackage", "--lengths", test.lengths, "--with-preparation",
        "--quiet",
      ], in: folder.path)
    try #require(made.status == 0, "\(made.errors)")
    let page = try String(contentsOfFile: "\(folder.path)/USAGE.md", encoding: .utf8)
    #expect(
      page.contains(
        """
        ```swift
        var kept = tokens
        if kept.count > 32 { kept.removeSubrange(31..<(kept.count - 1)) }
        let length = \(test.length)
        let ids = try MLMultiArray(shape: [1, NSNumber(value: length)], dataType: .int32)
        let mask = try MLMultiArray(shape: [1, NSNumber(value: length)], dataType: .int32)
        for place in 0..<length {
          ids[place] = NSNumber(value: place < kept.count ? kept[place] : 0)
          mask[place] = place < kept.count ? 1 : 0
        }
        """), "\(page)")
    #expect(page.contains("`padding`, which `tokenizer.json` may name, have to be switched off:"))
    #expect(
      page.contains(
        "the special tokens, 1 before the text and 1 behind it, stay."), "\(page)")
  }

  @Test func textsThatAreCutAtTheBeginningKeepTheirEnd() throws {
    try copyEncoder()
    try folder.write("text/tokenizer_config.json", #"{"truncation_side": "left"}"#)
    let made = try Program.run(
      ["compress", "text", "-o", "T.mlpackage", "--lengths", "32", "--with-preparation"],
      in: folder.path)
    try #require(made.status == 0, "\(made.errors)")
    let page = try String(contentsOfFile: "\(folder.path)/USAGE.md", encoding: .utf8)
    #expect(
      page.contains("\nif kept.count > 32 { kept.removeSubrange(1..<(1 + kept.count - 32)) }\n"),
      "\(page)")
    #expect(page.contains("those that are too many are left out at its beginning;"))
  }

  private func copyEncoder() throws {
    try FileManager.default.copyItem(
      atPath: "\(Program.repository)/specs/examples/quickstart/models/sentence-encoder",
      toPath: folder.path("text"))
  }

  private func compressText(_ lengths: String) throws -> Program {
    let references = "\(Program.repository)/specs/examples/quickstart/references/pairs.jsonl"
    return try Program.run(
      [
        "compress", "text", "-o", "T.mlpackage", "--lengths", lengths, "--references", references,
        "--limits", "lenient",
      ], in: folder.path)
  }

  /// What is advised is what the system takes that was asked for; the command as it is advised runs.
  @Test(arguments: [
    (flags: [], lengths: "16,128", note: ", which needs iOS18"),
    (flags: ["iOS18"], lengths: "16,128", note: ", which needs iOS18"),
    (
      flags: ["iOS16"], lengths: "1...128",
      note: ", as a choice of several needs iOS18 and the package is for iOS16"
    ),
  ])
  func adviceNamesTheSystemItNeeds(
    _ test: (flags: [String], lengths: String, note: String)
  ) throws {
    try copyEncoder()
    let flags = test.flags.flatMap { ["--minimum-deployment-target", $0] }
    let references = "\(Program.repository)/specs/examples/quickstart/references/pairs.jsonl"
    let plan = ["plan", "text", "-o", "T.mlpackage", "--quiet", "--references", references] + flags
    let run = try Program.run(plan, in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("times what they need: --lengths \(test.lengths)\(test.note)\n"))
    let taken = try Program.run(plan + ["--lengths", test.lengths], in: folder.path)
    #expect(taken.status == 0, "\(taken.errors)")
    let target = test.flags.first ?? "iOS18"
    #expect(taken.output.contains(": \(target) and later\n"), "\(taken.output)")
  }

  @Test func lengthsAreCheckedBeforeAnyEstimate() throws {
    try copyEncoder()
    let run = try compressText("999")
    #expect(run.status == 1)
    #expect(run.errors.contains("999 is outside 1...128, the tokens the model takes"))
    #expect(!run.errors.contains("lengths: texts of the references"), "\(run.errors)")
  }

  /// A pooling that counts places makes another graph for each length.
  @Test func severalLengthsOfAModelThatTakesOneAreAnError() throws {
    try copyEncoder()
    try folder.write(
      "text/1_Pooling/config.json",
      """
      {"word_embedding_dimension": 128, "pooling_mode_mean_tokens": false,
       "pooling_mode_weightedmean_tokens": true}
      """)
    let run = try compressText("16,32")
    #expect(run.status == 1)
    #expect(run.errors.contains("has inputs of one length only"), "\(run.errors)")
    #expect(try folder.names() == ["model", "text"])
    let one = try compressText("32")
    #expect(!one.errors.contains("lengths: texts of the references"), "\(one.errors)")
  }

  @Test func nothingIsReplaced() throws {
    try folder.write("USAGE.md", "mine\n")
    let refused = try compress(["--with-preparation"])
    #expect(refused.status == 1)
    #expect(
      refused.errors.hasPrefix(
        "error: ./USAGE.md: is there already and differs from what --with-preparation puts there\n"
          + "hint: move it away, or choose an --output in another folder\n")
        || refused.errors.hasPrefix(
          "error: USAGE.md: is there already and differs from what --with-preparation puts there\n"
            + "hint: move it away, or choose an --output in another folder\n")
    )
    #expect(try folder.names().sorted() == ["USAGE.md", "model"])
  }

  @Test func packagesOnly() throws {
    let refused = try Program.run(
      ["compress", "model", "-o", "x.safetensors", "--author", "Ours"], in: folder.path)
    #expect(refused.status == 64)
    #expect(refused.errors.contains("--author needs --format mlpackage"))
  }
}
