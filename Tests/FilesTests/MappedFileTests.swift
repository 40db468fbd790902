import Files
import Glibc
import TestSupport
import Testing

@Suite struct MappedFileTests {
  let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  private func file(_ bytes: [UInt8]) throws -> MappedFile {
    try AtomicFile.write(bytes, to: scratch.path("x"))
    return try MappedFile(path: scratch.path("x"))
  }

  private func array(_ span: RawSpan) -> [UInt8] { span.withUnsafeBytes { Array($0) } }

  @Test func ranges() throws {
    let mapped = try file([1, 2, 3, 4])
    #expect(mapped.byteCount == 4)
    #expect(mapped.withBytes { array($0) } == [1, 2, 3, 4])
    #expect(mapped.withBytes(in: 1..<3) { array($0) } == [2, 3])
    #expect(mapped.withBytes(in: 4..<4) { array($0) } == [])
  }

  @Test func emptyFile() throws {
    let mapped = try file([])
    #expect(mapped.byteCount == 0)
    #expect(mapped.withBytes { $0.byteCount } == 0)
    mapped.letGo(of: 0..<0)
    mapped.forEachPiece(in: 0..<0) { _ in Issue.record("a piece of nothing") }
  }

  @Test(arguments: [1, 4095, 4096, 10_000, 100_000]) func pieces(_ pieceByteCount: Int) throws {
    let bytes = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
    let mapped = try file(bytes)
    var found: [UInt8] = []
    mapped.forEachPiece(in: 3..<49_999, of: pieceByteCount) { found += array($0) }
    #expect(found == Array(bytes[3..<49_999]))
    #expect(mapped.withBytes { array($0) } == bytes)
  }

  /// A file that is replaced by renaming stays readable under the old mapping.
  @Test func survivesReplacement() throws {
    let mapped = try file([1, 2, 3])
    try AtomicFile.write([9], to: mapped.path)
    mapped.letGo(of: 0..<3)
    #expect(mapped.withBytes { array($0) } == [1, 2, 3])
  }

  @Test func symbolicLinksAreFollowed() throws {
    _ = try file([5])
    #expect(symlink("x", scratch.path("link")) == 0)
    #expect(try MappedFile(path: scratch.path("link")).byteCount == 1)
  }

  @Test func missing() {
    let path = scratch.path("no")
    #expect(
      throws: FileError.failed(doing: "open", path: path, reason: "no such file or directory")
    ) { try MappedFile(path: path) }
  }

  @Test func linkToItself() {
    #expect(symlink("loop", scratch.path("loop")) == 0)
    #expect(throws: FileError.self) { try MappedFile(path: scratch.path("loop")) }
  }

  @Test func notFiles() {
    #expect(throws: FileError.notAFile(path: scratch.path, found: "a folder")) {
      try MappedFile(path: scratch.path)
    }
    #expect(throws: FileError.notAFile(path: "/dev/zero", found: "a device")) {
      try MappedFile(path: "/dev/zero")
    }
  }

  /// Opening a pipe nobody writes to must not wait.
  @Test(.timeLimit(.minutes(240))) func pipe() {
    let path = scratch.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: FileError.notAFile(path: path, found: "a pipe")) {
      try MappedFile(path: path)
    }
  }

  @Test func contentsWithinALimit() throws {
    let mapped = try file([1, 2, 3])
    #expect(try MappedFile.contents(of: mapped.path, limit: 3) == [1, 2, 3])
    #expect(throws: FileError.tooLarge(path: mapped.path, bytes: 3, limit: 2)) {
      try MappedFile.contents(of: mapped.path, limit: 2)
    }
  }

  @Test func messages() {
    #expect(
      FileError.failed(doing: "open", path: "p", reason: "no such file or directory").description
        == "p: cannot open: no such file or directory")
    #expect(
      FileError.notAFile(path: "p", found: "a pipe").description
        == "p: is a pipe, expected a regular file")
    #expect(
      FileError.tooLarge(path: "p", bytes: 3, limit: 2).description
        == "p: has 3 bytes, the limit for such a file is 2")
  }
}
