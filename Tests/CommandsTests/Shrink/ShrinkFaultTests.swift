import Foundation
import TestSupport
import Testing

/// Bad input of `ingot shrink`: one clear error, found before the long work where it can be, and nothing
/// half-written.
struct ShrinkFaultTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeSearchModel()
    try folder.writeSearchPairs()
    try folder.writeSearchInputs()
  }

  private static let before = ["inputs.jsonl", "model", "pairs.jsonl"]

  private func shrink(_ flags: String..., output: String = "s.safetensors") throws -> Program {
    try Program.run(
      ["shrink", "model", "--references", "pairs.jsonl", "-o", output] + flags, in: folder.path)
  }

  /// One error line, and nothing new in the folder.
  private func expectFault(
    _ run: Program, _ words: String, status: Int32 = 1, besides: [String] = [],
    _ place: SourceLocation = #_sourceLocation
  ) throws {
    #expect(run.status == status, "\(run.errors)", sourceLocation: place)
    #expect(run.errors.contains(words), "\(run.errors)", sourceLocation: place)
    #expect(run.output.isEmpty, sourceLocation: place)
    let errors = run.errors.split(separator: "\n").filter { $0.lowercased().hasPrefix("error: ") }
    #expect(errors.count == 1, "\(run.errors)", sourceLocation: place)
    #expect(try folder.names() == (Self.before + besides).sorted(), sourceLocation: place)
  }

  @Test(arguments: [
    ("", "pairs.jsonl:1:1: "), ("{\"a\": ", "pairs.jsonl:1:"),
    (#"{"a": {"values": [NaN]}, "b": {"values": [1]}}"#, "pairs.jsonl:1:"),
    (#"{"a": {"values": [1, 2]}, "b": {"values": [1, 2]}}"#, "pairs.jsonl"),
    (#"{"a": {"text": "x"}, "b": {"text": "y"}}"#, "pairs.jsonl"),
    (#"{"input": {"values": [1]}}"#, "pairs.jsonl"),
  ])
  func wrongReferencesAreNamed(_ text: String, _ words: String) throws {
    try folder.write("pairs.jsonl", text)
    try expectFault(try shrink(), words)
  }

  @Test func referencesThatAreAllAlikeProveNothing() throws {
    let line = try folder.text("pairs.jsonl").split(separator: "\n")[0]
    try folder.write("pairs.jsonl", String(repeating: line + "\n", count: 160))
    try expectFault(
      try shrink(), "pairs.jsonl: has only 1 distinct pair in 160 lines, a proof needs 8")
    // Lines that differ, and inputs that the model cannot tell apart.
    try folder.write(
      "pairs.jsonl",
      (0..<160).map { place in
        let side = { (n: Int) in
          "{\"values\": \([Double](repeating: 1 + 1e-12 * Double(n), count: 24))}"
        }
        return "{\"a\": \(side(2 * place)), \"b\": \(side(2 * place + 1))}\n"
      }.joined())
    try expectFault(try shrink(), "pairs.jsonl: every line holds the same input to the model")
  }

  /// A bias takes no part in any choice, and is found before the search all the same.
  @Test(arguments: ["w1.npy", "b0.npy"])
  func aWeightThatIsNotFiniteIsNamed(_ name: String) throws {
    let isBias = name == "b0.npy"
    var values = [Float](repeating: 0.5, count: isBias ? 96 : 6144)
    (values[3], values[7]) = (.nan, .infinity)
    try folder.write("model/\(name)", Npy.bytes(isBias ? [96] : [64, 96], values))
    try expectFault(
      try shrink(),
      "model: the baseline's weight '\(name.dropLast(4))' has 2 values that are not finite, the first "
        + "(nan) at [\(isBias ? "" : "0, ")3]; nothing can be judged against such a model: train or "
        + "export it again")
  }

  /// −0 is 0 to a model, and is another number as it is written.
  @Test func aVerdictInAnotherSpellingIsNamed() throws {
    let rest = String(repeating: ", 1.5", count: 23)
    let others = folder.searchLines(42, seed: 5)
    let pair = { (zero: String, other: String) in
      "{\"a\": {\"values\": [\(zero)\(rest)]}, \"b\": \(other)}\n"
    }
    try folder.write("pairs.jsonl", try folder.text("pairs.jsonl") + pair("0.0", others[40]))
    let verdict = (0..<20).map { "{\"a\": \(others[$0]), \"b\": \(others[$0 + 20])}\n" }
    try folder.write("verdict.jsonl", verdict.joined() + pair("-0.0", others[41]))
    try expectFault(
      try shrink("--verdict", "verdict.jsonl"), "(pairs.jsonl:161)", besides: ["verdict.jsonl"])
  }

  /// Both shares count.
  @Test func calibrationOnReferencesIsCountedOverBothShares() throws {
    let lines = try folder.text("pairs.jsonl").split(separator: "\n").prefix(10)
    let sides = lines.map { "\($0.dropFirst(6).prefix { $0 != "}" })}\n" }
    let others = folder.searchLines(40, seed: 8).map { $0 + "\n" }
    try folder.write("inputs.jsonl", (sides + others).joined())
    let run = try shrink("--calibration", "inputs.jsonl")
    try expectFault(run, "10 inputs are in both")
  }

  @Test func aVerdictOfAnotherKindIsNamed() throws {
    try folder.write(
      "verdict.jsonl",
      (0..<20).map { #"{"a": {"text": "\#($0)"}, "b": {"text": "x"}}"# + "\n" }.joined())
    try expectFault(
      try shrink("--verdict", "verdict.jsonl"), "verdict.jsonl", besides: ["verdict.jsonl"])
    try expectFault(try shrink("--verdict", "gone.jsonl"), "gone.jsonl", besides: ["verdict.jsonl"])
  }

  @Test(arguments: [
    (["-o", "gone/s.safetensors"], "the folder 'gone' is not there"),
    (["-o", "model"], "model: is a folder, the output is one file"),
    (["-o", "model/w0.npy"], "is an input of this very command"),
    (["-o", "model/notes"], "is a file of the model's folder 'model'"),
    (["--write-recipe", "model/notes"], "is a file of the model's folder 'model'"),
    (["--write-recipe", "gone/r.yaml"], "the folder 'gone' is not there"),
    (["--write-recipe", "pairs.jsonl"], "is an input of this very command"),
    (["--write-recipe", "model"], "is a folder"),
    (["--verdict", "pairs.jsonl"], "is an input of pairs.jsonl too"),
    (["--encoder", "image"], "encoder"),
  ])
  func pathsAreLookedAtFirst(_ flags: [String], _ words: String) throws {
    try folder.write("model/notes", "mine")
    let run = try Program.run(
      ["shrink", "model", "--references", "pairs.jsonl"]
        + (flags[0] == "-o" ? [] : ["-o", "s.safetensors"]) + flags, in: folder.path)
    try expectFault(run, words)
  }

  @Test(arguments: [
    (["--with-preparation"], "--with-preparation"), (["--drop-overlap"], "--drop-overlap is for"),
    (["--limits", "loose"], "loose"), (["--jobs", "0"], "--jobs 0"),
  ])
  func flagsThatMeanNothingAreWrongUsage(_ flags: [String], _ words: String) throws {
    let run = try Program.run(
      ["shrink", "model", "--references", "pairs.jsonl", "-o", "S.mlpackage"] + flags,
      in: folder.path)
    try expectFault(run, words, status: 64)
  }

  /// Whatever the format and the disk: neither a model without its recipe nor the other way round.
  @Test(
    .enabled(if: InterruptionTests.canMount, "a small file system cannot be mounted here"),
    arguments: ["disk/s.safetensors", "disk/S.mlpackage"])
  func aFullDiskLeavesNothing(_ output: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("disk"), withIntermediateDirectories: true)
    for (size, recipe) in [("4k", "r.yaml"), ("8k", "disk/r.yaml")] {
      let run = try Program.shell(
        """
        unshare --mount bash -c 'mount -t tmpfs -o size=$1 none disk &&
          { "$0" shrink model --references pairs.jsonl -o "$2" --write-recipe "$3" --quiet
            status=$?; find disk -mindepth 1 >&3; exit $status; }' "$0" "$@" 3>left
        """, [size, output, recipe], in: folder.path)
      #expect(run.status == 1, "\(run.output) \(run.errors)")
      #expect(run.errors.hasPrefix("error: disk/"), "\(run.errors)")
      #expect(run.errors.hasSuffix(": cannot write: no space left on device\n"), "\(run.errors)")
      #expect(try folder.bytes("left").isEmpty)
      #expect(!folder.exists("r.yaml"))
    }
  }

  /// The disk of the recipe alone is full: the model gets no name either.
  @Test(.enabled(if: InterruptionTests.canMount, "a small file system cannot be mounted here"))
  func aRecipeWithoutRoomLeavesNoModel() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("disk"), withIntermediateDirectories: true)
    let run = try Program.shell(
      """
      unshare --mount bash -c 'mount -t tmpfs -o size=4k none disk && head -c 4096 /dev/zero >disk/full
        "$0" shrink model --references pairs.jsonl -o s.safetensors --write-recipe disk/r.yaml' "$0"
      """, in: folder.path)
    #expect(run.status == 1, "\(run.errors)")
    #expect(
      run.errors.contains("error: disk/r.yaml: cannot write: no space left on device\n"),
      "\(run.errors)")
    #expect(try folder.names() == ["disk"] + Self.before)
  }

  @Test(.enabled(if: InterruptionTests.canMount, "file systems cannot be mounted here"))
  func aFolderThatTakesNoFilesIsFoundFirst() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("disk"), withIntermediateDirectories: true)
    for flags in ["-o disk/s.safetensors", "-o s.safetensors --write-recipe disk/r.yaml"] {
      let run = try Program.shell(
        """
        unshare --mount bash -c 'mount --bind disk disk && mount -o remount,ro,bind disk
          "$0" shrink model --references pairs.jsonl \(flags)' "$0"
        """, in: folder.path)
      #expect(run.status == 1, "\(run.errors)")
      #expect(
        run.errors.contains(/^error: disk\/[a-z.]+: cannot write: read-only file system\n$/),
        "\(run.errors)")
    }
  }

  @Test func aModelThatIsCompressedAlreadyIsSearchedOrRefused() throws {
    let small = try Program.run(["compress", "model", "-o", "small.safetensors"], in: folder.path)
    #expect(small.status == 0)
    let run = try Program.run(
      ["shrink", "small.safetensors", "--references", "pairs.jsonl", "-o", "s.safetensors"],
      in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("warning: "), "\(run.errors)")
    let package = try Program.run(["compress", "model", "-o", "M.mlpackage"], in: folder.path)
    #expect(package.status == 0)
    let other = try Program.run(
      ["shrink", "M.mlpackage", "--references", "pairs.jsonl", "-o", "t.safetensors"],
      in: folder.path)
    #expect(other.status == 1)
    #expect(other.errors.hasPrefix("error: M.mlpackage: "), "\(other.errors)")
    #expect(!folder.exists("t.safetensors"))
  }

  @Test func aBudgetThatTheLimitsRefuseSaysWhy() throws {
    let run = try shrink("--budget", "7kB", "--limits", "strict", "--write-recipe", "r.yaml")
    try expectFault(run, "refused, nothing was written to s.safetensors", status: 3)
    #expect(run.errors.contains("hint: give a larger --budget"), "\(run.errors)")
    #expect(run.errors.contains("cosine mean"), "\(run.errors)")
  }

  @Test func aBudgetLargerThanTheModelKeepsEverything() throws {
    let run = try shrink("--budget", "1TB", "--write-recipe", "r.yaml", "--json")
    #expect(run.status == 0, "\(run.errors)")
    let tensors = try #require(try run.json()["tensors"] as? [[String: Any]])
    #expect(tensors.allSatisfy { ($0["relativeError"] as? Double) == 0 })
    let again = try Program.run(
      ["compress", "model", "--recipe", "./r.yaml", "-o", "again.safetensors"], in: folder.path)
    #expect(again.status == 0, "\(again.errors)")
    #expect(try folder.bytes("again.safetensors") == folder.bytes("s.safetensors"))
  }

  private static let labels = (0..<64).map(String.init).joined(separator: ", ")

  @Test(arguments: [
    #""kind": "regressor""#, #""kind": "classifier", "labels": [\#(labels)]"#,
  ])
  func otherOutputsAreSearchedToo(_ kind: String) throws {
    try folder.writeSearchModel(kind: kind)
    try folder.write(
      "pairs.jsonl", folder.searchLines(160, seed: 3).map { "{\"input\": \($0)}\n" }.joined())
    let run = try shrink("--json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folder.bytes("s.safetensors").count < 20_000)
  }
}
