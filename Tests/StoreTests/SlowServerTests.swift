import Files
import Testing
import Weights

@testable import Store

/// The cost of a server that answers everything, late or to no purpose. The seconds are made up.
@Suite(.enabled(if: FaultyServer.python != nil, "python3 is not installed"))
struct SlowServerTests {
  /// A server with results of so many blobs under the keys `0`, `1`, …
  private func server(
    _ fault: FaultyServer.Fault? = nil, results: Int = 6, blobs: Int = 1
  ) throws -> FaultyServer {
    let server = try FaultyServer(fault)
    let test = try TestStore(remote: .patient(server.address))
    for result in 0..<results {
      let outputs = try (0..<blobs).map { index in
        let blob = try test.store.insert(Array("\(result) \(index)".utf8))
        return ActionResult.Output(
          path: "\(index)", digest: blob.digest, byteCount: blob.byteCount)
      }
      try test.store.record(
        ActionResult(outputs: outputs, exitCode: 0), for: .named("\(result)"))
    }
    #expect(test.warnings == [])
    return server
  }

  /// A store behind which every answer of a server takes so many seconds.
  private func store(
    _ server: FaultyServer, each: Double, lostSeconds: Double = 180
  ) throws -> TestStore {
    var patience = Patience.endless
    patience.lostSeconds = lostSeconds
    let clock = Clock(step: each)
    return try TestStore(
      remote: try RemoteStore(address: server.address, patience: patience) { clock.read() })
  }

  @Test func slowMissesAreFailures() throws {
    let server = try FaultyServer(nil)
    let test = try store(server, each: 15)
    for name in ["a", "b", "c", "d"] { #expect(test.store.result(for: .named(name)) == nil) }
    let slow = ["a", "b", "c"].map { name in
      "\(server.address)/ac/\(ActionKey.named(name)): the remote store takes 15 seconds to say that "
        + "it has none"
    }
    #expect(
      test.warnings == slow + [
        "\(server.address): failed 3 times in a row and is not asked for results again"
      ])
  }

  @Test func missesThatTakeTheirTimeAddUp() throws {
    let server = try FaultyServer(nil)
    let test = try store(server, each: 3, lostSeconds: 6)
    for name in 0..<5 { #expect(test.store.result(for: .named("\(name)")) == nil) }
    #expect(
      test.warnings == ["\(server.address): cost 6 seconds for nothing and is not asked again"])
  }

  @Test func missesAtOnceCostNothing() throws {
    let server = try FaultyServer(nil)
    let test = try store(server, each: 1, lostSeconds: 0.5)
    for name in 0..<5 { #expect(test.store.result(for: .named("\(name)")) == nil) }
    #expect(test.warnings == [])
  }

  @Test func blobsThatDoNotFitAndTakeTheirTimeAreFailures() throws {
    let server = try server(.garbage)
    let test = try store(server, each: 15)
    for name in 0..<6 { #expect(test.store.result(for: .named("\(name)")) == nil) }
    // The results took 14 seconds beyond their due, and the blobs 15.
    #expect(test.warnings.count == 4)
    #expect(test.warnings.prefix(3).allSatisfy { $0.contains("is corrupt and not used: has 3 ") })
    #expect(
      test.warnings.last
        == "\(server.address): failed 3 times in a row and is not asked for blobs again")
  }

  /// A few wrong blobs at once, as of a damaged disk, do not end the others.
  @Test func blobsThatDoNotFitAtOnceAreMisses() throws {
    let server = try server(.garbage)
    let test = try store(server, each: 0.1)
    for name in 0..<6 { #expect(test.store.result(for: .named("\(name)")) == nil) }
    #expect(test.warnings.count == 6)
    #expect(
      test.warnings.allSatisfy {
        $0.hasPrefix(server.address) && $0.contains("is corrupt and not used: has 3 ")
      }, "\(test.warnings)")
  }

  @Test func resultsWithoutAUseCostAllTheirTime() throws {
    let server = try server(blobs: 2)
    let test = try store(server, each: 0.9, lostSeconds: 5)
    for name in ["0", "1"] {
      #expect(test.store.result(for: .named(name)) != nil)
      test.store.reject(.named(name))
    }
    #expect(
      test.warnings == ["\(server.address): cost 5 seconds for nothing and is not asked again"])
    #expect(test.store.result(for: .named("2")) == nil)
  }

  /// However many blobs a result has, its time counts while they come.
  @Test func aResultOfManySlowBlobsIsCutShort() throws {
    let server = try server(results: 1, blobs: 40)
    let test = try store(server, each: 2, lostSeconds: 20)
    #expect(test.store.result(for: .named("0")) == nil)
    #expect(
      test.warnings == ["\(server.address): cost 20 seconds for nothing and is not asked again"])
    test.store.removeUseless()
    #expect(try test.files() == [])
  }

  @Test func resultsOfUseCostNothing() throws {
    let server = try server(blobs: 4)
    let test = try store(server, each: 2, lostSeconds: 6)
    for name in 0..<6 {
      #expect(test.store.result(for: .named("\(name)")) != nil)
      test.store.accept(.named("\(name)"))
    }
    #expect(test.warnings == [])
  }

  @Test func filesThatAreTakenSlowlyAddUp() throws {
    let server = try FaultyServer(nil)
    let test = try store(server, each: 3, lostSeconds: 3.5)
    try test.record(.named("a"), ["model": "weights"])
    #expect(
      test.warnings == ["\(server.address): cost 3 seconds for nothing and is not asked again"])
  }
}

/// A clock that goes forward each time it is read.
private final class Clock: Sendable {
  private let step: Double
  private let readings = Mutex(0)

  init(step: Double) { self.step = step }

  func read() -> Double {
    readings.withLock { count in
      count += 1
      return Double(count) * step
    }
  }
}
