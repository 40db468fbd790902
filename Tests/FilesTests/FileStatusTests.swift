import Files
import Glibc
import TestSupport
import Testing

@Suite struct FileStatusTests {
  let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  @Test func tellsSizeAndTime() throws {
    let path = scratch.path("x")
    try AtomicFile.write([1, 2, 3], to: path)
    FileStatus.touch(path, at: 1000)
    #expect(FileStatus(of: path)?.byteCount == 3)
    #expect(FileStatus(of: path)?.modified == 1000)
    let before = System.secondsSince1970
    FileStatus.touch(path)
    // The clock of files may be a tick behind.
    let now = try #require(FileStatus(of: path)?.modified)
    #expect((before - 1...System.secondsSince1970).contains(now))
  }

  @Test func onlyRegularFilesHaveOne() throws {
    #expect(FileStatus(of: scratch.path) == nil)
    #expect(FileStatus(of: scratch.path("missing")) == nil)
    try AtomicFile.write([1, 2], to: scratch.path("x"))
    #expect(symlink("x", scratch.path("link")) == 0)
    #expect(FileStatus(of: scratch.path("link")) == nil)
    #expect(FileStatus(of: scratch.path("link"), followsLinks: true)?.byteCount == 2)
    #expect(FileStatus(of: scratch.path, followsLinks: true) == nil)
  }
}
