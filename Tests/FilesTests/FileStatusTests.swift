import Files
import Glibc
import Testing

@Suite struct FileStatusTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test func tellsSizeAndTime() throws {
    let path = scratch.inside("x")
    try AtomicFile.write([1, 2, 3], to: path)
    FileStatus.touch(path, at: 1000)
    #expect(FileStatus(of: path)?.byteCount == 3)
    #expect(FileStatus(of: path)?.modified == 1000)
    FileStatus.touch(path)
    let age = System.secondsSince1970 - (FileStatus(of: path)?.modified ?? 0)
    #expect((-60...60).contains(age))
  }

  @Test func onlyRegularFilesHaveOne() throws {
    #expect(FileStatus(of: scratch.path) == nil)
    #expect(FileStatus(of: scratch.inside("missing")) == nil)
    try AtomicFile.write([], to: scratch.inside("x"))
    #expect(symlink("x", scratch.inside("link")) == 0)
    #expect(FileStatus(of: scratch.inside("link")) == nil)
  }
}
