import Files
import Glibc
import TestSupport
import Testing

@Suite struct FolderTests {
  let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  struct PathCase: Sendable, CustomTestStringConvertible {
    let path: String
    let parent: String
    let name: String
    var testDescription: String { path }
  }

  static let paths: [PathCase] = [
    PathCase(path: "a/b/c", parent: "a/b", name: "c"),
    PathCase(path: "a/b/", parent: "a", name: "b"),
    PathCase(path: "c", parent: ".", name: "c"),
    PathCase(path: "/c", parent: "/", name: "c"),
    PathCase(path: "/", parent: "/", name: "/"),
    PathCase(path: "//", parent: "/", name: "//"),
    PathCase(path: "", parent: ".", name: ""),
    PathCase(path: "a//b", parent: "a/", name: "b"),
    // A combining mark after the slash makes both one character for Swift.
    PathCase(path: "a/\u{338}b", parent: "a", name: "\u{338}b"),
  ]

  @Test(arguments: paths) func parts(_ test: PathCase) {
    #expect(Folder.parent(of: test.path) == test.parent)
    #expect(Folder.name(of: test.path) == test.name)
  }

  @Test func joining() {
    #expect(Folder.join("a", "b") == "a/b")
    #expect(Folder.join("a/", "b") == "a/b")
    #expect(Folder.join("a", "/b") == "/b")
    #expect(Folder.join("", "b") == "b")
    #expect(Folder.join(".", "b") == "b")
    #expect(Folder.join("a", "") == "a")
    #expect(Folder.join("/", "b") == "/b")
    #expect(Folder.join("a", "\u{338}b").utf8.elementsEqual("a/\u{338}b".utf8))
    #expect(Folder.join("a", "/\u{338}b").utf8.elementsEqual("/\u{338}b".utf8))
  }

  @Test func namesAreSortedByBytes() throws {
    for name in ["b", "a", "B", ".hidden", "\u{E9}", "e\u{301}", "10", "9"] {
      try AtomicFile.write([], to: scratch.path(name))
    }
    #expect(
      try Folder.names(in: scratch.path).map { Array($0.utf8) }
        == [".hidden", "10", "9", "B", "a", "b", "e\u{301}", "\u{E9}"].map { Array($0.utf8) })
  }

  @Test func namesOfNothing() {
    let path = scratch.path("no")
    #expect(
      throws: FileError.failed(doing: "list", path: path, reason: "no such file or directory")
    ) { try Folder.names(in: path) }
  }

  @Test func createsWithParents() throws {
    let path = scratch.path("a/b/c")
    try Folder.create(path)
    try Folder.create(path)
    #expect(Folder.kind(of: path) == .folder)
  }

  @Test func createWhereAFileIs() throws {
    try AtomicFile.write([], to: scratch.path("x"))
    #expect(
      throws: FileError.failed(
        doing: "make the folder", path: scratch.path("x"), reason: "a file of that name is there")
    ) { try Folder.create(scratch.path("x")) }
    #expect(throws: FileError.self) { try Folder.create(scratch.path("x/y")) }
  }

  @Test func kinds() throws {
    try AtomicFile.write([], to: scratch.path("x"))
    symlink("x", scratch.path("link"))
    symlink("no", scratch.path("dangling"))
    #expect(Folder.kind(of: scratch.path("x")) == .file)
    #expect(Folder.kind(of: scratch.path("link")) == .file)
    #expect(Folder.kind(of: scratch.path("dangling")) == .missing)
    #expect(Folder.kind(of: scratch.path) == .folder)
    #expect(Folder.kind(of: "/dev/null") == .other)
  }

  @Test func removeDoesNotFollowLinks() throws {
    try Folder.create(scratch.path("kept"))
    try AtomicFile.write([1], to: scratch.path("kept/x"))
    try Folder.create(scratch.path("gone/deep"))
    symlink("../kept", scratch.path("gone/link"))
    try Folder.remove(scratch.path("gone"))
    try Folder.remove(scratch.path("gone"))
    #expect(try Folder.names(in: scratch.path) == ["kept"])
    #expect(Folder.kind(of: scratch.path("kept/x")) == .file)
  }

  @Test func removeFileLeavesFolders() throws {
    let (file, folder) = (scratch.path("file"), scratch.path("folder"))
    try Folder.create(folder)
    try AtomicFile.write([1], to: file)
    symlink("nowhere", scratch.path("dangling"))
    symlink("folder", scratch.path("link"))
    for path in [file, folder, scratch.path("dangling"), scratch.path("link"), file] {
      try Folder.removeFile(path)
    }
    #expect(try Folder.names(in: scratch.path) == ["folder", "link"])
  }

  /// As when a signal ends the process while it removes something.
  @Test func manyRemoveTheSame() async throws {
    for round in 0..<20 {
      let path = scratch.path("gone")
      for index in 0..<50 {
        try Folder.create(Folder.join(path, "\(index)"))
        #expect(close(creat(Folder.join(path, "\(index)/x"), 0o600)) == 0)
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 { group.addTask { try Folder.remove(path) } }
        try await group.waitForAll()
      }
      #expect(Folder.kind(of: path) == .missing, "round \(round)")
    }
  }

  @Test func resolving() throws {
    try AtomicFile.write([], to: scratch.path("x"))
    symlink("x", scratch.path("link"))
    let real = try Folder.resolved(scratch.path)
    #expect(try Folder.resolved(scratch.path("./link")) == real + "/x")
    #expect(try Folder.resolved(scratch.path + "//") == real)
    let missing = scratch.path("no")
    #expect(
      throws: FileError.failed(doing: "find", path: missing, reason: "no such file or directory")
    ) { try Folder.resolved(missing) }
  }
}
