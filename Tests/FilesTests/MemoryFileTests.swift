import Files
import Testing

@Suite struct MemoryFileTests {
  @Test func whatIsFilledIsReadAndTheRestIsZeros() throws {
    var file = try MemoryFile(path: "m", byteCount: 5)
    file.write(([1, 2] as [UInt8]).span.bytes)
    file.write(([3] as [UInt8]).span.bytes)
    let mapped = file.finish()
    #expect(mapped.path == "m")
    #expect(mapped.byteCount == 5)
    #expect(mapped.withBytes { $0.withUnsafeBytes { Array($0) } } == [1, 2, 3, 0, 0])
  }

  /// Memory behind a file on disk comes back when it is read again; this would be gone.
  @Test func nothingIsLetGo() throws {
    var file = try MemoryFile(path: "m", byteCount: 1 << 16)
    file.write([UInt8](repeating: 7, count: 1 << 16).span.bytes)
    let mapped = file.finish()
    mapped.letGo(of: 0..<mapped.byteCount)
    var sum = 0
    mapped.forEachPiece(in: 0..<mapped.byteCount, of: 1 << 12) { piece in
      sum += piece.withUnsafeBytes { $0.reduce(0) { $0 + Int($1) } }
    }
    #expect(sum == 7 << 16)
    #expect(mapped.withBytes(in: 0..<1) { $0.withUnsafeBytes { $0[0] } } == 7)
  }

  @Test func anEmptyFileIsOne() throws {
    let mapped = try MemoryFile(path: "m", byteCount: 0).finish()
    #expect(mapped.byteCount == 0)
    #expect(mapped.withBytes { $0.byteCount } == 0)
  }

  /// No machine has so much room, and nothing traps for want of it.
  @Test func moreThanThereIsIsAnError() {
    #expect(throws: FileError.self) { try MemoryFile(path: "m", byteCount: 1 << 60).finish() }
  }
}
