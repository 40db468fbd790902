import Files
import Foundation
import Testing
import Weights

@testable import Store

@Suite struct CleaningTests {
  let test: TestStore
  var store: ContentStore { test.store }

  init() throws { test = try TestStore() }

  private func entry(_ name: String) -> String { store.layout.path(of: .named(name)) }

  private func isKnown(_ name: String) -> Bool { Folder.kind(of: entry(name)) == .file }

  @Test func anEmptyStoreIsSound() throws {
    #expect(try store.check() == StoreReport())
    #expect(try store.collect() == StoreReport())
  }

  @Test func aSoundStoreIsCounted() throws {
    try test.record(.named("a"), ["model": "weights", "receipt": "ok"])
    try test.record(.named("b"), ["model": "weights"])
    let report = try store.check()
    #expect(report.results.count == 2)
    #expect(report.blobs == .init(count: 2, byteCount: 9))
    #expect(report.leftovers == .init() && report.removed == .init())
    #expect(report.faults == [])
    #expect(report.byteCount == 9 + report.results.byteCount)
  }

  @Test func everyFaultIsNamed() throws {
    try test.record(.named("a"), ["model": "weights"])
    let blob = store.path(of: ContentDigest(ofText: "weights"))
    try test.damage(blob, Array("WEIGHTS".utf8))
    try test.record(.named("b"), [:])
    try test.damage(entry("b"), [0xFF])
    let expected = [
      "\(entry("a")): names the blob \(ContentDigest(ofText: "weights")) as 'model', which is not "
        + "there, whole",
      "\(entry("b")): is corrupt: is no ActionResult message",
      "\(blob): is corrupt: its content has SHA-256 \(ContentDigest(ofText: "WEIGHTS"))",
    ]
    #expect(try store.check().faults.sorted() == expected.sorted())
    #expect(try test.files().count == 3)
    let report = try store.collect()
    #expect(report.faults.sorted() == expected.sorted())
    #expect(report.removed.count == 3)
    #expect(try test.files() == [])
    #expect(try store.check() == StoreReport())
  }

  /// Hashing a terabyte would take minutes; its size says enough.
  @Test func aBlobOfAnotherSizeIsNotHashed() throws {
    try test.record(.named("a"), ["model": "weights"])
    try test.record(.named("b"), ["again": "weights", "other": "other"])
    let digest = ContentDigest(ofText: "weights")
    #expect(truncate(store.path(of: digest), 1 << 40) == 0)
    let expected = [
      "\(entry("a")): names the blob \(digest) as 'model', which is not there, whole",
      "\(entry("b")): names the blob \(digest) as 'again', which is not there, whole",
      "\(store.path(of: digest)): is corrupt: has 1099511627776 bytes, expected 7",
    ]
    #expect(try store.check().faults.sorted() == expected.sorted())
    var steps: [StoreStep] = []
    _ = try store.check { steps.append($0) }
    #expect(steps.last == .hashing(5, of: 5))
    let report = try store.collect()
    #expect(report.faults.sorted() == expected.sorted())
    #expect(report.removed.count == 4)
    #expect(try test.files() == [])
  }

  /// A result that names a wrong size is at fault itself, not the blob.
  @Test(arguments: [6, 8]) func aResultWithAWrongSizeDoesNotCondemnTheBlob(_ size: Int) throws {
    let made = try test.record(.named("a"), ["model": "weights"])
    let digest = made.outputs[0].digest
    let wrong = ActionResult(
      outputs: [.init(path: "model", digest: digest, byteCount: size)], exitCode: 0)
    try store.writeEntry(try wrong.encoded(for: .named("b")), for: .named("b"))
    let expected = "\(entry("b")): names the blob \(digest) as 'model', which is not there, whole"
    #expect(try store.check().faults == [expected])
    #expect(try store.collect().removed.count == 1)
    #expect(store.result(for: .named("a")) == made)
  }

  @Test func aKilledWriterLeavesNothingThatCounts() throws {
    let made = try test.record(.named("a"), ["model": "weights"])
    for place in ["cas/.ingot-1", "cas/0b/.ingot-2", "ac/.ingot-3"] {
      let path = Folder.join(store.folder, place)
      try Folder.create(Folder.parent(of: path))
      try AtomicFile.write(Array("weig".utf8), to: path)
    }
    #expect(store.result(for: .named("a")) == made)
    #expect(try store.check().leftovers == .init(count: 3, byteCount: 12))
    #expect(try store.check().faults == [])
    let report = try store.collect()
    #expect(report.removed == .init(count: 3, byteCount: 12))
    #expect(report.leftovers == .init())
    #expect(store.result(for: .named("a")) == made)
  }

  @Test func foreignFilesStay() throws {
    for place in [
      "README", "cas/README", "cas/ab/notes", "ac/no/\(String(repeating: "a", count: 64))",
    ] {
      let path = Folder.join(store.folder, place)
      try Folder.create(Folder.parent(of: path))
      try AtomicFile.write([1], to: path)
    }
    let before = try test.files()
    #expect(try store.check() == StoreReport())
    #expect(try store.collect(keepingBytes: 0) == StoreReport())
    #expect(try test.files() == before)
  }

  @Test func blobsNobodyNamesGo() throws {
    try test.record(.named("a"), ["model": "weights"])
    _ = try store.insert(Array("nobody's".utf8))
    let report = try store.collect()
    #expect(report.removed == .init(count: 1, byteCount: 8))
    #expect(report.blobs == .init(count: 1, byteCount: 7))
    #expect(store.result(for: .named("a")) != nil)
  }

  @Test func everyStepIsTold() throws {
    try test.record(.named("a"), ["model": "weights"])
    _ = try store.insert(Array("another".utf8))
    var steps: [StoreStep] = []
    _ = try store.collect { steps.append($0) }
    #expect(
      steps == [
        .readingResults(1, of: 1), .hashing(7, of: 14), .hashing(14, of: 14), .removing(1, of: 1),
      ])
  }

  @Test func unusedResultsGoByAge() throws {
    let day = 86_400
    let now = 100 * day
    for (name, age) in [("new", 0), ("limit", 10 * day), ("old", 10 * day + 1), ("future", -day)] {
      try test.record(.named(name), ["model": "weights", "own": name])
      FileStatus.touch(entry(name), at: now - age)
    }
    let report = try store.collect(olderThan: 10, now: now)
    #expect(["new", "limit", "old", "future"].map(isKnown) == [true, true, false, true])
    #expect(report.results.count == 3 && report.blobs.count == 4 && report.removed.count == 2)
  }

  @Test func theLeastRecentlyUsedGoBeyondASize() throws {
    for (name, second) in [("a", 3), ("b", 1), ("c", 2)] {
      try test.record(.named(name), ["own": name + String(repeating: ".", count: 999)])
      FileStatus.touch(entry(name), at: second)
    }
    let each = try store.check().byteCount / 3
    #expect(try store.collect(keepingBytes: 3 * each).removed.count == 0)
    let report = try store.collect(keepingBytes: 3 * each - 1)
    #expect(["a", "b", "c"].map(isKnown) == [true, false, true])
    #expect(report.byteCount == 2 * each && report.removed.byteCount == each)
    #expect(try store.collect(keepingBytes: 0).byteCount == 0)
    #expect(try test.files() == [])
  }

  /// A blob that several results share counts once.
  @Test func sharedBlobsAreCountedOnce() throws {
    let text = String(repeating: "w", count: 10_000)
    for name in ["a", "b", "c"] { try test.record(.named(name), ["model": text]) }
    let report = try store.collect(keepingBytes: 11_000)
    #expect(report.results.count == 3 && report.removed.count == 0)
  }

  @Test func aStoreInUseIsNotCleaned() throws {
    let other = try ContentStore(folder: store.folder) { _ in }
    _ = try store.insert(Array("nobody's".utf8))
    #expect(throws: StoreError.inUse(folder: store.folder)) { try store.collect() }
    #expect(try test.files().count == 1)
    _ = try other.check()
  }

  @Test func afterCleaningTheStoreIsHeldAgain() throws {
    _ = try store.collect()
    let other = try FileLock(path: store.layout.lock)
    #expect(try !other.take(.exclusive))
    #expect(try other.take(.shared))
  }
}
