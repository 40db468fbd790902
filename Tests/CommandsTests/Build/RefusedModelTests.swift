import Foundation
import TestSupport
import Testing

/// `--keep-refused`: what the gate refused, as a file that proves nothing.
struct RefusedModelTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeModel()
    try folder.writePairs()
  }

  private static let refusing = ["--scheme", "palettize", "--bits", "1"]

  private func compress(
    _ output: String = "s.safetensors", keep: String, _ flags: [String] = refusing
  ) throws -> Program {
    try Program.run(
      [
        "compress", "model", "-o", output, "--references", "pairs.jsonl", "--keep-refused", keep,
      ] + flags, in: folder.path)
  }

  @Test(arguments: [
    (output: "s.safetensors", keep: "kept.safetensors"), (output: "s", keep: "a name"),
    (output: "X.mlpackage", keep: "Kept.mlpackage"),
  ])
  func aRefusedModelIsKeptAndSaysThatItIsUnproven(_ paths: (output: String, keep: String)) throws {
    let run = try compress(paths.output, keep: paths.keep)
    #expect(run.status == 3)
    #expect(run.output.isEmpty)
    let name = paths.keep.contains(" ") ? "'\(paths.keep)'" : paths.keep
    let check = "ingot check model \(name) --references pairs.jsonl"
    #expect(
      run.errors.contains(
        """
        warning: \(paths.keep) is unproven: the gate refused it
        hint: judge it again with: \(check)
        error: model: refused, nothing was written to \(paths.output)

        """), "\(run.errors)")
    #expect(try folder.names() == [paths.keep, "model", "pairs.jsonl"].sorted())
    // It is the model that was judged.
    let again = try Program.run(
      ["check", "model", paths.keep, "--references", "pairs.jsonl"], in: folder.path)
    #expect(again.status == 3)
    let reasons = run.errors.split(separator: "\n").filter { $0.hasPrefix("  ") }
    #expect(again.errors.split(separator: "\n").filter { $0.hasPrefix("  ") } == reasons)
  }

  /// Judged by itself it would pass: what it lost is said.
  @Test func asABaselineItIsSaidToBeCompressed() throws {
    #expect(try compress(keep: "kept.safetensors").status == 3)
    let run = try Program.run(
      [
        "compress", "kept.safetensors", "--scheme", "none", "-o", "again.safetensors",
        "--references", "pairs.jsonl",
      ], in: folder.path)
    #expect(run.status == 0)
    #expect(
      run.errors.contains(
        "warning: the baseline is compressed itself (palette 1 bit per tensor): what that "
          + "changed of the model as trained is not judged\n"), "\(run.errors)")
  }

  @Test func itHoldsWhatAnUnprovenCompressionWrites() throws {
    #expect(try compress(keep: "kept.safetensors").status == 3)
    let plain = try Program.run(
      ["compress", "model", "-o", "plain.safetensors"] + Self.refusing, in: folder.path)
    #expect(plain.status == 0)
    #expect(try folder.bytes("kept.safetensors") == folder.bytes("plain.safetensors"))
  }

  /// A package says who made it, whether it was kept or never judged.
  @Test func aKeptPackageOfAModelWithACardIsTheUnprovenOne() throws {
    try folder.write("model/README.md", "---\nlicense: mit\nauthor: Us\n---\n# Flows\n")
    #expect(try compress("X.mlpackage", keep: "Kept.mlpackage").status == 3)
    let plain = try Program.run(
      ["compress", "model", "-o", "Plain.mlpackage"] + Self.refusing, in: folder.path)
    #expect(plain.status == 0)
    let kept = try folder.contents(of: "Kept.mlpackage")
    #expect(!kept.isEmpty)
    #expect(kept == (try folder.contents(of: "Plain.mlpackage")))
    let json = try Program.run(["inspect", "Kept.mlpackage", "--json"], in: folder.path).json()
    let metadata = try #require(json["metadata"] as? [String: String])
    #expect(metadata["author"] == "Us" && metadata["license"] == "mit")
    #expect(metadata["dev.ingot.receipt"] == nil)
  }

  @Test func jsonNamesWhatWasKept() throws {
    let json = try compress(keep: "kept.st", Self.refusing + ["--json"]).json()
    let kept = try #require(json["keptRefused"] as? [String: Any])
    #expect(kept["path"] as? String == "kept.st")
    #expect(kept["sizeBytes"] as? Int == (try folder.bytes("kept.st")).count)
    #expect(json["sizeBytes"] is NSNull)
    #expect((json["gate"] as? [String: Any])?["profiles"] as? [[String: Any]] != nil)
  }

  @Test func aModelThatPassesIsNotKept() throws {
    let run = try compress(keep: "kept.st", [])
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(try folder.names() == ["model", "pairs.jsonl", "s.safetensors"])
  }

  @Test func limitsThatWouldLetItPassAreNamedToCheckIt() throws {
    let run = try compress(
      keep: "kept.st", ["--scheme", "palettize", "--bits", "4", "--limits", "strict"])
    #expect(run.status == 3)
    let passing = run.errors.split(separator: "\n").compactMap { line in
      line.wholeMatch(of: #/  the limits '(\w+)' would let it pass/#).map { String($0.1) }
    }
    let limits = try #require(passing.first, "\(run.errors)")
    #expect(
      run.errors.contains(
        ": ingot check model kept.st --references pairs.jsonl --limits \(limits)\n"))
    let again = try Program.run(
      ["check", "model", "kept.st", "--references", "pairs.jsonl", "--limits", limits],
      in: folder.path)
    #expect(again.status == 0)
  }

  /// What the hint says is what a shell takes, and judges as the refusal did.
  @Test func theHintRepeatsWhatMatters() throws {
    let limits = "standard, cosine-mean=0.995"
    let run = try compress(
      keep: "it's.st", Self.refusing + ["--limits", limits, "--threshold", "0.5"])
    #expect(run.status == 3)
    let start = "hint: judge it again with: ingot "
    let hint = try #require(
      run.errors.split(separator: "\n").first { $0.hasPrefix(start) }, "\(run.errors)")
    let command = String(hint.dropFirst(start.count))
    #expect(
      command
        == #"check model 'it'\''s.st' --references pairs.jsonl --limits "#
        + "'standard, cosine-mean=0.995' --threshold 0.5")
    let again = try Program.shell(#""$0" "# + command, in: folder.path)
    #expect(again.status == 3, "\(again.errors)")
    #expect(again.errors.contains("(standard, overridden)"), "\(again.errors)")
  }

  @Test(arguments: ["s.safetensors", "./s.safetensors"])
  func neverWhereTheOutputGoes(_ keep: String) throws {
    let run = try compress(keep: keep)
    #expect(run.status == 1)
    #expect(
      run.errors == """
        error: \(keep): is where --output goes, and a refused model never lies there
        hint: choose another --keep-refused

        """)
    #expect(try folder.names() == ["model", "pairs.jsonl"])
  }

  @Test func insideAnOutputPackageIsRefused() throws {
    #expect(
      try Program.run(["compress", "model", "-o", "X.mlpackage"], in: folder.path).status == 0)
    let run = try compress("X.mlpackage", keep: "X.mlpackage/Y.mlpackage")
    #expect(run.status == 1)
    #expect(run.errors.contains("is where --output goes"))
  }

  @Test func nothingInAPackageIsTouched() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("Good.MLPackage/Data"), withIntermediateDirectories: true)
    let run = try compress(keep: "Good.MLPackage/Data/kept.st")
    #expect(run.status == 1)
    #expect(
      run.errors.contains("which holds nothing but its own files\nhint: choose another --keep-"),
      "\(run.errors)")
    #expect(try folder.files().allSatisfy { !$0.hasPrefix("Good") })
  }

  @Test(arguments: ["notes", "model/notes", "older.safetensors"])
  func nothingIsReplaced(_ keep: String) throws {
    try folder.write(keep, "mine")
    let run = try compress(keep: keep)
    #expect(run.status == 1)
    #expect(
      run.errors == """
        error: \(keep): is there already, and a refused model replaces nothing
        hint: remove it, or choose another --keep-refused

        """)
    #expect(try folder.bytes(keep) == Data("mine".utf8))
  }

  @Test func aNameThatDiffersByLetterCaseIsRefused() throws {
    let run = try compress(keep: "./S.safetensors")
    #expect(run.status == 1)
    #expect(
      run.errors == """
        error: ./S.safetensors: differs from --output 's.safetensors' only by letter case, which not \
        every disk tells apart
        hint: choose another --keep-refused

        """)
  }

  @Test func whatCannotBeKeptIsSaidBeforeAnyWork() throws {
    for (keep, message) in [
      ("pairs.jsonl", "pairs.jsonl: is an input of this very command"),
      ("no/kept.st", "no/kept.st: the folder 'no' is not there"),
      ("kept.onnx", "kept.onnx: is the name of an ONNX model, which ingot does not write"),
    ] {
      let run = try compress(keep: keep)
      #expect(run.status == 1)
      #expect(run.errors.hasPrefix("error: \(message)\n"), "\(run.errors)")
    }
    let other = try compress(keep: "Kept.mlpackage")
    #expect(other.status == 64)
    #expect(
      other.errors.hasPrefix(
        "Error: --keep-refused 'Kept.mlpackage' is the name of one of mlpackage, the output is one "
          + "of safetensors; choose another name\n"))
    let bare = try Program.run(
      ["compress", "model", "-o", "s.st", "--keep-refused", "kept.st"], in: folder.path)
    #expect(bare.status == 64)
    #expect(
      bare.errors.hasPrefix("Error: --keep-refused needs --references to be judged against\n"))
    #expect(try folder.names() == ["model", "pairs.jsonl"])
  }
}
