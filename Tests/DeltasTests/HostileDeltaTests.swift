import Files
import TestSupport
import Testing
import Zstd

@testable import Deltas
@testable import Updates

/// Deltas that are damaged, of another file, or made to do harm.
@Suite struct HostileDeltaTests {
  private static let old = DeltaTests.noise(2_000, seed: 20)
  private static let new = old.map { $0 ^ 3 } + [1, 2, 3]

  @Test func everyBitCounts() throws {
    let files = try DeltaFiles()
    let (delta, expected) = (try files.delta(Self.old, Self.new).all, try files.identity(Self.new))
    for place in delta.indices {
      var changed = delta
      changed[place] ^= 1 << (place % 8)
      // A bit that zstd does not look at changes nothing.
      if let made = try? files.apply(changed, Self.old, expected) {
        #expect(made == Self.new, "byte \(place)")
        #expect(place >= DeltaHeader.byteCount, "byte \(place)")
      }
    }
  }

  @Test func aDeltaThatEndsEarlyIsRefused() throws {
    let files = try DeltaFiles()
    let (delta, expected) = (try files.delta(Self.old, Self.new).all, try files.identity(Self.new))
    for count in 0..<delta.count {
      #expect(throws: DeltaError.self, "\(count) bytes") {
        try files.apply(Array(delta.prefix(count)), Self.old, expected)
      }
    }
    #expect(throws: DeltaError.self) { try files.apply(delta + [0], Self.old, expected) }
  }

  @Test func anotherBaseIsNamed() throws {
    let files = try DeltaFiles()
    let (delta, expected) = (try files.delta(Self.old, Self.new).all, try files.identity(Self.new))
    let other = Array(Self.old.dropLast())
    let (found, needed) = (try files.identity(other).hex, try files.identity(Self.old).hex)
    #expect(
      throws: DeltaError.otherBase(
        delta: files.folder.path("applied"), found: found, expected: needed)
    ) { try files.apply(delta, other, expected) }
    #expect(throws: DeltaError.self) { try files.apply(delta, nil, expected) }
  }

  @Test func anotherResultIsRefusedBeforeAnythingIsMade() throws {
    let files = try DeltaFiles()
    let delta = try files.delta(Self.old, Self.new)
    let other = try files.identity(Self.old)
    let found = try files.identity(Self.new)
    #expect(
      throws: DeltaError.otherResult(
        delta: delta.path, found: "\(found)", expected: "\(other)")
    ) {
      try DeltaReader(delta, old: try files.file("base", Self.old), expected: other)
    }
  }

  /// A frame of some blocks behind a header that does not fit them.
  private func hostile(
    _ files: DeltaFiles, _ content: [UInt8], new: FileIdentity, old: [UInt8] = []
  ) throws -> [UInt8] {
    let header = DeltaHeader(method: .blocks, old: try files.identity(old), new: new)
    let writer = try ZstdWriter(workers: 1)
    try writer.begin(byteCount: content.count)
    var frame: [UInt8] = []
    try writer.compress(content.span.bytes, isLast: true) { bytes in
      unsafe bytes.withUnsafeBytes { unsafe frame.append(contentsOf: $0) }
    }
    return header.bytes + frame
  }

  @Test(arguments: [
    DeltaBlock(.plain, at: 0, count: 1 << 40), DeltaBlock(.plain, at: 1, count: 5),
    DeltaBlock(.sum, at: 0, count: 5), DeltaBlock(.xor, at: Int.max, count: 5),
    DeltaBlock(.plain, at: 0, count: 0), DeltaBlock(.plain, at: 0, count: 6),
  ])
  func blocksBeyondTheFilesAreRefused(_ block: DeltaBlock) throws {
    let files = try DeltaFiles()
    let new = try files.identity([1, 2, 3, 4, 5])
    let delta = try hostile(files, block.bytes + [1, 2, 3, 4, 5], new: new)
    #expect(throws: DeltaError.self) { try files.apply(delta, [], new) }
  }

  @Test func aBombStopsWhereTheFileEnds() throws {
    let files = try DeltaFiles()
    let new = try files.identity([1, 2, 3, 4, 5])
    let zeros = [UInt8](repeating: 0, count: 50_000_000)
    let delta = try hostile(
      files, DeltaBlock(.plain, at: 0, count: 5).bytes + [1, 2, 3, 4, 5] + zeros, new: new)
    #expect(delta.count < 10_000)
    #expect(throws: DeltaError.self) { try files.apply(delta, [], new) }
  }

  @Test func aDictionaryBeyondTheWindowIsRefused() throws {
    let large = FileIdentity(
      length: DeltaHeader.dictionaryLimit, sha256: [UInt8](repeating: 0, count: 32))
    let small = FileIdentity(length: 1, sha256: [UInt8](repeating: 0, count: 32))
    let header = DeltaHeader(method: .dictionary, old: large, new: small)
    #expect(throws: DeltaError.self) { try DeltaHeader(header.bytes, origin: "d") }
  }
}
