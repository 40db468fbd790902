import Dispatch
import Files
import Foundation
import Testing
import Weights

@testable import Store

/// Disks that are full and processes that are killed.
@Suite struct FaultTests {
  /// In a process of its own, because the limit is one of the process.
  @Test func aFullDiskLeavesNothing() async {
    await #expect(processExitsWith: .success) {
      System.ignoreWriteSignals()
      let test = try TestStore()
      let small = try test.record(.named("small"), ["model": "weights"])
      var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let bytes = [UInt8](repeating: 1, count: 10_000)
      let hex = ContentDigest(of: bytes).hex
      let place = Folder.join(test.store.folder, "cas/\(hex.prefix(2))/\(hex)")
      #expect(
        throws: FileError.failed(doing: "write", path: place, reason: "file too large")
      ) { try test.store.insert(bytes) }
      #expect(try test.files().count == 2)
      #expect(test.store.result(for: .named("small")) == small)
    }
  }

  /// A process that does nothing but write into a store, killed once it has begun so many writes.
  @Test(arguments: 0..<12) func aKilledWriterHarmsNobody(_ round: Int) async throws {
    let test = try TestStore()
    let kept = try test.record(.named("kept"), ["model": "weights"])
    let folder = test.store.folder
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [folder = folder as String, round = round as Int] in
      let store = try ContentStore(folder: folder) { _ in }
      let begun = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        for _ in 0..<round { begun.wait() }
        kill(getpid(), SIGKILL)
      }
      while true {
        begun.signal()
        try FaultTests.write(UInt8.random(in: 0..<255), in: store)
      }
    }
    let report = try test.store.check()
    #expect(report.faults == [])
    #expect(test.store.result(for: .named("kept")) == kept)
    #expect(test.warnings == [])
    // The lock went with the process.
    #expect(try test.store.collect().leftovers == .init())
    #expect(test.store.result(for: .named("kept")) == kept)
    #expect(try test.files().allSatisfy { !$0.contains(AtomicFile.temporaryPrefix) })
  }

  private static func write(_ number: UInt8, in store: ContentStore) throws {
    let blob = try store.insert([UInt8](repeating: number, count: 200_000))
    let output = ActionResult.Output(path: "m", digest: blob.digest, byteCount: blob.byteCount)
    try store.record(ActionResult(outputs: [output], exitCode: 0), for: .named("\(number)"))
  }
}
