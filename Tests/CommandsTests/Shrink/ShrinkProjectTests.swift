import Foundation
import TestSupport
import Testing

/// `compress: {smallest: …}` in a project: found once, kept with its recipe, and proven again.
struct ShrinkProjectTests {
  let folder: TemporaryFolder
  private static let archive = TemporaryFolder.archive(TemporaryFolder.apps[0])

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeSearchModel("project/model")
    try folder.writeSearchPairs("project/pairs.jsonl")
    try folder.writeSearchPairs("project/others.jsonl", count: 80, seed: 3)
    try folder.writeSearchInputs("project/inputs.jsonl")
    try write("{smallest: {}, calibration: inputs.jsonl}")
  }

  private func write(
    _ compress: String, limits: String = "standard", references: String = "pairs.jsonl",
    more: String = ""
  ) throws {
    try folder.write(
      "project/ingot.yaml",
      """
      ingot: 1
      models:
        vector:
          source: model
          compress: \(compress)
          gate: {references: \(references), limits: \(limits)\(more)}
      customers: customers.json
      release: {version: 1.0.0, sdk: ">=1.0.0"}

      """)
    try folder.write(
      "project/customers.json",
      #"[{"app_id": "\#(TemporaryFolder.apps[0])", "bundle_identifiers": ["com.example.app"]}]"#)
  }

  private func build(_ output: String = "out", _ flags: String...) throws -> Program {
    try Program.run(
      ["build", "project", "--output", output, "--json"] + flags, in: folder.path)
  }

  private func model(_ run: Program) throws -> [String: Any] {
    try #require((try run.json()["models"] as? [[String: Any]])?.first, "\(run.errors)")
  }

  private func recipe(_ run: Program) throws -> (path: String, digest: String) {
    let recipes = try #require(try model(run)["recipes"] as? [[String: Any]])
    #expect(recipes.count == 1 && recipes[0]["encoder"] is NSNull)
    return (
      try #require(recipes[0]["path"] as? String), try #require(recipes[0]["digest"] as? String)
    )
  }

  private func manifest(_ output: String = "out") throws -> [String: Any] {
    let run = try Program.run(["verify", "\(output)/\(Self.archive)", "--json"], in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    let models = (try run.json()["manifest"] as? [String: Any])?["models"] as? [[String: Any]]
    return try #require(models?.first)
  }

  @Test func theFoundRecipeMakesThePackagedModel() throws {
    let run = try build()
    #expect(run.status == 0, "\(run.errors)")
    let (path, digest) = try recipe(run)
    #expect(path == "recipes/\(digest).yaml")
    let compression = try #require(try manifest()["compression"] as? [String: Any])
    #expect(compression["method"] as? String == "smallest \(digest.prefix(12))")
    let options = try #require(compression["options"] as? [String: String])
    #expect(options["rules"] == digest && options["search"] == "smallest")
    let made = try Program.run(
      [
        "compress", "project/model", "--recipe", "out/\(path)", "--calibration",
        "project/inputs.jsonl", "-o", "again.safetensors", "--json",
      ], in: folder.path)
    #expect(made.status == 0, "\(made.errors)")
    let verified = try Program.run(["verify", "out/\(Self.archive)", "--json"], in: folder.path)
    let sha256 = try #require(try made.json()["sha256"] as? String)
    #expect(verified.output.contains(sha256))
    // A project that names the recipe makes these bytes, too, and a plan counts them.
    try folder.write("project/found.yaml", try folder.text("out/\(path)"))
    try write("{recipe: found.yaml, calibration: inputs.jsonl}")
    let named = try build("named")
    #expect(named.status == 0, "\(named.errors)")
    let other = try Program.run(["verify", "named/\(Self.archive)", "--json"], in: folder.path)
    #expect(other.output.contains(sha256), "\(other.output)")
    let plan = try Program.run(
      ["plan", "project/model", "--recipe", "project/found.yaml", "--json"], in: folder.path)
    let planned = try #require(try plan.json()["tensors"] as? [[String: Any]])
    let written = try #require(try made.json()["tensors"] as? [[String: Any]])
    #expect(
      planned.compactMap { $0["bytes"] as? Int } == written.compactMap { $0["bytes"] as? Int })
    #expect(!planned.isEmpty && planned.count == written.count)
  }

  /// The command finds what the project finds.
  @Test func theCommandFindsTheSame() throws {
    let digest = try recipe(try build()).digest
    let run = try Program.run(
      [
        "shrink", "project/model", "--references", "project/pairs.jsonl", "--calibration",
        "project/inputs.jsonl", "-o", "s.safetensors", "--json",
      ], in: folder.path)
    #expect((try run.json()["recipe"] as? [String: Any])?["digest"] as? String == digest)
  }

  @Test func anUnchangedBuildDoesNotSearchAgain() throws {
    let first = try build(), again = try build("again")
    #expect(try model(first)["stored"] as? Bool == false)
    #expect(try model(again)["stored"] as? Bool == true)
    #expect(!again.errors.contains("[1/1]"), "\(again.errors)")
    let (path, digest) = try recipe(again)
    #expect(try recipe(first).digest == digest)
    #expect(try folder.bytes("out/\(path)") == folder.bytes("again/\(path)"))
    #expect(try folder.bytes("out/\(Self.archive)") == folder.bytes("again/\(Self.archive)"))
  }

  @Test func whatTheSearchDependsOnIsPartOfTheKey() throws {
    var keys: [String] = []
    for compress in [
      "{smallest: {}}", "{smallest: {}, calibration: inputs.jsonl}", "{smallest: {budget: 9kB}}",
      "{smallest: {verdict: others.jsonl}}",
    ] {
      try write(compress)
      keys.append(try #require(try model(try build(compress.filter(\.isLetter)))["key"] as? String))
    }
    try folder.writeSearchPairs("project/others.jsonl", count: 80, seed: 33)
    keys.append(try #require(try model(try build("changed"))["key"] as? String))
    #expect(Set(keys).count == keys.count)
  }

  @Test func aBudgetIsKept() throws {
    try write("{smallest: {budget: 9kB}}", limits: "lenient")
    let run = try build()
    #expect(run.status == 0, "\(run.errors)")
    let compression = try #require(try manifest()["compression"] as? [String: Any])
    #expect(try #require(compression["bytes"] as? Int) <= 9_000)
    #expect((compression["options"] as? [String: String])?["budget"] == "9000")
  }

  @Test func theReceiptTellsOfTheSearchAndIsReplayed() throws {
    for compress in ["{smallest: {}}", "{smallest: {verdict: others.jsonl}}"] {
      try? FileManager.default.removeItem(atPath: folder.path("out"))
      try write(compress)
      #expect(try build().status == 0)
      let run = try Program.run(
        ["verify", "out/\(Self.archive)", "--replay", "project", "--quiet"], in: folder.path)
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output.contains("model 'vector': proven again, passed standard"))
      let own = compress.contains("verdict")
      #expect(
        run.output.contains(
          own
            ? "    searched: verdict on 80 lines of its own, which the search did not see; "
            : " of 160 lines, which the search did not see; "), "\(run.output)")
      let json = try Program.run(["verify", "out/\(Self.archive)", "--json"], in: folder.path)
        .json()
      let search = try #require((json["searches"] as? [String: [String: Any]])?["vector"])
      #expect(search["split"] as? Int == (own ? nil : 1))
      #expect((search["verdictCandidates"] as? Int ?? 0) >= 1)
      #expect((search["searchCandidates"] as? Int ?? 0) >= 1)
    }
  }

  @Test func otherReferencesAreNamedByAReplay() throws {
    try write("{smallest: {verdict: others.jsonl}}")
    #expect(try build().status == 0)
    try folder.writeSearchPairs("project/others.jsonl", count: 80, seed: 34)
    let run = try Program.run(
      ["verify", "out/\(Self.archive)", "--replay", "project", "--quiet"], in: folder.path)
    #expect(run.status == 4)
    #expect(
      run.errors.contains("reference set 'project/others.jsonl': recorded "), "\(run.errors)")
  }

  @Test func aRefusalIsKeptToo() throws {
    try write(
      "{smallest: {}}",
      limits: "{profile: strict, similarityDriftMax: 0}", more: "")
    try folder.write(
      "project/ingot.yaml",
      try folder.text("project/ingot.yaml").replacingOccurrences(
        of: "customers:", with: "    formats: [mlpackage]\ncustomers:"))
    let first = try build()
    #expect(first.status == 3, "\(first.errors)")
    #expect(first.errors.contains("none proven; the reasons are against the one that came nearest"))
    #expect(try model(first)["verdict"] as? String == "refused")
    #expect(try model(try build())["stored"] as? Bool == true)
  }

  @Test(arguments: [
    ("{smallest: {}, scheme: int8}", "'smallest' and 'scheme' exclude each other"),
    ("{smallest: {}, recipe: small}", "'smallest' and 'recipe' exclude each other"),
    ("{smallest: {}, image: {scheme: int8}}", "'smallest' and 'image' exclude each other"),
    ("{image: {smallest: {}}, text: {scheme: int8}}", "'smallest' is for the whole model"),
    ("{smallest: }", "'smallest' is empty"),
    ("{smallest: yes}", "'smallest' is"),
    ("{smallest: {size: 12MB}}", "unknown key 'size'"),
    ("{smallest: {}, budget: 12MB}", "unknown key 'budget'"),
    ("{smalest: {}}", "unknown key 'smalest'"),
    ("{smallest: {budget: 12XB}}", "'budget' is '12XB', expected a size"),
    ("{smallest: {budget: 0}}", "'budget' is '0', expected a size"),
    (
      "{smallest: {verdict: gone.jsonl}}",
      "the verdict's reference set 'project/gone.jsonl' is not there"
    ),
    (
      "{smallest: {verdict: pairs.jsonl}}",
      "an input of the verdict is to the model one of the search's"
    ),
    ("{smallest: {verdict: ../pairs.jsonl}}", "which a project may not leave"),
    ("{smallest: {}, calibration: pairs.jsonl}", "holds the inputs of the reference set"),
  ])
  func faultsHaveALine(_ compress: String, _ words: String) throws {
    try write(compress)
    let run = try Program.run(["validate", "project"], in: folder.path)
    #expect(run.status == 1)
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(
      run.errors.contains(#/project/(ingot\.yaml|pairs\.jsonl|inputs\.jsonl):[0-9]+:[0-9]+: /#),
      "\(run.errors)")
  }

  @Test func tooFewReferencesAreAFault() throws {
    try folder.writeSearchPairs("project/pairs.jsonl", count: 9, seed: 4)
    let run = try Program.run(["validate", "project"], in: folder.path)
    #expect(run.status == 1)
    #expect(run.errors.contains("of 8 that are needed"), "\(run.errors)")
    #expect(run.errors.contains("32 lines or more"), "\(run.errors)")
    try write("{smallest: {verdict: others.jsonl}}")
    #expect(try Program.run(["validate", "project"], in: folder.path).status == 0)
  }

  @Test func twoEncodersAreSearchedAndProvenTogether() throws {
    try folder.writeSearchClip("project/model", pairs: "project/pairs.jsonl")
    try FileManager.default.moveItem(
      atPath: folder.path("photos"), toPath: folder.path("project/photos"))
    try write("{smallest: {}}", limits: "lenient")
    let run = try build()
    #expect(run.status == 0, "\(run.errors)")
    let recipes = try #require(try model(run)["recipes"] as? [[String: Any]])
    #expect(recipes.map { $0["encoder"] as? String } == ["image", "text"])
    let replay = try Program.run(
      ["verify", "out/\(Self.archive)", "--replay", "project", "--quiet"], in: folder.path)
    #expect(replay.status == 0, "\(replay.errors)")
    #expect(try model(try build("again"))["stored"] as? Bool == true)
  }
}
