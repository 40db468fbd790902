import Files
import Testing
import Weights

@testable import Store

@Suite struct ConcurrencyTests {
  let test: TestStore

  init() throws { test = try TestStore() }

  /// Many writers of the same blobs and results, in two stores on one folder.
  @Test func writersOfTheSameThingsAgree() async throws {
    let other = try ContentStore(folder: test.store.folder) { Issue.record("\($0)") }
    await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        let store = writer % 2 == 0 ? test.store : other
        group.addTask { try Self.write(in: store) }
      }
    }
    let report = try test.store.check()
    #expect(report.results.count == 16 && report.blobs.count == 16)
    #expect(report.faults == [] && report.leftovers == .init())
    for index in 0..<16 { #expect(test.store.result(for: .named("\(index)")) != nil) }
    #expect(test.warnings == [])
  }

  private static func write(in store: ContentStore) throws {
    for index in 0..<16 {
      let bytes = [UInt8](repeating: UInt8(index), count: 10_000 + index)
      let blob = try store.insert(bytes)
      let output = ActionResult.Output(
        path: "model", digest: blob.digest, byteCount: blob.byteCount)
      try store.record(ActionResult(outputs: [output], exitCode: 0), for: .named("\(index)"))
      #expect(store.result(for: .named("\(index)"))?.outputs == [output])
    }
  }

  /// Whatever a writer replaces, a reader sees one whole content or the other.
  @Test func readersOfAReplacedBlobSeeItWhole() async throws {
    let store = test.store
    let bytes = [UInt8](repeating: 7, count: 500_000)
    let blob = try store.insert(bytes)
    let path = store.path(of: blob.digest)
    await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for _ in 0..<20 {
          try AtomicFile.write([1, 2, 3], to: path)
          _ = try store.insert(bytes)
        }
      }
      group.addTask {
        for _ in 0..<100 {
          let found = ContentDigest(of: try MappedFile(path: path))
          #expect([blob.digest, ContentDigest(of: [1, 2, 3])].contains(found))
        }
      }
    }
    #expect(try MappedFile.contents(of: path, limit: bytes.count) == bytes)
  }
}
