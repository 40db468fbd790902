import Files
import Glibc
import TestSupport
import Testing

@Suite struct AtomicFileTests {
  let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  private func names() throws -> [String] { try Folder.names(in: scratch.path) }

  private func contents(_ path: String) throws -> [UInt8] {
    try MappedFile.contents(of: path, limit: 1 << 24)
  }

  @Test(arguments: [0, 1, 4096, 5_000_000]) func writes(_ count: Int) throws {
    let path = scratch.path("x")
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    try AtomicFile.write(bytes, to: path)
    #expect(try contents(path) == bytes)
    #expect(try names() == ["x"])
  }

  /// The working name must not be longer than the final one may be.
  @Test func writesUnderTheLongestName() throws {
    let name = String(repeating: "n", count: 255)
    try AtomicFile.write([1], to: scratch.path(name))
    #expect(try names() == [name])
  }

  @Test func writesInPieces() throws {
    var file = try AtomicFile(path: scratch.path("x"))
    try file.write([1, 2])
    #expect(file.byteCount == 2)
    try file.write([])
    try file.write([3])
    #expect(file.byteCount == 3)
    try file.commit()
    #expect(try contents(scratch.path("x")) == [1, 2, 3])
  }

  @Test func takesANameThatItsContentTells() throws {
    try Folder.create(scratch.path("folder"))
    var file = try AtomicFile(path: scratch.path("x"))
    try file.write([1, 2])
    try file.commit(as: scratch.path("folder/y"))
    #expect(try names() == ["folder"])
    #expect(try contents(scratch.path("folder/y")) == [1, 2])
  }

  @Test func nothingUnderTheNameUntilCommitted() throws {
    let path = scratch.path("x")
    try AtomicFile.write([1], to: path)
    var file = try AtomicFile(path: path)
    try file.write([2, 2])
    #expect(try contents(path) == [1])
    #expect(try names().count == 2)
    try file.commit()
    #expect(try contents(path) == [2, 2])
    #expect(try names() == ["x"])
  }

  @Test func nothingLeftWhenGivenUp() throws {
    struct Stop: Error {}
    func writeHalf() throws {
      var file = try AtomicFile(path: scratch.path("x"))
      try file.write([1, 2, 3])
      throw Stop()
    }
    #expect(throws: Stop.self) { try writeHalf() }
    #expect(try names() == [])
  }

  @Test func nothingLeftWhenTheNameIsTaken() throws {
    let path = scratch.path("x")
    try Folder.create(Folder.join(path, "y"))
    #expect(
      throws: FileError.failed(doing: "write", path: path, reason: "is a directory")
    ) { try AtomicFile.write([1], to: path) }
    #expect(try names() == ["x"])
    #expect(Folder.kind(of: path) == .folder)
  }

  @Test func missingFolder() {
    let path = scratch.path("no/x")
    #expect(
      throws: FileError.failed(doing: "write", path: path, reason: "no such file or directory")
    ) { try AtomicFile.write([1], to: path) }
    #expect(Folder.kind(of: scratch.path("no")) == .missing)
  }

  @Test func longestNameIsRefused() {
    let path = scratch.path(String(repeating: "x", count: 300))
    #expect(throws: FileError.self) { try AtomicFile.write([1], to: path) }
  }

  @Test func replacesALinkAndNotWhatItNames() throws {
    try AtomicFile.write([1], to: scratch.path("target"))
    #expect(symlink("target", scratch.path("link")) == 0)
    try AtomicFile.write([2], to: scratch.path("link"))
    #expect(try contents(scratch.path("target")) == [1])
    #expect(try contents(scratch.path("link")) == [2])
  }

  @Test func twoWritersOfOneNameDoNotMix() throws {
    let path = scratch.path("x")
    var first = try AtomicFile(path: path)
    var second = try AtomicFile(path: path)
    try first.write([1])
    try second.write([2, 2])
    try first.commit()
    #expect(try contents(path) == [1])
    try second.commit()
    #expect(try contents(path) == [2, 2])
    #expect(try names() == ["x"])
  }

  @Test func relativePath() throws {
    var file = try AtomicFile(path: scratch.path + "/./x")
    try file.write([1])
    try file.commit()
    #expect(try names() == ["x"])
  }

  /// Runs in a process of its own: the mask belongs to the whole process.
  @Test func accessRightsFollowTheMask() async {
    await #expect(processExitsWith: .success) {
      let scratch = try TemporaryFolder()
      for (mask, expected) in [(0o022, 0o644), (0o077, 0o600)] as [(mode_t, mode_t)] {
        umask(mask)
        try AtomicFile.write([1], to: scratch.path("x"))
        var status = stat()
        stat(scratch.path("x"), &status)
        try #require(status.st_mode & 0o777 == expected)
      }
    }
  }

  /// A full disk, imitated by a limit on the size of files.
  @Test func nothingLeftWhenTheDiskIsFull() async {
    await #expect(processExitsWith: .success) {
      let scratch = try TemporaryFolder()
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 1 << 16, rlim_max: 1 << 16)
      setrlimit(__rlimit_resource_t(1), &limit)
      let path = scratch.path("x")
      #expect(throws: FileError.failed(doing: "write", path: path, reason: "file too large")) {
        try AtomicFile.write([UInt8](repeating: 1, count: 1 << 20), to: path)
      }
      try #require(try Folder.names(in: scratch.path) == [])
    }
  }
}
