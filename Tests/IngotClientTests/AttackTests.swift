import Deltas
import Files
import Foundation
import Offers
import TUF
import TestSupport
import Testing

@testable import IngotClient
@testable import Updates

/// What an attacker on the way, or a repository that is not the app's, can do: nothing but keep an app from
/// updates. The version in use goes on to work.
@Suite struct AttackTests {
  static let path = "models/m/weight.bin"

  /// A device with version 1.0.0, confirmed, and a repository that offers 1.1.0.
  private static func updatable() async throws -> (ClientFixture, UpdateClient) {
    let (fixture, client) = try await ClientFixture.confirmed([path: UpdateClientTests.first])
    try fixture.publish("1.1.0", [path: UpdateClientTests.second])
    return (fixture, client)
  }

  /// Expects that an update fails, that 1.0.0 goes on, and that the next one works.
  private static func expectHarmless(
    _ suffix: String, _ fault: FolderTransport.Fault,
    _ isExpected: (UpdateError) -> Bool = { _ in true }
  ) async throws {
    let (fixture, client) = try await updatable()
    fixture.transport.fail(suffix, fault)
    do {
      _ = try await client.update()
      Issue.record("an update was made")
    } catch let error as UpdateError {
      #expect(isExpected(error), "\(error)")
    }
    #expect(await client.current?.version == "1.0.0")
    #expect(try await fixture.file(path, of: client) == UpdateClientTests.first)
    let again = try fixture.client()
    #expect(await again.current?.version == "1.0.0")
    fixture.transport.fail(suffix, nil)
    _ = try await again.update()
    #expect(try await fixture.file(path, of: again) == UpdateClientTests.second)
  }

  @Test(arguments: ["timestamp.json", "snapshot.json", "targets.json", ".pack"])
  func filesWithoutEndAreCut(_ suffix: String) async throws {
    try await Self.expectHarmless(suffix, .endless) {
      if case .long = $0 { true } else { false }
    }
  }

  @Test(arguments: [Array("{}".utf8), [UInt8](repeating: 32, count: 512_001)])
  func aNextRootThatIsNoneIsNotTaken(_ bytes: [UInt8]) async throws {
    try await Self.expectHarmless("2.root.json", .bytes(bytes))
  }

  @Test(arguments: ["timestamp.json", ".targets.json", ".pack"])
  func filesThatComeTooSlowlyAreLeft(_ suffix: String) async throws {
    try await Self.expectHarmless(suffix, .slow) { if case .slow = $0 { true } else { false } }
  }

  @Test(arguments: ["timestamp.json", ".snapshot.json", ".targets.json", ".pack"])
  func aRepositoryThatFailsIsLeft(_ suffix: String) async throws {
    try await Self.expectHarmless(suffix, .status(500)) {
      if case .status(_, 500) = $0 { true } else { false }
    }
    try await Self.expectHarmless(suffix, .missing)
    try await Self.expectHarmless(suffix, .bytes(Array("{}".utf8)))
    try await Self.expectHarmless(suffix, .bytes([]))
  }

  /// Other bytes of the right length are not kept as the beginning of the file.
  @Test func aFileWithOtherBytesIsDropped() async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", [Self.path: UpdateClientTests.first])
    let client = try fixture.client()
    let blobs = fixture.folder.path("repository/blobs")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: blobs).first)
    var bytes = [UInt8](try #require(FileManager.default.contents(atPath: "\(blobs)/\(name)")))
    bytes[bytes.count / 2] ^= 1
    fixture.transport.fail(".whole", .bytes(bytes))
    do {
      _ = try await client.update()
      Issue.record("an update was made")
    } catch UpdateError.other(let path, _, _) {
      #expect(path.hasSuffix(".whole"))
    }
    #expect(try fixture.folder.files().filter { $0.hasSuffix(".part") } == [])
    fixture.transport.fail(".whole", nil)
    _ = try await client.update()
    #expect(try await fixture.file(Self.path, of: client) == UpdateClientTests.first)
  }

  /// A delta that is missing, or another file, costs the whole file and nothing else.
  @Test func aDamagedDeltaCostsTheWholeFile() async throws {
    let faults: [FolderTransport.Fault] = [.missing, .bytes([1, 2, 3]), .bytes([]), .endless]
    for fault in faults {
      let (fixture, client) = try await Self.updatable()
      fixture.transport.fail(".delta", fault)
      guard case .updated(_, let fetched) = try await client.update() else {
        Issue.record("nothing was updated")
        continue
      }
      #expect(fetched > 100_000)
      #expect(try await fixture.file(Self.path, of: client) == UpdateClientTests.second)
    }
  }

  @Test func aDamagedFileOnTheDeviceCostsTheWholeFile() async throws {
    let (fixture, client) = try await Self.updatable()
    let version = try #require(await client.current)
    let damaged = "\(version.folder)/\(Self.path)"
    try Data([1, 2, 3]).write(to: URL(filePath: damaged))
    _ = try await client.update()
    #expect(try await fixture.file(Self.path, of: client) == UpdateClientTests.second)
  }

  @Test func whatIsCompleteIsNotFetchedAgain() async throws {
    let fixture = try ClientFixture()
    let files = [
      "a.bin": UpdateClientTests.noise(40_000, seed: 7), "b.bin": UpdateClientTests.first,
    ]
    try fixture.publish("1.0.0", files)
    func whole(_ name: String) throws -> String {
      let file = try MappedFile(path: fixture.folder.path("files/1.0.0/\(name)"))
      return RepositoryPath.whole(FileIdentity(of: file).hex)
    }
    let (first, second) = (try whole("a.bin"), try whole("b.bin"))
    fixture.transport.fail(second, .status(500))
    await #expect(throws: UpdateError.self) { try await (try fixture.client()).update() }
    #expect(fixture.transport.asked.contains { $0.path == first })
    fixture.transport.fail(second, nil)
    fixture.transport.forget()
    let client = try fixture.client()
    _ = try await client.update()
    #expect(fixture.transport.asked.contains { $0.path == second })
    #expect(!fixture.transport.asked.contains { $0.path == first })
    #expect(try await fixture.file("a.bin", of: client) == files["a.bin"])
    // Nothing of it stays once the version is current.
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: fixture.folder.path("client/downloads")) == [])
  }

  /// A transfer that ends after any number of bytes goes on where it ended.
  @Test(arguments: [1, 95, 96, 97, 1_000, 2_000, 100_000])
  func brokenTransfersGoOn(_ count: Int) async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", [Self.path: UpdateClientTests.first])
    let client = try fixture.client()
    fixture.transport.fail(".whole", .endsAfter(count))
    for _ in 0..<3 {
      do { _ = try await client.update() } catch {}
    }
    let asked = fixture.transport.asked.filter { $0.path.hasSuffix(".whole") }
    #expect(asked.dropFirst().allSatisfy { $0.offset > 0 && $0.validator != nil })
    fixture.transport.fail(".whole", nil)
    _ = try await client.update()
    #expect(try await fixture.file(Self.path, of: client) == UpdateClientTests.first)
  }

  @Test func aServerWithoutRangesBeginsAgain() async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", [Self.path: UpdateClientTests.first])
    let client = try fixture.client()
    fixture.transport.fail(".whole", .ignoresRanges(endsAfter: 50_000))
    await #expect(throws: UpdateError.self) { try await client.update() }
    fixture.transport.fail(".whole", .ignoresRanges(endsAfter: .max))
    _ = try await client.update()
    #expect(try await fixture.file(Self.path, of: client) == UpdateClientTests.first)
  }

  /// A base that is damaged is as if it were not there: the next version has no delta of it.
  @Test(arguments: [0, 20, 40, 1_000]) func aDamagedBaseKeepsNothingFromBeingPublished(
    _ place: Int
  ) async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", [Self.path: UpdateClientTests.first])
    let blobs = fixture.folder.path("repository/blobs")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: blobs).first)
    var bytes = [UInt8](try #require(FileManager.default.contents(atPath: "\(blobs)/\(name)")))
    bytes[place] ^= 0x55
    try Data(bytes).write(to: URL(filePath: "\(blobs)/\(name)"))
    try fixture.publish("1.1.0", [Self.path: UpdateClientTests.second])
    let client = try fixture.client()
    _ = try await client.update()
    #expect(try await fixture.file(Self.path, of: client) == UpdateClientTests.second)
  }

  /// A publisher that read what is offered before somebody withdrew a version.
  @Test func aPublisherThatReadEarlierDoesNotUndoAWithdrawal() async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", [Self.path: UpdateClientTests.first])
    let known = try #require(try fixture.repository.read()).entries
    try fixture.change("1.0.0", status: .withdrawn)
    #expect(throws: PublishError.busy(appID: ClientFixture.appID)) {
      try fixture.repository.publish(
        known, insteadOf: known, fixture.keys, now: UpdateTime(seconds: fixture.now))
    }
    #expect(try fixture.repository.read()?.entries.map(\.offer.status) == [.withdrawn])
  }

  /// Files of another customer's repository, which its own keys signed.
  @Test func anotherCustomersRepositoryIsNotTaken() async throws {
    let (fixture, client) = try await Self.updatable()
    let other = CustomerRepository(
      fixture.folder.path("repository"), appID: "3f6f0c1e-0000-0000-0000-000000000000")
    let keys = try RepositoryKeys(try ClientFixture.masters(1), appID: other.appID)
    _ = try other.begin(keys, now: UpdateTime(seconds: fixture.now))
    for _ in 0..<5 { try other.publish([], keys, now: UpdateTime(seconds: fixture.now)) }
    let (own, others) = (
      fixture.folder.path("repository/apps/\(ClientFixture.appID)"),
      fixture.folder.path("repository/apps/\(other.appID)")
    )
    let manager = FileManager.default
    try manager.moveItem(atPath: own, toPath: own + "-kept")
    try manager.copyItem(atPath: others, toPath: own)
    await #expect(throws: UpdateError.self) { try await client.update() }
    // Its next root.
    let next = try RepositoryKeys(
      try ClientFixture.masters(1), appID: other.appID, generation: 2)
    try other.rotate(from: keys, to: next, now: UpdateTime(seconds: fixture.now))
    try manager.removeItem(atPath: own)
    try manager.copyItem(atPath: others, toPath: own)
    await #expect(throws: UpdateError.self) { try await client.update() }
    try manager.removeItem(atPath: own)
    try manager.moveItem(atPath: own + "-kept", toPath: own)
    _ = try await client.update()
    #expect(await client.current?.version == "1.1.0")
  }

  /// Metadata from before, on a device that lost its own, with a clock that was set back to when they held.
  @Test func aClockThatIsSetBackIsNotBelieved() async throws {
    let (fixture, _) = try await Self.updatable()
    let apps = fixture.folder.path("repository/apps")
    let manager = FileManager.default
    try manager.copyItem(atPath: apps, toPath: apps + "-before")
    let before = fixture.now
    fixture.now += 20 * 86_400
    try fixture.repository.refresh(fixture.keys.online, now: UpdateTime(seconds: fixture.now))
    _ = try await (try fixture.client()).update()
    fixture.now = before
    try manager.removeItem(atPath: fixture.folder.path("client/metadata"))
    try manager.removeItem(atPath: apps)
    try manager.moveItem(atPath: apps + "-before", toPath: apps)
    let client = try fixture.client()
    await #expect(throws: UpdateError.self) { try await client.update() }
  }

  /// The second begins while the first one checks its models.
  @Test func twoUpdatersDoNotMeet() async throws {
    let (fixture, _) = try await Self.updatable()
    let (first, second) = (try fixture.client(), try fixture.client())
    let meeting = Mutex<[UpdateError?]>([])
    fixture.check.meanwhile {
      do {
        _ = try await second.update()
        meeting.withLock { $0.append(nil) }
      } catch {
        meeting.withLock { $0.append(error as? UpdateError) }
      }
    }
    _ = try await first.update()
    #expect(meeting.withLock { $0 } == [.busy])
    #expect(try await fixture.file(Self.path, of: try fixture.client()) == UpdateClientTests.second)
  }

  /// What the app says of the version it runs does not take the next one away from under its check.
  @Test func anAppMayConfirmDuringAnUpdate() async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", [Self.path: UpdateClientTests.first])
    let client = try fixture.client()
    _ = try await client.update()
    let version = try #require(try await client.start())
    try fixture.publish("1.1.0", [Self.path: UpdateClientTests.second, "b": [1]])
    fixture.check.meanwhile { try? await client.confirmHealthy(version) }
    _ = try await client.update()
    #expect(try await fixture.file(Self.path, of: client) == UpdateClientTests.second)
    #expect(try await fixture.file("b", of: client) == [1])
  }

  @Test func aStateFileThatIsNoneDoesNotKeepAnAppFromUpdates() async throws {
    let (fixture, _) = try await Self.updatable()
    try Data("not json".utf8).write(to: URL(filePath: fixture.folder.path("client/state.json")))
    let client = try fixture.client()
    #expect(await client.current == nil)
    _ = try await client.update()
    #expect(try await fixture.file(Self.path, of: client) == UpdateClientTests.second)
  }

  /// A version that somebody removed, or damaged before it was current, is installed again.
  @Test func aVersionThatIsGoneOrDamagedIsInstalledAgain() async throws {
    let (fixture, client) = try await Self.updatable()
    _ = try await client.update()
    try await client.startAndConfirm()
    let version = try #require(await client.current)
    try FileManager.default.removeItem(atPath: version.folder)
    let again = try fixture.client()
    #expect(await again.current?.version == "1.0.0")
    _ = try await again.update()
    #expect(try await fixture.file(Self.path, of: again) == UpdateClientTests.second)
  }

  /// The version that is gone back to lost bytes meanwhile.
  @Test func aDamagedFolderIsMadeAgainBeforeItIsCurrent() async throws {
    let (fixture, client) = try await Self.updatable()
    let before = try #require(await client.current)
    _ = try await client.update()
    try Data([9]).write(to: URL(filePath: "\(before.folder)/\(Self.path)"))
    try fixture.change("1.1.0", status: .withdrawn)
    _ = try await client.update()
    #expect(await client.current?.version == "1.0.0")
    #expect(try await fixture.file(Self.path, of: client) == UpdateClientTests.first)
  }

  @Test func aRootThatIsDamagedComesFromTheAppAgain() async throws {
    let (fixture, client) = try await Self.updatable()
    try Data().write(to: URL(filePath: fixture.folder.path("client/metadata/root.json")))
    _ = try await client.update()
    #expect(await client.current?.version == "1.1.0")
  }

  @Test func aBlobThatWasDamagedInTheRepositoryIsMadeAgain() async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", [Self.path: UpdateClientTests.first])
    let blobs = fixture.folder.path("repository/blobs")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: blobs).first)
    let whole = try #require(FileManager.default.contents(atPath: "\(blobs)/\(name)"))
    try whole.prefix(whole.count / 2).write(to: URL(filePath: "\(blobs)/\(name)"))
    try fixture.publish("1.0.1", [Self.path: UpdateClientTests.first, "b": [1]])
    let client = try fixture.client()
    _ = try await client.update()
    #expect(try await fixture.file(Self.path, of: client) == UpdateClientTests.first)
  }
}
