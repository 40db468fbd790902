import Foundation
import TestSupport
import Testing

/// Packages appear whole or not at all, whenever the program is ended.
struct CoreMLInterruptionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The names under which a package may lie half done: hidden ones.
  private func expectWhole(_ package: String, _ comment: String) throws {
    let visible = try folder.names().filter { !$0.hasPrefix(".ingot-") }
    #expect(
      visible.allSatisfy { ["model", "pairs.jsonl", "earlier", package].contains($0) }, "\(comment)"
    )
    guard folder.exists(package) else { return }
    let inspected = try Program.run(["inspect", package, "--quiet"], in: folder.path)
    #expect(inspected.status == 0, "\(comment): \(inspected.errors)")
  }

  /// Ends the program at every call that changes the disk; what lay there before is exchanged for
  /// another package, or was none.
  @Test(
    .enabled(if: Tracer.works, "strace is not there, or may not trace here"),
    arguments: [false, true])
  func killedAtEveryCall(_ isThere: Bool) throws {
    try folder.writeModel()
    let arguments = ["compress", "model", "--format", "mlpackage", "-o", "X.mlpackage", "--quiet"]
    #expect(try Program.run(arguments + ["--scheme", "none"], in: folder.path).status == 0)
    let earlier = folder.path("earlier")
    try FileManager.default.moveItem(atPath: folder.path("X.mlpackage"), toPath: earlier)
    let calls = try Tracer.calls(of: arguments, in: folder).calls
    #expect(calls.contains("mkdir") && calls.contains("fsync"), "\(calls)")
    for call in calls {
      for number in 1...1000 {
        let hit = try isHit(arguments, call, number, over: isThere ? earlier : nil)
        guard hit else { break }
      }
    }
  }

  /// - Parameter earlier: the package that lies there before; none when nil.
  private func isHit(
    _ arguments: [String], _ call: String, _ number: Int, over earlier: String?
  ) throws -> Bool {
    try? FileManager.default.removeItem(atPath: folder.path("X.mlpackage"))
    if let earlier {
      try FileManager.default.copyItem(atPath: earlier, toPath: folder.path("X.mlpackage"))
    }
    let injection = Injection(call: call, number: number, effect: .kill)
    guard try Tracer.run(arguments, injection, in: folder).hit != nil else { return false }
    try expectWhole("X.mlpackage", injection.testDescription)
    #expect(
      folder.exists("X.mlpackage") || earlier == nil,
      "\(injection.testDescription) lost what was there")
    return true
  }

  /// Asks the program to end once so many files of the package lie there.
  @Test(arguments: 0...3)
  func askedToEnd(_ count: Int) throws {
    try folder.writeModel()
    let arguments = ["compress", "model", "--format", "mlpackage", "-o", "X.mlpackage", "--quiet"]
    #expect(try Program.run(arguments + ["--scheme", "none"], in: folder.path).status == 0)
    for _ in 0..<5 {
      let run = try Program.interrupt(arguments, by: SIGTERM, atFile: count, in: folder.path)
      #expect([0, 128 + SIGTERM].contains(run.status), "\(run.status)")
      try expectWhole("X.mlpackage", "\(count) files")
      #expect(folder.exists("X.mlpackage"))
      #expect(try folder.names().allSatisfy { !$0.hasPrefix(".ingot-") })
    }
  }

  /// Writing fails at every size that is too small, and leaves what was there.
  @Test func everyFullDiskLeavesWhatWasThere() throws {
    try folder.writeModel()
    let arguments = ["compress", "model", "--format", "mlpackage", "-o", "X.mlpackage"]
    #expect(try Program.run(arguments + ["--scheme", "none"], in: folder.path).status == 0)
    let before = try folder.contents(of: "X.mlpackage")
    let names = try folder.names()
    // Blocks of 1024 bytes, of each file: the weights take less than one, the program more.
    for blocks in ["0", "1"] {
      let failed = try Program.shell(
        #"ulimit -f "$1"; shift; "$0" "$@" 2>&1 | cat; exit ${PIPESTATUS[0]}"#,
        [blocks] + arguments, in: folder.path)
      #expect(failed.status == 1, "\(blocks)")
      #expect(failed.output.hasSuffix(": cannot write: file too large\n"), "\(failed.output)")
      #expect(try folder.names() == names)
      #expect(try folder.contents(of: "X.mlpackage") == before)
    }
  }
}
