import Files
import TestSupport
import Testing

/// A file in memory gives what one on disk gives, and leaves no name.
@Suite struct StagedFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func written(in storage: StagedFile.Storage, at path: String) throws -> StagedFile {
    var file = try StagedFile(path: path, in: storage)
    try file.write([1, 2, 3])
    try file.extend(to: 6)
    try file.write([7])
    try file.overwrite([9, 9], at: 2)
    return file
  }

  @Test(arguments: [StagedFile.Storage.disk, .memory])
  func whatWasWrittenIsRead(_ storage: StagedFile.Storage) throws {
    let file = try written(in: storage, at: folder.path("f"))
    #expect(file.byteCount == 7)
    #expect(try file.reading().start(7) == [1, 2, 9, 9, 0, 0, 7])
    #expect(Folder.kind(of: folder.path("f")) == .missing)
  }

  @Test func oneOnDiskGetsItsName() throws {
    let held = try written(in: .disk, at: folder.path("f")).commit(isDurable: false)
    #expect(held == nil)
    #expect(try MappedFile.contents(of: folder.path("f"), limit: 7) == [1, 2, 9, 9, 0, 0, 7])
    #expect(try Folder.names(in: folder.path) == ["f"])
  }

  /// Not even the folder of its path must be there.
  @Test func oneInMemoryIsItsBytes() throws {
    let file = try written(in: .memory, at: folder.path("none/f"))
    #expect(try file.reading().path == folder.path("none/f"))
    #expect(try file.commit() == [1, 2, 9, 9, 0, 0, 7])
    #expect(try Folder.names(in: folder.path).isEmpty)
  }

  @Test func anEmptyOneInMemoryIsEmpty() throws {
    let file = try StagedFile(path: "f", in: .memory)
    #expect(try file.reading().byteCount == 0)
    #expect(try file.commit() == [])
  }
}
