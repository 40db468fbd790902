import Files
import Foundation
import TestSupport
import Testing

@Suite struct FileLockTests {
  let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  private func lock() throws -> FileLock { try FileLock(path: scratch.path("lock")) }

  @Test func manyShareAndOneExcludes() throws {
    let first = try lock()
    let second = try lock()
    #expect(try first.take(.shared))
    #expect(try second.take(.shared))
    #expect(try !second.take(.exclusive))
    // The failed change let go of the shared lock too.
    #expect(try first.take(.exclusive))
    #expect(try !second.take(.shared))
    #expect(try first.take(.shared))
    #expect(try second.take(.shared))
  }

  @Test func endsWithTheValue() throws {
    do {
      let lock = try lock()
      #expect(try lock.take(.exclusive))
    }
    #expect(try lock().take(.exclusive))
    #expect(try Folder.names(in: scratch.path) == ["lock"])
  }

  @Test func neverEmptiesTheFile() throws {
    try AtomicFile.write([1, 2], to: scratch.path("lock"))
    try lock().wait(for: .exclusive)
    #expect(try MappedFile.contents(of: scratch.path("lock"), limit: 2) == [1, 2])
  }

  /// Opening one would wait for someone who writes.
  @Test func aPipeIsNoLock() throws {
    let path = scratch.path("lock")
    #expect(mkfifo(path, 0o600) == 0)
    let error = #expect(throws: FileError.self) { _ = try FileLock(path: path) }
    #expect(error?.description == "\(path): is a pipe, expected a regular file")
  }

  /// Through one that leads nowhere, a file would be made outside.
  @Test(arguments: [true, false]) func aLinkIsNoLock(_ isThere: Bool) throws {
    let (path, target) = (scratch.path("lock"), scratch.path("target"))
    if isThere { try AtomicFile.write([1], to: target) }
    #expect(symlink(target, path) == 0)
    let error = #expect(throws: FileError.self) { _ = try FileLock(path: path) }
    #expect(error?.description == "\(path): is a symbolic link, expected a regular file")
    #expect(Folder.kind(of: target) == (isThere ? .file : .missing))
  }

  @Test func missingFolderIsAnError() {
    let path = scratch.path("no/lock")
    #expect(
      throws: FileError.failed(doing: "open", path: path, reason: "no such file or directory")
    ) { try FileLock(path: path).wait(for: .shared) }
  }

  @Test func tellsOfItsHolder() throws {
    let scratch = try TemporaryFolder()
    let path = scratch.path("lock")
    let lock = try FileLock(path: path)
    try lock.note("a long description of the first holder")
    try lock.note("process 7")
    #expect(try MappedFile.contents(of: path, limit: 100) == Array("process 7".utf8))
  }
}
