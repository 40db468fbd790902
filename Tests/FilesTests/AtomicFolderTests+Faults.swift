import Glibc
import TestSupport
import Testing

@testable import Files

// Folders that cannot be made.
extension AtomicFolderTests {
  @Test func missingParent() throws {
    let path = scratch.path("no/x")
    #expect(throws: refused(path, "no such file or directory")) { try write([1], to: path) }
    #expect(try names() == [])
  }

  @Test func parentIsAFile() throws {
    try AtomicFile.write([1], to: scratch.path("file"))
    let path = scratch.path("file/x")
    #expect(throws: refused(path, "not a directory")) { try write([1], to: path) }
  }

  /// Runs in a process of its own, which gives up the rights of root.
  @Test func unwritableParent() async {
    await #expect(processExitsWith: .success) {
      let scratch = try TemporaryFolder()
      chmod(scratch.path, 0o555)
      let user = geteuid()
      if user == 0 { seteuid(65534) }
      let path = scratch.path("x")
      let expected = FileError.failed(doing: "write", path: path, reason: "permission denied")
      #expect(throws: expected) { _ = try AtomicFolder(path: path) }
      seteuid(user)
      chmod(scratch.path, 0o755)
      try #require(try Folder.names(in: scratch.path) == [])
    }
  }

  /// Runs in a process of its own: the mask belongs to the whole process.
  @Test func accessRightsFollowTheMask() async {
    await #expect(processExitsWith: .success) {
      let scratch = try TemporaryFolder()
      for (mask, expected) in [(0o022, [0o755, 0o755, 0o644]), (0o077, [0o700, 0o700, 0o600])]
        as [(mode_t, [mode_t])]
      {
        umask(mask)
        let folder = try AtomicFolder(path: scratch.path("x"))
        try folder.write([1], to: "a/y")
        try folder.commit { _ in true }
        let found = ["x", "x/a", "x/a/y"].map { name in
          var status = stat()
          stat(scratch.path(name), &status)
          return status.st_mode & 0o777
        }
        try #require(found == expected)
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
      let expected = FileError.failed(doing: "write", path: path + "/y", reason: "file too large")
      #expect(throws: expected) {
        let folder = try AtomicFolder(path: path)
        try folder.write([UInt8](repeating: 1, count: 1 << 20), to: "y")
        try folder.commit()
      }
      try #require(try Folder.names(in: scratch.path) == [])
    }
  }

  @Test(arguments: ["", "/x", "../x", "a/../x", "a//x", "./x", "x/"])
  func pathsThatLeaveTheFolder(_ path: String) async {
    await #expect(processExitsWith: .failure) { [path, place = scratch.path("x") as String] in
      try AtomicFolder(path: place).write([1], to: path)
    }
  }

}
