import Files
import Testing
import Weights

@testable import Store

/// How much a server may put on the disk, and what becomes of it.
@Suite(.enabled(if: FaultyServer.python != nil, "python3 is not installed"))
struct UselessResultTests {
  let server: FaultyServer

  /// A server with two results that share a blob, and a third.
  init() throws {
    server = try FaultyServer(nil)
    let test = try store()
    try test.record(.named("a"), ["model": "weights", "receipt": "a"])
    try test.record(.named("b"), ["model": "weights", "receipt": "b"])
    try test.record(.named("c"), ["model": "others!"])
  }

  private func store(room: Int? = nil) throws -> TestStore {
    try TestStore(remote: .patient(server.address), room: room)
  }

  private func blob(_ text: String) -> String {
    let hex = ContentDigest(ofText: text).hex
    return "cas/\(hex.prefix(2))/\(hex)"
  }

  private func entry(_ name: String) -> String {
    let hex = "\(ActionKey.named(name))"
    return "ac/\(hex.prefix(2))/\(hex)"
  }

  @Test func aRunHasOneRoomForWhatProvesNothing() throws {
    let test = try store(room: 14)
    #expect(test.store.result(for: .named("a")) != nil)
    test.store.reject(.named("a"))
    #expect(test.store.result(for: .named("c")) == nil)
    #expect(
      test.warnings == [
        "\(server.address): promises 7 bytes, more than the 6 that what it gave in this run leaves: "
          + "not fetched"
      ])
    // What is here already takes no more room.
    #expect(test.store.result(for: .named("b")) != nil)
  }

  @Test func whatIsOfUseGivesItsRoomBack() throws {
    let test = try store(room: 8)
    for name in ["a", "b", "c"] {
      #expect(test.store.result(for: .named(name)) != nil)
      test.store.accept(.named(name))
    }
    #expect(test.warnings == [])
  }

  @Test func whatIsOfNoUseIsRemoved() throws {
    let test = try store()
    for name in ["a", "c"] {
      #expect(test.store.result(for: .named(name)) != nil)
      test.store.reject(.named(name))
    }
    #expect(try test.files().count == 5)
    test.store.removeUseless()
    #expect(try test.files() == [])
    #expect(test.warnings == [])
  }

  @Test func whatAnotherResultNamesStays() throws {
    let test = try store()
    #expect(test.store.result(for: .named("a")) != nil)
    test.store.reject(.named("a"))
    #expect(test.store.result(for: .named("b")) != nil)
    test.store.accept(.named("b"))
    test.store.removeUseless()
    #expect(try test.files() == [blob("weights"), blob("b"), entry("b")].sorted())
    #expect(try test.store.check().faults == [])
  }

  /// Made anew, the very same result is of use.
  @Test func whatIsMadeAfterwardsStays() throws {
    let test = try store()
    #expect(test.store.result(for: .named("c")) != nil)
    test.store.reject(.named("c"))
    try test.record(.named("c"), ["model": "others!"])
    test.store.removeUseless()
    #expect(try test.files() == [blob("others!"), entry("c")].sorted())
  }

  /// Another process may be reading it.
  @Test func nothingIsRemovedUnderAnotherProcess() throws {
    let test = try store()
    #expect(test.store.result(for: .named("c")) != nil)
    test.store.reject(.named("c"))
    let other = try ContentStore(folder: test.store.folder, warn: { _ in })
    test.store.removeUseless()
    #expect(try test.files().count == 2)
    #expect(other.result(for: .named("c")) != nil)
  }

  @Test func whatIsOnlyHereIsNeverRejected() throws {
    let test = try TestStore()
    try test.record(.named("a"), ["model": "weights"])
    #expect(test.store.result(for: .named("a")) != nil)
    test.store.reject(.named("a"))
    test.store.removeUseless()
    #expect(test.store.result(for: .named("a")) != nil)
  }
}
