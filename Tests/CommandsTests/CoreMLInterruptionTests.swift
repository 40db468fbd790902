import Foundation
import Testing

/// Packages appear whole or not at all, whenever the program is ended.
struct CoreMLInterruptionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The names under which a package may lie half done: hidden ones.
  private func expectWhole(_ package: String, _ comment: String) throws {
    let visible = try folder.names().filter { !$0.hasPrefix(".ingot-") }
    #expect(visible.allSatisfy { ["model", "pairs.jsonl", package].contains($0) }, "\(comment)")
    guard folder.exists(package) else { return }
    let inspected = try Program.run(["inspect", package, "--quiet"], in: folder.path)
    #expect(inspected.status == 0, "\(comment): \(inspected.errors)")
  }

  /// Ends the program after delays that cover its whole run; in every second run a package may lie
  /// there already, and is exchanged for another.
  @Test(arguments: [SIGKILL, SIGTERM])
  func killedAtAnyMoment(_ signal: Int32) throws {
    try folder.writeModel()
    let arguments = ["compress", "model", "--format", "mlpackage", "-o", "X.mlpackage", "--quiet"]
    let clock = ContinuousClock()
    let whole = try clock.measure { _ = try Program.run(arguments, in: folder.path) }
    var ended = 0
    for attempt in 0..<40 {
      if attempt % 2 == 0 {
        try? FileManager.default.removeItem(atPath: folder.path("X.mlpackage"))
      }
      let wasThere = folder.exists("X.mlpackage")
      let process = Process()
      process.executableURL = URL(filePath: Program.path)
      process.arguments = arguments + ["--scheme", attempt % 4 < 2 ? "int8" : "none"]
      process.currentDirectoryURL = URL(filePath: folder.path)
      process.standardError = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      let delay = whole * (Double(attempt) + 0.5) / 40
      usleep(UInt32(delay / .microseconds(1)))
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
      if process.terminationReason == .uncaughtSignal || process.terminationStatus != 0 {
        ended += 1
      }
      try expectWhole("X.mlpackage", "signal \(signal), attempt \(attempt)")
      #expect(folder.exists("X.mlpackage") || !wasThere, "attempt \(attempt) lost what was there")
      if signal == SIGTERM {
        #expect(try folder.names().allSatisfy { !$0.hasPrefix(".ingot-") })
      }
    }
    #expect(ended > 0)
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
