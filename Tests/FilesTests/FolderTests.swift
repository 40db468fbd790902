import Files
import Glibc
import Testing

@Suite struct FolderTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

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
      try AtomicFile.write([], to: scratch.inside(name))
    }
    #expect(
      try Folder.names(in: scratch.path).map { Array($0.utf8) }
        == [".hidden", "10", "9", "B", "a", "b", "e\u{301}", "\u{E9}"].map { Array($0.utf8) })
  }

  @Test func namesOfNothing() {
    let path = scratch.inside("no")
    #expect(
      throws: FileError.failed(doing: "list", path: path, reason: "no such file or directory")
    ) { try Folder.names(in: path) }
  }

  @Test func createsWithParents() throws {
    let path = scratch.inside("a/b/c")
    try Folder.create(path)
    try Folder.create(path)
    #expect(Folder.kind(of: path) == .folder)
  }

  @Test func createWhereAFileIs() throws {
    try AtomicFile.write([], to: scratch.inside("x"))
    #expect(
      throws: FileError.failed(
        doing: "make the folder", path: scratch.inside("x"), reason: "a file of that name is there")
    ) { try Folder.create(scratch.inside("x")) }
    #expect(throws: FileError.self) { try Folder.create(scratch.inside("x/y")) }
  }

  @Test func kinds() throws {
    try AtomicFile.write([], to: scratch.inside("x"))
    symlink("x", scratch.inside("link"))
    symlink("no", scratch.inside("dangling"))
    #expect(Folder.kind(of: scratch.inside("x")) == .file)
    #expect(Folder.kind(of: scratch.inside("link")) == .file)
    #expect(Folder.kind(of: scratch.inside("dangling")) == .missing)
    #expect(Folder.kind(of: scratch.path) == .folder)
    #expect(Folder.kind(of: "/dev/null") == .other)
  }

  @Test func removeDoesNotFollowLinks() throws {
    try Folder.create(scratch.inside("kept"))
    try AtomicFile.write([1], to: scratch.inside("kept/x"))
    try Folder.create(scratch.inside("gone/deep"))
    symlink("../kept", scratch.inside("gone/link"))
    try Folder.remove(scratch.inside("gone"))
    try Folder.remove(scratch.inside("gone"))
    #expect(try Folder.names(in: scratch.path) == ["kept"])
    #expect(Folder.kind(of: scratch.inside("kept/x")) == .file)
  }

  @Test func removeFileLeavesFolders() throws {
    let (file, folder) = (scratch.inside("file"), scratch.inside("folder"))
    try Folder.create(folder)
    try AtomicFile.write([1], to: file)
    symlink("nowhere", scratch.inside("dangling"))
    symlink("folder", scratch.inside("link"))
    for path in [file, folder, scratch.inside("dangling"), scratch.inside("link"), file] {
      try Folder.removeFile(path)
    }
    #expect(try Folder.names(in: scratch.path) == ["folder", "link"])
  }

  /// As when a signal ends the process while it removes something.
  @Test func manyRemoveTheSame() async throws {
    for round in 0..<20 {
      let path = scratch.inside("gone")
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
    try AtomicFile.write([], to: scratch.inside("x"))
    symlink("x", scratch.inside("link"))
    let real = try Folder.resolved(scratch.path)
    #expect(try Folder.resolved(scratch.inside("./link")) == real + "/x")
    #expect(try Folder.resolved(scratch.path + "//") == real)
    let missing = scratch.inside("no")
    #expect(
      throws: FileError.failed(doing: "find", path: missing, reason: "no such file or directory")
    ) { try Folder.resolved(missing) }
  }
}
