import Foundation
import TestSupport
import Testing

/// Folders that cannot be written and disks without room: a message, a status, and a later build
/// that ends as if nothing had been.
@Suite(.enabled(if: InterruptionTests.canMount, "file systems cannot be mounted here"))
struct FullDiskTests {
  let folder: TemporaryFolder
  private let whole: OutputTree

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeFaultProject()
    let run = try Program.run(
      ["build", "project", "--output", "whole", "--quiet"], in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
    whole = try OutputTree("whole", in: folder)
    for name in ["out", "store"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
    }
  }

  /// Runs lines of bash where nobody else sees what they mount; `build` builds to `out` with the
  /// store `store`.
  private func run(_ script: String) throws -> Program {
    try Program.shell(
      #"""
      build() { "$0" build project --output out --quiet >/dev/null; }
      export -f build
      unshare --mount bash -c "$1" "$0"
      """#, [script], in: folder.path, environment: ["INGOT_STORE": "store"])
  }

  struct Case: CustomTestStringConvertible {
    let name: String
    /// The folder that is mounted too small.
    let folder: String
    /// Sizes of the disk, from nothing to nearly enough.
    let sizes: [String]
    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(name: "output", folder: "out", sizes: ["4k", "8k", "16k", "24k", "32k"]),
    Case(name: "store", folder: "store", sizes: ["4k", "8k", "16k", "24k", "32k"]),
  ])
  func aFullDiskIsMadeGoodOnceThereIsRoom(_ test: Case) throws {
    var failures = 0
    for size in test.sizes {
      let run = try run(
        """
        mount -t tmpfs -o size=\(size) none \(test.folder) || exit 90
        build; echo $?
        rm -rf left whole-again; cp -a out left
        mount -o remount,size=10m \(test.folder) && build || exit 91
        cp -a out whole-again
        """)
      #expect(run.status == 0, "\(size): \(run.errors)")
      let left = try OutputTree("left", in: folder)
      #expect(left.strangers(to: [whole]) == [], "\(size)")
      #expect(left.unfinished == [], "\(size)")
      #expect(
        try OutputTree("whole-again", in: folder).differences(from: whole) == [], "\(size)")
      if run.output == "0\n" { continue }
      failures += 1
      #expect(run.output == "1\n", "\(size)")
      #expect(
        run.errors.contains(/(out|store)[^:]*: cannot [a-z ]+: no space left on device\n/),
        "\(size): \(run.errors)")
      try FileManager.default.removeItem(atPath: folder.path("store"))
      try FileManager.default.createDirectory(
        atPath: folder.path("store"), withIntermediateDirectories: true)
    }
    #expect(failures > 0, "no disk was too small")
  }

  @Test(arguments: ["out", "store"])
  func aReadOnlyFolderFailsWithItsName(_ name: String) throws {
    let run = try run(
      """
      mount --bind \(name) \(name) && mount -o remount,ro,bind \(name) || exit 90
      build
      """)
    #expect(run.status == 1)
    #expect(
      run.errors.contains(/^error: [^\n]*: cannot [a-z ]+: read-only file system\n/)
        && (run.errors.hasPrefix("error: \(name)")
          || name == "store" && run.errors.hasPrefix("error: the store cannot be used: store")),
      "\(run.errors)")
    #expect(try OutputTree("out", in: folder).strangers(to: [whole]) == [])
  }

  /// A build of what is there already writes nothing, so it needs no room either.
  @Test func anUnchangedBuildNeedsNoRoom() throws {
    let run = try run(
      """
      build || exit
      find out store -type f ! -name .lock | xargs sha256sum >before
      (ulimit -f 1; build) || exit
      find out store -type f ! -name .lock | xargs sha256sum >after
      """)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folder.bytes("before") == folder.bytes("after"))
  }

  static let canBeAnother =
    ((try? Program.shell("setpriv --reuid 65534 --regid 65534 --clear-groups true").status) ?? 1)
    == 0

  @Test(.enabled(if: canBeAnother, "no other user can be run as"))
  func aFolderOfAnotherUserFailsWithItsName() throws {
    let run = try Program.shell(
      #"""
      chmod 755 . out && chown -R 65534:65534 project
      setpriv --reuid 65534 --regid 65534 --clear-groups \
        "$0" build project --output out --no-store --quiet
      """#, in: folder.path)
    #expect(run.status == 1)
    #expect(run.errors.contains(/^error: out[^:]*: cannot [a-z ]+: permission denied\n/))
    #expect(try OutputTree("out", in: folder).files.isEmpty)
  }
}
