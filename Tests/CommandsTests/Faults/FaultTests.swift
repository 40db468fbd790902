import TestSupport
import Testing

/// The calls with which a build changes the disk fail in turn, or are the last thing the build
/// does. Whatever was hit: no file is half there under its name, and building again gives the very
/// bytes of a build that nothing disturbed.
@Suite(.enabled(if: Tracer.works, "strace is not there, or may not trace here"))
struct FaultTests {
  /// The files that are there when the build begins.
  enum Start: String, CaseIterable, CustomTestStringConvertible {
    /// Neither store nor output.
    case nothing
    /// A store that knows every model, and no output.
    case store
    /// Store and output of the version before; one model has changed since.
    case earlierVersion

    var testDescription: String { rawValue }
  }

  struct Case: CustomTestStringConvertible {
    let effect: Injection.Effect
    /// The calls that fail so; all that change anything when nil.
    let calls: [String]?
    let start: Start
    var testDescription: String { "\(effect.testDescription) from \(start)" }
  }

  /// Where the disk is full, a call that needs room fails.
  private static let full = Injection.Effect.error("ENOSPC", text: "no space left on device")
  private static let growing = [
    "copy_file_range", "fallocate", "fdatasync", "fsync", "ftruncate", "link", "linkat", "mkdir",
    "mkdirat", "pwrite64", "pwritev", "rename", "renameat", "renameat2", "symlink", "syncfs",
    "write", "writev",
  ]
  private static let damaged = Injection.Effect.error("EIO", text: "input/output error")
  private static let settling = ["fdatasync", "fsync", "rmdir", "syncfs", "unlink", "unlinkat"]
  private static let readOnly = Injection.Effect.error("EROFS", text: "read-only file system")
  private static let naming = [
    "link", "linkat", "mkdir", "mkdirat", "rename", "renameat", "renameat2",
  ]

  static let cases =
    Start.allCases.map { Case(effect: .kill, calls: nil, start: $0) } + [
      Case(effect: full, calls: growing, start: .nothing),
      Case(effect: full, calls: growing, start: .earlierVersion),
      Case(effect: damaged, calls: settling, start: .earlierVersion),
      Case(effect: readOnly, calls: naming, start: .nothing),
    ]

  @Test(arguments: cases)
  func aDisturbedBuildIsMadeGoodByTheNext(_ test: Case) throws {
    let bench = try FaultBench(test.start)
    let calls = bench.calls.filter { test.calls?.contains($0) ?? true }
    try #require(!calls.isEmpty, "\(bench.calls)")
    var hits = 0
    for call in calls {
      var number = 1
      while try bench.disturb(Injection(call: call, number: number, effect: test.effect)) {
        hits += 1
        // The first, the second, the fourth, the eighth … of a name, or each.
        number += Thoroughness.isExhaustive ? 1 : number
      }
    }
    // A tracer that hits nothing would let everything pass.
    #expect(hits >= calls.count, "\(calls)")
  }

  /// The hits above are worth nothing unless a build does write, sync and rename.
  @Test func theseCallsAreMade() throws {
    let calls = try FaultBench(.nothing).calls
    for call in ["write", "fsync", "mkdir"] { #expect(calls.contains(call), "\(calls)") }
    #expect(calls.contains { $0.hasPrefix("rename") || $0.hasPrefix("link") }, "\(calls)")
  }
}
