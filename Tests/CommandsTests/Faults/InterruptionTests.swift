import Foundation
import TestSupport
import Testing

/// Full disks, closed descriptors and signals: one message, a status, nothing half-written.
struct InterruptionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Whether a small file system can be mounted where nobody else sees it.
  static let canMount =
    ((try? Program.shell("unshare --mount mount -t tmpfs none /mnt 2>/dev/null").status) ?? 1) == 0

  @Test(.enabled(if: canMount, "a small file system cannot be mounted here"))
  func fullDiskLeavesNoHalfArchive() throws {
    try folder.copyQuickstart()
    try FileManager.default.createDirectory(
      atPath: folder.path("disk"), withIntermediateDirectories: true)
    // Too small for the encoder; large enough for it, but not for both archives beside it.
    for size in ["300k", "2000k"] {
      let run = try Program.shell(
        """
        unshare --mount bash -c 'mount -t tmpfs -o size=$1 none disk &&
          { "$0" build quickstart --output disk; status=$?; find disk -mindepth 1 >&3
            exit $status; }' "$0" "$1" 3>left
        """, [size], in: folder.path)
      #expect(run.status == 1)
      #expect(run.output.isEmpty)
      let errors = run.errors.split(separator: "\n").filter { $0.hasPrefix("error: ") }
      #expect(errors.count == 1)
      #expect(errors.allSatisfy { $0.hasSuffix(": cannot write: no space left on device") })
      let left = String(decoding: try folder.bytes("left"), as: UTF8.self)
        .split(separator: "\n")
      // Folders of customers may be there, files of theirs may not.
      #expect(left.filter { $0.contains(".") } == ["disk/.lock"], "\(left)")
    }
  }

  struct Case: CustomTestStringConvertible {
    let name: String
    let arguments: [String]
    var testDescription: String { name }
  }

  static let writing = [
    Case(name: "compress", arguments: ["compress", "model", "-o", "o"]),
    Case(name: "embed", arguments: ["embed", "model", "--inputs", "in.jsonl", "-o", "o"]),
    Case(name: "build", arguments: ["build", "project", "--output", "out"]),
  ]

  @Test(arguments: writing)
  func fileSizeLimitFailsAndKeepsWhatWasThere(_ test: Case) throws {
    try folder.writeModel()
    try folder.writeProject()
    let lines = String(repeating: "{\"values\": [1, 2, 3, 4]}\n", count: 500)
    try folder.write("in.jsonl", lines)
    try folder.write("o", "precious")
    let before = try folder.files()
    let run = try Program.shell(
      #"ulimit -f 1; "$0" "$@" 2>&1 >answer | cat; exit ${PIPESTATUS[0]}"#, test.arguments,
      in: folder.path)
    #expect(run.status == 1)
    #expect(run.output.hasSuffix(": cannot write: file too large\n"))
    #expect(try folder.bytes("answer").isEmpty)
    let lock = test.name == "build" ? ["out/.lock"] : []
    #expect(try folder.files() == (before + ["answer"] + lock).sorted())
    #expect(try folder.bytes("o") == Data("precious".utf8))
  }

  static let answering =
    [
      Case(name: "inspect", arguments: ["inspect", "model"]),
      Case(
        name: "check",
        arguments: ["check", "model", "model", "--references", "pairs.jsonl", "--json"]),
      Case(name: "validate", arguments: ["validate", "project"]),
    ] + writing

  @Test(arguments: answering)
  func answerThatDoesNotArriveIsAFailure(_ test: Case) throws {
    try folder.writeModel()
    try folder.writePairs()
    try folder.writeProject()
    try folder.write("in.jsonl", "{\"values\": [1, 2, 3, 4]}\n")
    for (sink, reason) in [
      (">/dev/full", "no space left on device"), (">&-", "bad file descriptor"),
    ] {
      let run = try Program.shell("\"$0\" \"$@\" \(sink)", test.arguments, in: folder.path)
      #expect(run.status == 1, "\(sink)")
      #expect(
        run.errors.hasSuffix("error: cannot write the answer to stdout: \(reason)\n"), "\(sink)")
    }
  }

  /// The reader has closed the pipe before anything is written, and lives on.
  @Test func pipeThatClosesEarlyIsNoCrash() throws {
    try folder.writeModel()
    let run = try Program.shell(
      #"""
      { until [ -e closed ]; do sleep 0.005; done; "$0" inspect model; echo $? >status; } |
        { exec <&-; touch closed; until [ -e status ]; do sleep 0.005; done; }
      """#, in: folder.path)
    #expect(run.status == 0)
    #expect(try folder.bytes("status") == Data("1\n".utf8))
    #expect(run.errors == "error: cannot write the answer to stdout: broken pipe\n")
  }

  /// Without care the file would get the number of the closed stderr, and the warning with it.
  @Test func closedDescriptorsDoNotLeakWordsIntoFiles() throws {
    try folder.writeModel()
    try folder.writePairs(count: 3)
    let arguments = [
      "compress", "model", "--references", "pairs.jsonl", "--few-references", "--quiet", "-o",
    ]
    let plain = try Program.run(arguments + ["plain"], in: folder.path)
    #expect(plain.status == 0)
    #expect(plain.errors.hasPrefix("warning: the reference set has only 3 pairs"))
    let closed = try Program.shell(#""$0" "$@" 0<&- 2>&-"#, arguments + ["o"], in: folder.path)
    #expect(closed.status == 0)
    #expect(try folder.bytes("o") == folder.bytes("plain"))
  }

  /// Holds a build whose first work lies on disk, sends a signal, and lets it go on.
  ///
  /// - Parameter handling: the option of `env` for the signals that the build starts with.
  private func interruptHeldBuild(_ signal: String, handling: String) throws -> Program {
    try Program.shell(
      HeldBuild.functions + #"""
        hold env "$2" "$0" build project --output out
        kill -"$1" $held || exit 98
        release >&2
        wait $held
        """#, [signal, handling], in: folder.path)
  }

  /// bash gives the number of the signal and 128 for what was ended by one.
  @Test(arguments: [("INT", 130), ("TERM", 143), ("HUP", 129)])
  func interruptedBuildLeavesNothing(_ signal: String, _ status: Int32) throws {
    try folder.writeProject()
    let run = try Program.shell(
      HeldBuild.functions + #"""
        hold env --default-signal "$0" build project --output out
        interrupt "$1"
        wait $held; status=$?
        release >&2
        exit $status
        """#, [signal], in: folder.path)
    #expect(run.status == status)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("error: interrupted; unfinished output was removed\n"))
    #expect(try folder.files().filter { $0.hasPrefix("out/") } == ["out/.lock"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("out")) == [".lock"])
  }

  /// Nobody reads its stderr, so it cannot say so.
  @Test func interruptedBuildEndsWithoutAReader() throws {
    try folder.writeProject()
    let run = try Program.shell(
      HeldBuild.functions + #"""
        hold env --default-signal "$0" build project --output out
        kill -INT $held || exit 98
        wait $held
        """#, in: folder.path)
    #expect(run.status == 130)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("out")) == [".lock"])
  }

  @Test(arguments: ["INT", "TERM", "HUP"])
  func ignoredSignalsStayIgnored(_ signal: String) throws {
    try folder.writeProject()
    let run = try interruptHeldBuild(signal, handling: "--ignore-signal=\(signal)")
    #expect(run.status == 3)
    #expect(!run.errors.contains("interrupted"))
    #expect(try folder.archives(in: "out").count == 2)
  }

  @Test func killedBuildLeavesNoArchiveAndTheNextIsUndisturbed() throws {
    try folder.writeProject()
    let killed = try interruptHeldBuild("KILL", handling: "--default-signal")
    #expect(killed.status == 137)
    let left = try folder.files().filter { $0.hasPrefix("out/") }
    #expect(left.allSatisfy { $0.hasPrefix("out/.ingot-") || $0 == "out/.lock" }, "\(left)")
    for output in ["out", "fresh"] {
      let run = try Program.run(
        ["build", "project", "--output", output, "--quiet"], in: folder.path)
      #expect(run.status == 3)
    }
    let fresh = try folder.archives(in: "fresh")
    #expect(fresh.count == 2)
    for (name, bytes) in fresh { #expect(try folder.bytes("out/\(name)") == bytes) }
  }

  @Test func pipedWordsHaveNoEscapeCodes() throws {
    try folder.writeProject()
    for environment in [[:], ["NO_COLOR": "1"], ["TERM": "xterm-256color"]] {
      let run = try Program.run(
        ["build", "project", "--output", "out"], environment: environment, in: folder.path)
      #expect(run.status == 3)
      #expect(!run.output.contains("\u{1B}"))
      #expect(!run.errors.contains("\u{1B}"))
      #expect(!run.errors.contains("\r"))
    }
  }

  static let canPretendTerminal = Program.has("script")

  @Test(.enabled(if: canPretendTerminal, "script(1) is needed to pretend a terminal"))
  func terminalGetsColourUnlessItWantsNone() throws {
    for (setting, isPlain) in [
      ("TERM=xterm", false), ("TERM=dumb", true), ("TERM=xterm NO_COLOR=1", true),
    ] {
      let run = try Program.shell(
        #"env -u NO_COLOR script -qec "env $1 '$0' inspect gone" /dev/null"#, [setting],
        in: folder.path)
      #expect(run.output.contains("gone: cannot open"))
      #expect(run.output.contains("\u{1B}[") == !isPlain, "\(setting)")
    }
  }
}
