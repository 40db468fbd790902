import Foundation
import Offers
import TUF
import TestSupport
import Testing

@testable import IngotClient
@testable import Updates

@Suite struct UpdateClientTests {
  static let first = noise(200_000, seed: 1)
  static let second: [UInt8] = {
    var bytes = first
    for place in stride(from: 0, to: bytes.count, by: 40) { bytes[place] &+= 1 }
    return bytes
  }()

  static func noise(_ count: Int, seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: 100...160, using: &generator) }
  }

  private static let path = "models/m/weight.bin"

  @Test func aFirstUpdateInstallsTheVersionOnTrial() async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", [Self.path: Self.first, "manifest.json": [1, 2]])
    let client = try fixture.client()
    #expect(await client.current == nil)
    guard case .updated(let version, let fetched) = try await client.update() else {
      Issue.record("nothing was updated")
      return
    }
    #expect(version.version == "1.0.0" && version.isOnTrial)
    #expect((100_000..<200_000).contains(fetched))
    #expect(try await fixture.file(Self.path, of: client) == Self.first)
    #expect(try await fixture.file("manifest.json", of: client) == [1, 2])
    #expect(fixture.check.count == 1)
    #expect(try await client.update() == .upToDate)
    try await client.startAndConfirm()
    #expect(await client.current?.isOnTrial == false)
    #expect(await (try fixture.client()).current?.version == "1.0.0")
  }

  @Test func whatAnUpdateWouldDoIsSaidBefore() async throws {
    let (fixture, client) = try await ClientFixture.confirmed([Self.path: Self.first])
    #expect(try await client.availability() == .upToDate)
    try fixture.publish("1.1.0", [Self.path: Self.second])
    let availability = try await client.availability()
    guard case .updated(_, let fetched) = try await client.update() else {
      Issue.record("nothing was updated")
      return
    }
    #expect(availability == .available(version: "1.1.0", byteCount: fetched))
    #expect((1..<10_000).contains(fetched))
    try fixture.change("1.0.0", status: .withdrawn)
    try fixture.change("1.1.0", status: .withdrawn)
    #expect(try await client.availability() == .withdrawn)
    // Nothing but the question was asked.
    #expect(await client.current?.version == "1.1.0")
  }

  @Test func aLaterUpdateFetchesDeltasAndKeepsWhatIsTheSame() async throws {
    let fixture = try ClientFixture()
    let base = Self.noise(50_000, seed: 2)
    try fixture.publish("1.0.0", [Self.path: Self.first, "base.bin": base])
    let client = try fixture.client()
    _ = try await client.update()
    try await client.startAndConfirm()
    try fixture.publish("1.1.0", [Self.path: Self.second, "base.bin": base])
    guard case .updated(_, let fetched) = try await client.update() else {
      Issue.record("nothing was updated")
      return
    }
    #expect(fetched < 10_000)
    #expect(try await fixture.file(Self.path, of: client) == Self.second)
    #expect(try await fixture.file("base.bin", of: client) == base)
  }

  @Test func aPollAndAFirstUpdateFetchLittleBesidesModels() async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", [Self.path: Self.first])
    let client = try fixture.client()
    _ = try await client.update()
    let metadata = fixture.transport.servedByteCount - Self.blobByteCount(fixture)
    #expect(metadata < 3_000)
    fixture.transport.forget()
    _ = try await client.update()
    #expect(fixture.transport.asked.count == 2)
    #expect(fixture.transport.servedByteCount < 1_000)
  }

  private static func blobByteCount(_ fixture: ClientFixture) -> Int {
    let folder = fixture.folder.path("repository/blobs")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.reduce(0) {
      $0 + (FileManager.default.contents(atPath: "\(folder)/\($1)")?.count ?? 0)
    }
  }

  @Test func anAppThatDoesNotConfirmGoesBackAndRemembers() async throws {
    let (fixture, client) = try await ClientFixture.confirmed([Self.path: Self.first])
    try fixture.publish("1.1.0", [Self.path: Self.second])
    _ = try await client.update()
    // The app starts with the new version, and breaks down: the client is gone with it.
    #expect(try await Self.startOnce(fixture) == "1.1.0")
    let again = try fixture.client()
    #expect(await again.current?.version == "1.0.0")
    #expect(await again.current?.isOnTrial == false)
    #expect(try await again.update() == .upToDate)
    #expect(await again.current?.version == "1.0.0")
  }

  /// An app that starts and is gone.
  private static func startOnce(_ fixture: ClientFixture) async throws -> String? {
    try await fixture.client().start()?.version
  }

  /// A widget of the same app opens the folder while the app tries a version.
  @Test func aTrialOfAnotherProcessGoesOn() async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", [Self.path: Self.first])
    let app = try fixture.client()
    _ = try await app.update()
    let version = try #require(try await app.start())
    let widget = try fixture.client()
    #expect(await widget.current?.version == "1.0.0")
    try await app.confirmHealthy(version)
    #expect(await (try fixture.client()).current?.isOnTrial == false)
  }

  /// The app confirms what it loaded, and not what came meanwhile.
  @Test func onlyAVersionThatWasStartedIsConfirmed() async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", [Self.path: Self.first])
    let client = try fixture.client()
    _ = try await client.update()
    let first = try #require(try await client.start())
    try await client.confirmHealthy(first)
    try fixture.publish("1.1.0", [Self.path: Self.second])
    guard case .updated(let second, _) = try await client.update() else {
      Issue.record("nothing was updated")
      return
    }
    try await client.confirmHealthy(first)
    try await client.confirmHealthy(second)
    #expect(await client.current?.isOnTrial == true)
    #expect(try await client.start() == second)
    try await client.confirmHealthy(second)
    #expect(await client.current?.isOnTrial == false)
  }

  /// A check that crashes the app must not do so at every start.
  @Test func aCheckThatNeverEndsIsGivenUp() async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", [Self.path: Self.first])
    for _ in 0..<2 {
      var state = try ClientState(file: fixture.folder.path("client/state.json"))
      let client = try fixture.client()
      _ = client
      _ = state.beginCheck(try fixture.name(of: "1.0.0"))
      try state.write(to: fixture.folder.path("client/state.json"))
    }
    let client = try fixture.client()
    let expected = UpdateError.unfit(version: "1.0.0", reason: "its check ended the app 2 times")
    await #expect(throws: expected) { try await client.update() }
    #expect(try await client.update() == .upToDate)
    #expect(fixture.check.count == 0)
  }

  /// Background time that is over says nothing of a version.
  @Test func aCheckThatIsCancelledIsTriedAgain() async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", [Self.path: Self.first])
    let client = try fixture.client()
    fixture.check.cancelNext()
    await #expect(throws: CancellationError.self) { try await client.update() }
    _ = try await client.update()
    #expect(await client.current?.version == "1.0.0")
  }

  @Test func aVersionThatFailsItsCheckIsNeverCurrent() async throws {
    let (fixture, client) = try await ClientFixture.confirmed([Self.path: Self.first])
    try fixture.publish("1.1.0", [Self.path: Self.second])
    fixture.check.refuse("1.1.0", "output 3 is not a number")
    await #expect(throws: UpdateError.unfit(version: "1.1.0", reason: "output 3 is not a number")) {
      try await client.update()
    }
    #expect(await client.current?.version == "1.0.0")
    // It is not tried again.
    #expect(try await client.update() == .upToDate)
    #expect(fixture.check.count == 2)
  }

  @Test func theAppMayGoBackItself() async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", [Self.path: Self.first])
    let client = try fixture.client()
    _ = try await client.update()
    try await client.rollBack()
    #expect(await client.current == nil)
    #expect(try await client.update() == .upToDate)
    #expect(await (try fixture.client()).current == nil)
  }

  @Test func aWithdrawnVersionIsLeft() async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", [Self.path: Self.first])
    try fixture.publish("1.1.0", [Self.path: Self.second])
    let client = try fixture.client()
    _ = try await client.update()
    #expect(await client.current?.version == "1.1.0")
    try await client.startAndConfirm()
    try fixture.change("1.1.0", status: .withdrawn)
    _ = try await client.update()
    #expect(await client.current?.version == "1.0.0")
    // The app is gone before it confirms: what was withdrawn is not what it goes back to.
    _ = try await Self.startOnce(fixture)
    #expect(await (try fixture.client()).current == nil)
  }

  @Test func whereEverythingIsWithdrawnTheAppsOwnModelsRun() async throws {
    let (fixture, client) = try await ClientFixture.confirmed([Self.path: Self.first])
    try fixture.change("1.0.0", status: .withdrawn)
    #expect(try await client.update() == .withdrawn)
    #expect(await client.current == nil)
  }

  /// A version that nobody withdrew goes on where later ones do not work here.
  @Test func aVersionThatIsNotListedAnyMoreGoesOn() async throws {
    let (fixture, client) = try await ClientFixture.confirmed([Self.path: Self.first])
    for version in ["1.1.0", "1.2.0", "1.3.0", "1.4.0", "1.5.0"] {
      try fixture.publish(version, [Self.path: Self.second, "v": Array(version.utf8)])
      fixture.check.refuse(version, "it does not load")
      await #expect(throws: UpdateError.self) { try await client.update() }
    }
    let listed = OfferedVersions(try fixture.repository.required().entries).kept
    #expect(listed.map { "\($0.offer.version)" } == ["1.2.0", "1.3.0", "1.4.0", "1.5.0"])
    try fixture.repository.publish(
      listed, fixture.keys, now: UpdateTime(seconds: fixture.now))
    #expect(try await client.update() == .upToDate)
    #expect(await client.current?.version == "1.0.0")
  }

  /// Build metadata do not say which version is newer.
  @Test func versionsWithBuildMetadataAreNotOffered() throws {
    let fixture = try ClientFixture()
    let expected = PublishError.buildMetadata(appID: ClientFixture.appID, version: "1.0.0+5")
    #expect(throws: expected) { try fixture.publish("1.0.0+5", [Self.path: Self.first]) }
  }

  @Test func aChallengerComesWhenItIsWidened() async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", [Self.path: Self.first])
    try fixture.publish("1.1.0", [Self.path: Self.second], permyriad: 0)
    let client = try fixture.client()
    _ = try await client.update()
    #expect(await client.current?.version == "1.0.0")
    let bucket = Rollout(salt: "1.1.0", permyriad: 0).bucket(of: "device")
    try fixture.change("1.1.0", permyriad: bucket)
    #expect(try await client.update() == .upToDate)
    try fixture.change("1.1.0", permyriad: bucket + 1)
    _ = try await client.update()
    #expect(await client.current?.version == "1.1.0")
  }

  @Test func keysRotateWhileClientsUpdate() async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", [Self.path: Self.first])
    let client = try fixture.client()
    _ = try await client.update()
    let next = try RepositoryKeys(
      try ClientFixture.masters(1), appID: ClientFixture.appID, generation: 2)
    try fixture.repository.rotate(
      from: fixture.keys, to: next, now: UpdateTime(seconds: fixture.now))
    #expect(try await client.update() == .upToDate)
    // A device that never saw the first generation's timestamp.
    let late = try fixture.client(folder: "late")
    _ = try await late.update()
    #expect(await late.current?.version == "1.0.0")
    let entries = try fixture.repository.read()?.entries ?? []
    #expect(throws: PublishError.otherKeys(appID: ClientFixture.appID, role: "targets")) {
      try fixture.repository.publish(
        entries, fixture.keys, now: UpdateTime(seconds: fixture.now))
    }
    try fixture.repository.publish(entries, next, now: UpdateTime(seconds: fixture.now))
    #expect(try await client.update() == .upToDate)
    #expect(try await late.update() == .upToDate)
  }

  @Test func aRefreshNeedsTheOnlineKeyAlone() async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", [Self.path: Self.first])
    let client = try fixture.client()
    _ = try await client.update()
    fixture.now += 20 * 86_400
    let later = try fixture.client()
    await #expect(throws: UpdateError.self) { try await later.update() }
    #expect(await later.current?.version == "1.0.0")
    try fixture.repository.refresh(fixture.keys.online, now: UpdateTime(seconds: fixture.now))
    #expect(try await later.update() == .upToDate)
  }
}
