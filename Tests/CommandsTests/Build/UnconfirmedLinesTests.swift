import Foundation
import TestSupport
import Testing

/// What becomes of lines of the index that no signed list confirms: somebody without the key can write
/// them, and must not have a stale archive taken for one of today, now or later.
@Suite(
  .enabled(
    if: Program.has("ssh-keygen") && Program.has("python3"), "needs ssh-keygen and python3"))
struct UnconfirmedLinesTests {
  private let folder: TemporaryFolder
  private let second = "out/\(TemporaryFolder.archive(TemporaryFolder.apps[1]))"

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeFaultProject()
    try require(try build())
  }

  private func build(_ flags: [String] = [], project: String = "project", to output: String = "out")
    throws -> Program
  {
    try Program.run(["build", project, "--output", output, "--json"] + flags, in: folder.path)
  }

  private func require(_ run: Program) throws {
    try #require(run.status == 0, "\(run.errors)\(run.output)")
  }

  private func shell(_ script: String) throws {
    try require(try Program.shell(script, in: folder.path))
  }

  /// Builds 1.0.0 with another second model and without a key, and changes the lines of the index
  /// (`lines`, in Python) by those of that build (`other`); then chains them anew.
  private func forge(_ change: String) throws {
    try folder.writeFaultProject("forged", weight: 0.75)
    try shell("sed -i 's/, sign: [^}]*//' forged/ingot.yaml")
    try require(try build(project: "forged", to: "other"))
    let script = """
      import hashlib, json
      lines = [json.loads(line) for line in open("out/index.jsonl")]
      other = [json.loads(line) for line in open("other/index.jsonl")]
      assert lines[1]["path"] == other[1]["path"] and lines[1]["inputs"] != other[1]["inputs"]
      \(change)
      previous = hashlib.sha256(b"").hexdigest()
      with open("out/index.jsonl", "w") as index:
          for line in lines:
              line["previous"] = previous
              text = json.dumps(line, sort_keys=True, separators=(",", ":"))
              previous = hashlib.sha256(text.encode()).hexdigest()
              index.write(text + "\\n")
      """
    try shell("python3 - <<'END'\n\(script)\nEND\n")
  }

  /// The second customer's version must not be made again, or be taken for what was asked for.
  private func expectConflict(_ run: Program) throws {
    #expect(run.status == 1, "\(run.errors)")
    let refused = try #require(try run.json()["refused"] as? [[String: Any]])
    #expect(refused.map { $0["customer"] as? String } == [TemporaryFolder.apps[1]])
    #expect(refused.map { $0["cause"] as? String } == ["conflict"])
  }

  /// A line goes, so that the list makes the index good, and the other one says that the archive is made
  /// from the weights of today.
  @Test func aLineBehindTheCutDoesNotSayWhatAnArchiveIsMadeFrom() throws {
    try forge(
      """
      lines = lines[1:]
      for key in ["inputs", "terms", "models"]:
          lines[0][key] = other[1][key]
      """)
    try folder.writeFaultProject(weight: 0.75)
    // The second time a signed list confirms every line.
    for _ in 0..<2 { try expectConflict(try build()) }
    let verified = try Program.run(["verify", "out"], in: folder.path)
    #expect(verified.status == 0, "\(verified.errors)")
  }

  /// A build that is killed leaves the same, and loses nothing by the doubt.
  @Test func whatAKillLeavesIsMadeGoodToTheByte() throws {
    let before = try folder.contents(of: "out").filter { $0.key != ".lock" }
    try shell("sed -i '$d' out/index.jsonl")
    let run = try build()
    #expect(run.status == 0, "\(run.errors)")
    let packages = try #require(try run.json()["packages"] as? [[String: Any]])
    #expect(packages.map { $0["reused"] as? Bool } == [true, true])
    #expect(try folder.contents(of: "out").filter { $0.key != ".lock" } == before)
  }

  /// An index that is accepted for one release says nothing of what another version is made from.
  @Test func acceptingAnIndexBelievesNoLineOfAnotherVersion() throws {
    try folder.writeFaultProject(version: "1.1.0")
    try require(try build())
    try forge(
      """
      for key in ["inputs", "terms", "models"]:
          lines[1][key] = other[1][key]
      """)
    #expect(try build().errors.contains("is not the one with sha256"))
    try require(try build(["--accept-index"]))
    try folder.writeFaultProject(weight: 0.75)
    for _ in 0..<2 { try expectConflict(try build(["--allow-downgrade"])) }
  }

  /// The forged line is followed by one of an archive that the next list does not name, so that this
  /// list could begin between the forged line and the one that takes it back.
  private static let forgeryBeforeAStranger = """
    for key in ["inputs", "terms", "models"]:
        lines[1][key] = other[1][key]
    nothing, app = hashlib.sha256(b"").hexdigest(), "aaaaaaaa-2c4d-4b96-8f21-7d3e60c9a1b5"
    stranger = dict(
        app=app, version="0.0.1", path=f"{app}/{app}-0.0.1.tar.zst", sha256="0" * 64, bytes=0,
        inputs=nothing, terms=nothing, models={})
    lines = [lines[1], stranger] + lines[:1]
    """

  /// The build that signs next takes the forged line back; cutting the index off where the signed list
  /// begins does not bring it back.
  @Test(arguments: [1, 2, 3, 4, 5])
  func noCutBringsALineBackThatWasTakenBack(_ count: Int) throws {
    try forge(Self.forgeryBeforeAStranger)
    try require(try build(["--accept-index"]))
    try require(try build())
    try folder.writeFaultProject(weight: 0.75)
    try shell("head -n \(count) out/index.jsonl >cut && cp cut out/index.jsonl")
    let run = try build()
    // The list goes from 4 to 5: it does not make good an end before that.
    guard count >= 4 else {
      #expect(run.status == 1)
      #expect(run.errors.contains("ends behind line \(count), "), "\(run.errors)")
      return
    }
    try expectConflict(run)
  }

  /// The honest line, too, is behind the forged one and the stranger: what the build would write is the
  /// last word already, and is said again behind the line that takes the forged one back.
  @Test(arguments: [1, 2, 3, 4, 5, 6])
  func anHonestLineBehindAForgedOneDoesNotKeepIt(_ count: Int) throws {
    try forge("honest = dict(lines[1])\n\(Self.forgeryBeforeAStranger)\nlines.append(honest)")
    try require(try build(["--accept-index"]))
    try require(try build())
    try folder.writeFaultProject(weight: 0.75)
    try shell("head -n \(count) out/index.jsonl >cut && cp cut out/index.jsonl")
    let run = try build()
    // The list goes from 5 to 6.
    guard count >= 5 else {
      #expect(run.status == 1)
      #expect(run.errors.contains("ends behind line \(count), "), "\(run.errors)")
      return
    }
    try expectConflict(run)
  }

  /// A forged line says only that other bytes are the signature and the provenance.
  @Test(arguments: [4, 5])
  func aLineThatLiesAboutTheSignatureIsTakenBack(_ count: Int) throws {
    let suffixes = [".sig", ".intoto.jsonl"]
    let before = try suffixes.map { try folder.bytes(second + $0) }
    try forge(
      """
      garbage = hashlib.sha256(b"garbage").hexdigest()
      other[1] = dict(lines[1])
      lines[1]["vouchers"] = {".sig": garbage, ".intoto.jsonl": garbage}
      \(Self.forgeryBeforeAStranger)
      """)
    try require(try build(["--accept-index"]))
    try require(try build())
    try shell("head -n \(count) out/index.jsonl >cut && cp cut out/index.jsonl")
    for suffix in suffixes { try shell("printf garbage >\(second)\(suffix)") }
    try require(try build())
    #expect(try suffixes.map { try folder.bytes(second + $0) } == before)
  }

  /// What the signed list names is not lost where a line that is accepted names another archive.
  @Test func acceptingAnIndexForgetsNothingOfTheSignedList() throws {
    try forge(
      """
      for key in ["sha256", "bytes", "inputs", "terms", "models"]:
          lines[1][key] = other[1][key]
      """)
    try shell("rm \(second)*")
    try folder.writeFaultProject(weight: 0.75)
    try expectConflict(try build(["--accept-index"]))
    // Now nothing but the index knows the archive that was released.
    try expectConflict(try build())
    #expect(!folder.exists(second))
  }

  /// A list that an older Ingot signed is put back, which does not say where the index ends.
  @Test func aListThatDoesNotSayTheEndHidesNoCut() throws {
    let second = "out/\(TemporaryFolder.archive(TemporaryFolder.apps[1], version: "1.5.0"))"
    try shell(
      "mkdir old && sed 1d out/SHA256SUMS >old/SHA256SUMS && ssh-keygen -q -Y sign "
        + "-f project/keys/release -n sums@ingot.dev old/SHA256SUMS 2>&1")
    try folder.writeFaultProject(version: "1.5.0")
    try require(try build())
    try shell("cp old/* out/ && sed -i '3,$d' out/index.jsonl && rm \(second)*")
    try folder.writeFaultProject(version: "1.5.0", weight: 0.75)
    let run = try build()
    #expect(run.status == 1)
    #expect(run.errors.contains("does not say where index.jsonl ends"), "\(run.errors)")
    #expect(!folder.exists(second))
  }
}
