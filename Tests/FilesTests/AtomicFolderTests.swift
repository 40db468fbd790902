import Glibc
import TestSupport
import Testing

@testable import Files

@Suite struct AtomicFolderTests {
  let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  func names(_ inside: String = "") throws -> [String] {
    try Folder.names(in: scratch.path(inside))
  }

  private func contents(_ name: String) throws -> [UInt8] {
    try MappedFile.contents(of: scratch.path(name), limit: 1 << 24)
  }

  func refused(_ path: String, _ reason: String) -> FileError {
    .failed(doing: "write", path: path, reason: reason)
  }

  func write(
    _ bytes: [UInt8], to path: String, replacing isReplaceable: (String) -> Bool = { _ in false }
  ) throws {
    let folder = try AtomicFolder(path: path)
    try folder.write(bytes, to: "a/b/x")
    try folder.commit(replacing: isReplaceable)
  }

  @Test(arguments: ["x", "x/", "x//"]) func writes(_ name: String) throws {
    let folder = try AtomicFolder(path: scratch.path(name))
    #expect(folder.path == scratch.path("x"))
    try folder.write([1, 2], to: "top")
    try folder.write([], to: "a/b/empty")
    try folder.write([3], to: "a/b/c")
    #expect(try names().count == 1)
    #expect(try names().first?.hasPrefix(".ingot-") == true)
    try folder.commit()
    #expect(try names() == ["x"])
    #expect(try names("x") == ["a", "top"])
    #expect(try names("x/a/b") == ["c", "empty"])
    #expect(try contents("x/top") == [1, 2])
    #expect(try contents("x/a/b/c") == [3])
  }

  @Test func anEmptyFolder() throws {
    try AtomicFolder(path: scratch.path("x")).commit()
    #expect(try names() == ["x"])
    #expect(try names("x") == [])
  }

  @Test func writesInPieces() throws {
    let folder = try AtomicFolder(path: scratch.path("x"))
    var file = try folder.file(at: "a/y")
    try file.write([0, 0, 0])
    try file.write([4, 5])
    #expect(file.byteCount == 5)
    try file.overwrite([1, 2], at: 1)
    try file.write([6])
    #expect(file.byteCount == 6)
    #expect(file.path == scratch.path("x/a/y"))
    #expect(Folder.kind(of: file.temporaryPath) == .file)
    try file.finish()
    try folder.commit()
    #expect(try contents("x/a/y") == [0, 1, 2, 4, 5, 6])
  }

  @Test func largePieces() throws {
    let bytes = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    try write(bytes, to: scratch.path("x"))
    #expect(try contents("x/a/b/x") == bytes)
  }

  @Test func aFileTwice() throws {
    let folder = try AtomicFolder(path: scratch.path("x"))
    try folder.write([1], to: "a/y")
    #expect(throws: refused(scratch.path("x/a/y"), "file exists")) {
      try folder.write([2], to: "a/y")
    }
    #expect(throws: refused(scratch.path("x/a/y/z"), "a file of that name is there")) {
      try folder.write([2], to: "a/y/z")
    }
  }

  @Test func nothingLeftWhenGivenUp() throws {
    struct Stop: Error {}
    func writeHalf() throws {
      let folder = try AtomicFolder(path: scratch.path("x"))
      try folder.write([1, 2, 3], to: "a/b/c")
      var file = try folder.file(at: "open")
      try file.write([1])
      throw Stop()
    }
    #expect(throws: Stop.self) { try writeHalf() }
    #expect(try names() == [])
  }

  @Test func aFolderIsReplaced() throws {
    let path = scratch.path("x")
    try write([1], to: path)
    try AtomicFile.write([9], to: scratch.path("x/a/left-over"))
    var asked: [String] = []
    try write([2], to: path + "/") { name in
      asked.append(name)
      return true
    }
    #expect(asked == [path])
    #expect(try names() == ["x"])
    #expect(try names("x/a") == ["b"])
    #expect(try contents("x/a/b/x") == [2])
  }

  @Test func aFolderThatMustStay() throws {
    let path = scratch.path("x")
    try write([1], to: path)
    #expect(throws: refused(path, "a folder of that name is there")) { try write([2], to: path) }
    #expect(try names() == ["x"])
    #expect(try contents("x/a/b/x") == [1])
  }

  /// Plain renaming would replace an empty folder without a question.
  @Test func anEmptyFolderThatMustStay() throws {
    let path = scratch.path("x")
    try Folder.create(path)
    #expect(throws: refused(path, "a folder of that name is there")) { try write([2], to: path) }
    #expect(try names("x") == [])
  }

  @Test func aFileThatMustStay() throws {
    let path = scratch.path("x")
    try AtomicFile.write([1], to: path)
    #expect(throws: refused(path, "a file of that name is there")) { try write([2], to: path) }
    #expect(try names() == ["x"])
    #expect(try contents("x") == [1])
  }

  @Test func aFileIsReplaced() throws {
    try AtomicFile.write([1], to: scratch.path("x"))
    try write([2], to: scratch.path("x")) { _ in true }
    #expect(try names() == ["x"])
    #expect(try contents("x/a/b/x") == [2])
  }

  @Test func aLinkIsReplacedAndNotWhatItNames() throws {
    try write([1], to: scratch.path("target"))
    #expect(symlink("target", scratch.path("link")) == 0)
    let path = scratch.path("link")
    #expect(throws: refused(path, "something else of that name is there")) {
      try write([2], to: path)
    }
    try write([2], to: path) { _ in true }
    #expect(try contents("target/a/b/x") == [1])
    #expect(try contents("link/a/b/x") == [2])
    #expect(try names() == ["link", "target"])
  }

  @Test func twoWritersOfOneNameDoNotMix() throws {
    let path = scratch.path("x")
    let first = try AtomicFolder(path: path)
    let second = try AtomicFolder(path: path)
    try first.write([1], to: "one")
    try second.write([2], to: "two")
    try first.commit()
    try second.commit { _ in true }
    #expect(try names() == ["x"])
    #expect(try names("x") == ["two"])
  }

  /// The old folder is gone when the question has been answered.
  @Test func theOldOneVanishesMeanwhile() throws {
    let path = scratch.path("x")
    try write([1], to: path)
    try write([2], to: path) { name in
      do { try Folder.remove(name) } catch { return false }
      return true
    }
    #expect(try contents("x/a/b/x") == [2])
    #expect(try names() == ["x"])
  }

  /// As on a file system that cannot exchange two names.
  @Test func exchangesInSteps() throws {
    try write([1], to: scratch.path("old"))
    try write([2], to: scratch.path("new"))
    #expect(AtomicFolder.exchangeInSteps(scratch.path("new"), scratch.path("old")) == 0)
    #expect(try names() == ["new", "old"])
    #expect(try contents("old/a/b/x") == [2])
    #expect(try contents("new/a/b/x") == [1])
  }

  @Test func exchangingInStepsPutsBack() throws {
    try write([1], to: scratch.path("old"))
    let code = AtomicFolder.exchangeInSteps(scratch.path("new"), scratch.path("old"))
    #expect(code == ENOENT)
    #expect(try names() == ["old"])
    #expect(try contents("old/a/b/x") == [1])
  }
}
