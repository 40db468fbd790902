import Files
import ProjectFixtures
import Testing

@testable import Release

@Suite struct OutputFolderTests {
  @Test func isHeldByOneBuild() throws {
    let scratch = try Scratch()
    let path = scratch.inside("out")
    let first = try OutputFolder(path)
    let text = message { _ = try OutputFolder(path) } ?? ""
    #expect(text.hasPrefix("\(path): process "), "\(text)")
    #expect(
      text.hasSuffix(" is building here; wait for it, or choose another output folder"), "\(text)")
    #expect(Folder.kind(of: first.workshop) == .folder)
  }

  @Test func clearsWhatAKilledBuildLeft() throws {
    let scratch = try Scratch()
    try scratch.file("out/.ingot-build-x/1.tar.zst", "partial")
    try scratch.file("out/.ingot-store/cas", "the user's own")
    try scratch.file("out/kept", "kept")
    do { _ = try OutputFolder(scratch.inside("out")) }
    #expect(try Folder.names(in: scratch.inside("out")) == [".ingot-store", ".lock", "kept"])
  }

  @Test func putsFilesInOneStep() throws {
    let scratch = try Scratch()
    let folder = try OutputFolder(scratch.inside("out"))
    try folder.put([1, 2], at: "name")
    try folder.put([3], at: "name")
    #expect(try MappedFile.contents(of: folder.inside("name"), limit: 10) == [3])
    #expect(try Folder.names(in: folder.workshop) == [])
  }
}
