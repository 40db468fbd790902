import Files
import TestSupport
import Testing

@Suite struct SpilledFileTests {
  let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  private func file(_ byteCount: Int, free: Int? = nil) throws -> SpilledFile {
    try SpilledFile(path: "m", byteCount: byteCount, in: scratch.path, free: free)
  }

  @Test func whatIsFilledIsReadAndTheRestIsZeros() throws {
    let file = try file(7)
    file.write([1, 2])
    file.write([0, 0])
    file.write([3])
    let mapped = try file.finish()
    #expect(mapped.path == "m" && mapped.byteCount == 7)
    #expect(mapped.withBytes { $0.withUnsafeBytes { Array($0) } } == [1, 2, 0, 0, 3, 0, 0])
  }

  /// Nothing is left behind by a process that is killed, since nothing has a name.
  @Test func hasNoName() throws {
    let file = try file(1 << 20)
    #expect(try Folder.names(in: scratch.path) == [])
    file.write([1])
    _ = try file.finish()
    #expect(try Folder.names(in: scratch.path) == [])
  }

  /// Memory that is let go of comes back from the disk.
  @Test func isReadAgain() throws {
    let file = try file(1 << 16)
    file.write([UInt8](repeating: 7, count: 1 << 16))
    let mapped = try file.finish()
    var sum = 0
    for _ in 0..<2 {
      mapped.forEachPiece(in: 0..<mapped.byteCount, of: 1 << 12) { piece in
        sum += piece.withUnsafeBytes { $0.reduce(0) { $0 + Int($1) } }
      }
    }
    #expect(sum == 7 << 17)
  }

  @Test func anEmptyFileIsOne() throws { #expect(try file(0).finish().byteCount == 0) }

  @Test func roomIsAskedForFirst() throws {
    #expect(try file(10, free: 10).byteCount == 10)
    #expect {
      _ = try file(11, free: 10)
    } throws: { error in
      "\(error)"
        == "m: cannot unpack into '\(scratch.path)': it needs 11 bytes there, 10 are free; "
        + "name a folder with room in TMPDIR"
    }
  }

  @Test func aFolderThatIsNotThereIsNamed() throws {
    let folder = scratch.path("none")
    #expect {
      _ = try SpilledFile(path: "m", byteCount: 1, in: folder, free: nil)
    } throws: { error in
      "\(error)".hasPrefix("m: cannot unpack into '\(folder)': ")
        && "\(error)".hasSuffix("; name a folder with room in TMPDIR")
    }
  }
}

extension SpilledFile {
  fileprivate func write(_ bytes: [UInt8]) {
    #expect(throws: Never.self) { try write(bytes.span.bytes) }
  }
}
