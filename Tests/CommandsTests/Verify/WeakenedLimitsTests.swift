import Foundation
import TestSupport
import Testing

/// One-bit palettes that pass `strict` with all of its limits taken away: the package says so
/// wherever it is looked at, and no release script has to take it.
struct WeakenedLimitsTests {
  private static let words =
    "strict, weakened: cosine mean 0, cosine min -1, similarity drift mean 2, "
    + "similarity drift max 2, neighbour overlap 0"

  let folder: TemporaryFolder
  private let build: Program

  init() throws {
    folder = try TemporaryFolder()
    try folder.copyQuickstart("project")
    let contract = String(decoding: try folder.bytes("project/ingot.yaml"), as: UTF8.self)
    let attack =
      contract
      .replacing(
        "compress: {scheme: int8}", with: "compress: {scheme: palettize, bits: 1}",
        maxReplacements: 1
      )
      .replacing(
        "limits: strict",
        with: "limits: {profile: strict, cosineMean: 0.0, cosineMin: -1, similarityDriftMean: 2, "
          + "similarityDriftMax: 2, neighbourOverlap: 0, weakened: true}")
    #expect(attack.contains("weakened") && attack.contains("bits: 1"))
    try folder.write("project/ingot.yaml", attack)
    // One flow of the quickstart is refused; two customers get their packages.
    build = try Program.run(["build", "project", "--output", "out", "--no-store"], in: folder.path)
    #expect(build.status == 3, "\(build.errors)")
  }

  private func archive() throws -> String {
    try #require(try folder.files().filter { $0.hasSuffix(".tar.zst") }.sorted().first)
  }

  private func run(_ arguments: String...) throws -> Program {
    try Program.run(arguments, in: folder.path)
  }

  @Test func everyAnswerSaysWhatWasWeakened() throws {
    #expect(build.errors.contains("sentence-encoder: passed \(Self.words)\n"))
    #expect(build.output.contains("limits: model 'sentence-encoder' passed \(Self.words)\n"))
    let archive = try archive()
    for command in [["verify", archive], ["inspect", archive]] {
      let run = try Program.run(command, in: folder.path)
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output.contains("bytes, claims to have passed \(Self.words)\n"), "\(run.output)")
      let json = try Program.run(command + ["--json"], in: folder.path).json()
      let limits = try #require(json["limits"] as? [String: [String: Any]])
      #expect(limits["sentence-encoder"]?["words"] as? String == Self.words)
      #expect(limits["notification_timing"]?["words"] as? String == "standard")
    }
  }

  @Test func aReplaySaysItToo() throws {
    let run = try run("verify", try archive(), "--replay", "project")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("bytes, claims to have passed \(Self.words)\n"))
    #expect(
      run.output.hasSuffix(
        "  model 'sentence-encoder': proven again, passed \(Self.words)\n"
          + "  model 'workout_tonight': proven again, passed standard\n"))
  }

  /// The same recipe and references, and limits that nobody weakened.
  @Test func aReplayHoldsItToTheProjectsLimits() throws {
    let contract = String(decoding: try folder.bytes("project/ingot.yaml"), as: UTF8.self)
    let honest = contract.replacing(/limits: \{profile: strict[^}]*\}/, with: "limits: strict")
    try #require(honest != contract)
    try folder.write("project/ingot.yaml", honest)
    let archive = try archive()
    let run = try run("verify", archive, "--replay", "project", "--quiet")
    #expect(run.status == 4, "\(run.output)")
    #expect(
      run.output.hasSuffix(
        "  model 'sentence-encoder': differs from its receipt\n"
          + "  model 'workout_tonight': proven again, passed standard\n"))
    let (model, asks) = ("  model 'sentence-encoder': limits: held to", "the project asks for")
    #expect(
      run.errors == """
        error: \(archive): not every model could be proven again
        \(model) cosine mean 0, \(asks) at least 0.999
        \(model) cosine min -1, \(asks) at least 0.995
        \(model) similarity drift mean 2, \(asks) at most 0.005
        \(model) similarity drift max 2, \(asks) at most 0.02
        \(model) neighbour overlap 0, \(asks) at least 0.95

        """)
  }

  @Test func buildSaysItInJSON() throws {
    let json = try run("build", "project", "--output", "again", "--no-store", "--json").json()
    let models = try #require(json["models"] as? [[String: Any]])
    let encoder = models.first { $0["model"] as? String == "sentence-encoder" }
    #expect((encoder?["limits"] as? [String: Any])?["words"] as? String == Self.words)
  }

  @Test func aReleaseScriptRefusesIt() throws {
    let archive = try archive()
    let refused = try run("verify", archive, "--require-profile", "lenient")
    #expect(refused.status == 4)
    #expect(refused.output.isEmpty)
    #expect(
      refused.errors == """
        error: \(archive): limits are weaker than 'lenient', which is required
          model 'sentence-encoder': cosine mean 0, 'lenient' asks for at least 0.95
          model 'sentence-encoder': cosine min -1, 'lenient' asks for at least 0.8
          model 'sentence-encoder': similarity drift mean 2, 'lenient' asks for at most 0.03
          model 'sentence-encoder': similarity drift max 2, 'lenient' asks for at most 0.15
          model 'sentence-encoder': neighbour overlap 0, 'lenient' asks for at least 0.8

        """)
    let json = try run("verify", archive, "--require-profile", "lenient", "--json")
    #expect(json.status == 4)
    let answer = try json.json()
    #expect(answer["verdict"] as? String == "refused")
    #expect(answer["requiredProfile"] as? String == "lenient")
    #expect((answer["reasons"] as? [String])?.count == 5)
    let list = try run("verify", "out/SHA256SUMS", "--require-profile", "lenient")
    #expect(list.status == 4)
    #expect(list.errors.contains("  \(archive): model 'sentence-encoder': cosine mean 0, "))
  }
}
