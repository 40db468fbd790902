import TestSupport
import Testing

@testable import Files

@Suite struct SecretFileTests {
  private func bytes(of path: String, limit: Int = 100) throws -> [UInt8] {
    let file = try SecretFile(path: path, limit: limit)
    return file.bytes.withBytes { span in
      (0..<span.byteCount).map { unsafe span.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
    }
  }

  @Test(arguments: [[], [7], Array(UInt8(0)..<100)] as [[UInt8]])
  func readsAWholeFile(_ content: [UInt8]) throws {
    let scratch = try TemporaryFolder()
    let path = scratch.path("k")
    try AtomicFile.write(content, to: path)
    #expect(try bytes(of: path) == content)
  }

  @Test func refusesWhatIsTooLargeOrNoFile() throws {
    let scratch = try TemporaryFolder()
    let path = scratch.path("k")
    try AtomicFile.write(Array(repeating: 1, count: 101), to: path)
    #expect(throws: FileError.tooLarge(path: path, bytes: 101, limit: 100)) {
      try bytes(of: path)
    }
    let folder = Folder.parent(of: path)
    #expect(throws: FileError.notAFile(path: folder, found: "a folder")) {
      try bytes(of: folder)
    }
    let gone = path + "-gone"
    let error = FileError.failed(doing: "open", path: gone, reason: "no such file or directory")
    #expect(throws: error) { try bytes(of: gone) }
  }
}
