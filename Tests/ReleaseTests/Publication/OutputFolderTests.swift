import Files
import ProjectFixtures
import TestSupport
import Testing

@testable import Release

@Suite struct OutputFolderTests {
  @Test func isHeldByOneBuild() throws {
    let scratch = try TemporaryFolder()
    let path = scratch.path("out")
    let first = try OutputFolder(path)
    let text = message { _ = try OutputFolder(path) } ?? ""
    #expect(text.hasPrefix("\(path): process "), "\(text)")
    #expect(
      text.hasSuffix(" is building here; wait for it, or choose another output folder"), "\(text)")
    #expect(Folder.kind(of: first.workshop) == .folder)
  }

  @Test func clearsWhatAKilledBuildLeft() throws {
    let scratch = try TemporaryFolder()
    try scratch.write("out/.ingot-build-x/1.tar.zst", "partial")
    try scratch.write("out/.ingot-store/cas", "the user's own")
    try scratch.write("out/kept", "kept")
    do { _ = try OutputFolder(scratch.path("out")) }
    #expect(try Folder.names(in: scratch.path("out")) == [".ingot-store", ".lock", "kept"])
  }

  @Test func putsFilesInOneStep() throws {
    let scratch = try TemporaryFolder()
    let folder = try OutputFolder(scratch.path("out"))
    try folder.put([1, 2], at: "name")
    try folder.put([3], at: "name")
    #expect(try MappedFile.contents(of: folder.inside("name"), limit: 10) == [3])
    #expect(try Folder.names(in: folder.workshop) == [])
  }
}
