import Files
import Foundation
import StrictJSON
import TestSupport
import Testing
import Weights

@testable import Store

@Suite struct ContentStoreTests {
  let test: TestStore
  var store: ContentStore { test.store }

  init() throws { test = try TestStore() }

  /// A result and a blob: two files.
  @Test func textsOfAResultNeedNoBlobs() throws {
    let test = try TestStore()
    let outputs = [
      try test.store.output(Array("small".utf8), as: "small"),
      try test.store.output([UInt8](repeating: 0xFF, count: 9), as: "blob"),
    ]
    try test.store.record(ActionResult(outputs: outputs, exitCode: 0), for: .named("a"))
    #expect(try test.files().count == 2)
    let found = try #require(test.store.result(for: .named("a")))
    let small = try #require(found.outputs.last)
    #expect(try test.store.bytes(of: small, limit: 5) == Array("small".utf8))
    #expect(throws: FileError.tooLarge(path: "small", bytes: 5, limit: 4)) {
      try test.store.bytes(of: small, limit: 4)
    }
    #expect(test.warnings == [])
  }

  @Test func anUnknownActionHasNoResult() {
    #expect(store.result(for: .named("a")) == nil)
    #expect(test.warnings == [])
  }

  @Test func givesBackWhatWasRecorded() throws {
    let made = try test.record(.named("a"), ["b/model": "weights", "receipt": ""], exitCode: 3)
    #expect(made.outputs.map(\.path) == ["b/model", "receipt"])
    let result = try #require(store.result(for: .named("a")))
    #expect(result == made)
    #expect(try store.bytes(of: result.outputs[0], limit: 7) == Array("weights".utf8))
    #expect(try store.bytes(of: result.outputs[1], limit: 0) == [])
    #expect(store.result(for: .named("b")) == nil)
    #expect(test.warnings == [])
  }

  @Test func aBlobLiesUnderTheDigestOfItsBytes() throws {
    let blob = try store.insert(Array("abc".utf8))
    let hex = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    #expect(blob.digest.hex == hex && blob.byteCount == 3)
    #expect(store.path(of: blob.digest) == "\(store.folder)/cas/ba/\(hex)")
    #expect(try test.files() == ["cas/ba/\(hex)"])
    _ = try store.insert(Array("abc".utf8))
    #expect(try test.files() == ["cas/ba/\(hex)"])
  }

  @Test(arguments: [0, 1, 1 << 20, (1 << 20) + 1, 3_000_000])
  func copiesFiles(_ count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let path = test.scratch.path("file")
    try AtomicFile.write(bytes, to: path)
    let blob = try store.insert(file: path)
    #expect(blob.digest == ContentDigest(of: bytes) && blob.byteCount == count)
    #expect(
      try MappedFile.contents(of: store.path(of: blob.digest), limit: count) == bytes)
  }

  struct Damage: CustomTestStringConvertible {
    let name: String
    let bytes: String
    let found: String
    var testDescription: String { name }
  }

  static let damages = [
    Damage(
      name: "other bytes", bytes: "WEIGHTS",
      found: "its 7 bytes have SHA-256 \(ContentDigest(ofText: "WEIGHTS")), expected "
        + "\(ContentDigest(ofText: "weights"))"),
    Damage(name: "truncated", bytes: "weigh", found: "has 5 bytes, expected 7"),
    Damage(name: "empty", bytes: "", found: "has 0 bytes, expected 7"),
    Damage(name: "longer", bytes: "weights and more", found: "has 16 bytes, expected 7"),
  ]

  @Test(arguments: damages) func aCorruptBlobIsWarnedOfAndMadeAnew(_ damage: Damage) throws {
    let made = try test.record(.named("a"), ["model": "weights"])
    let path = store.path(of: made.outputs[0].digest)
    try test.damage(path, Array(damage.bytes.utf8))
    #expect(store.result(for: .named("a")) == nil)
    #expect(
      test.warnings == [
        "\(path): is corrupt and not used: \(damage.found)"
      ])
    try test.record(.named("a"), ["model": "weights"])
    #expect(store.result(for: .named("a")) == made)
    #expect(test.warnings.count == 1)
  }

  /// Hashing a terabyte would take minutes, and its mapping more room than some machines give.
  @Test func aBlobOfAnotherSizeIsNotRead() throws {
    let made = try test.record(.named("a"), ["model": "weights"])
    let path = store.path(of: made.outputs[0].digest)
    #expect(truncate(path, 1 << 40) == 0)
    #expect(store.result(for: .named("a")) == nil)
    #expect(
      test.warnings == [
        "\(path): is corrupt and not used: has 1099511627776 bytes, expected 7"
      ])
  }

  @Test(arguments: [true, false]) func aFolderInTheWayIsReplaced(_ isBlob: Bool) throws {
    let made = try test.record(.named("a"), ["model": "weights"])
    let path =
      isBlob ? store.path(of: made.outputs[0].digest) : store.layout.path(of: .named("a"))
    try Folder.remove(path)
    try Folder.create(path + "/inner")
    #expect(store.result(for: .named("a")) == nil)
    #expect(test.warnings == ["\(path): is a folder, expected a regular file"])
    #expect(try test.record(.named("a"), ["model": "weights"]) == made)
    #expect(store.result(for: .named("a")) == made)
  }

  @Test(arguments: [true, false]) func aFileWhereAFolderBelongsIsReplaced(_ isBlob: Bool) throws {
    let made = try test.record(.named("a"), ["model": "weights"])
    let path =
      isBlob ? store.path(of: made.outputs[0].digest) : store.layout.path(of: .named("a"))
    let folder = Folder.parent(of: path)
    try Folder.remove(folder)
    try AtomicFile.write([1], to: folder)
    #expect(store.result(for: .named("a")) == nil)
    #expect(try test.record(.named("a"), ["model": "weights"]) == made)
    #expect(store.result(for: .named("a")) == made)
  }

  @Test func aMissingBlobIsAMiss() throws {
    let made = try test.record(.named("a"), ["model": "weights"])
    try Folder.remove(store.path(of: made.outputs[0].digest))
    #expect(store.result(for: .named("a")) == nil)
    #expect(test.warnings.count == 1)
    #expect(
      test.warnings.first?.hasSuffix(
        "is not there, and a result names it as 'model'; the result is not used") == true)
  }

  @Test func anEntryOfAnotherKeyIsCorrupt() throws {
    try test.record(.named("a"), ["model": "weights"])
    let entry = try MappedFile.contents(of: store.layout.path(of: .named("a")), limit: 1 << 20)
    let path = store.layout.path(of: .named("b"))
    try Folder.create(Folder.parent(of: path))
    try test.damage(path, entry)
    #expect(store.result(for: .named("b")) == nil)
    #expect(
      test.warnings == [
        "\(path): is corrupt and not used: "
          + "does not carry the seal of its key and content"
      ])
  }

  /// Digests guard the blobs; the seal guards the rest, so no flipped bit changes a result.
  @Test func everyFlippedBitOfAnEntryIsNoticed() throws {
    let made = try test.record(.named("a"), ["model": "weights"], exitCode: 3)
    let path = store.layout.path(of: .named("a"))
    let entry = try MappedFile.contents(of: path, limit: 1 << 20)
    for index in entry.indices {
      for bit in 0..<8 {
        var bytes = entry
        bytes[index] ^= 1 << UInt8(bit)
        try AtomicFile.write(bytes, to: path)
        let result = store.result(for: .named("a"))
        #expect(result == nil || result == made, "byte \(index), bit \(bit)")
      }
    }
  }

  @Test func aResultNamesOnlyWhatIsThere() throws {
    let digest = ContentDigest(ofText: "never inserted")
    let result = ActionResult(
      outputs: [.init(path: "model", digest: digest, byteCount: 14)], exitCode: 0)
    let path = store.path(of: digest)
    #expect(throws: StoreError.missingBlob(path: path, output: "model")) {
      try store.record(result, for: .named("a"))
    }
    #expect(try test.files() == [])
  }

  @Test func bytesAreLimitedAndHashedOnceMore() throws {
    let made = try test.record(.named("a"), ["model": "weights"])
    let path = store.path(of: made.outputs[0].digest)
    #expect(throws: FileError.tooLarge(path: path, bytes: 7, limit: 6)) {
      try store.bytes(of: made.outputs[0], limit: 6)
    }
    try test.damage(path, Array("WEIGHTS".utf8))
    let found = ContentDigest(ofText: "WEIGHTS").hex
    #expect(throws: StoreError.corruptBlob(path: path, found: found)) {
      try store.bytes(of: made.outputs[0], limit: 7)
    }
  }

  @Test func aSoundBlobIsNotWrittenAgainAndACorruptOneIs() throws {
    let blob = try store.insert(Array("weights".utf8))
    let path = store.path(of: blob.digest)
    FileStatus.touch(path, at: 1000)
    _ = try store.insert(Array("weights".utf8))
    #expect(FileStatus(of: path)?.modified == 1000)
    try test.damage(path, Array("WEIGHTS".utf8))
    _ = try store.insert(Array("weights".utf8))
    #expect(try MappedFile.contents(of: path, limit: 7) == Array("weights".utf8))
  }

  @Test func useIsNotedForCleaning() throws {
    try test.record(.named("a"), ["model": "weights"])
    let path = store.layout.path(of: .named("a"))
    FileStatus.touch(path, at: 1000)
    #expect(store.result(for: .named("a")) != nil)
    #expect((FileStatus(of: path)?.modified ?? 0) > 1000)
  }
}
