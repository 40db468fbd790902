import Foundation
import Files
import TUF
import TestSupport
import Testing

@testable import IngotClient
@testable import Updates

/// What a client says of its work, and why it does not do it.
@Suite struct UpdateAnswersTests {
  private static let files = ["a.bin": UpdateClientTests.first, "b.bin": [UInt8]([1, 2, 3])]

  private static func space(_ free: Int?) -> FreeSpace { FreeSpace { _ in free } }

  /// What an update of a new device is refused for.
  private static func refusal(_ client: UpdateClient) async throws -> UpdateError {
    try #require(await #expect(throws: UpdateError.self) { try await client.update() })
  }

  @Test func aVersionThatDoesNotFitIsNotFetched() async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", Self.files)
    let error = try await Self.refusal(try fixture.client(space: Self.space(1_000)))
    guard case .full(let folder, let needed, 1_000) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(folder == fixture.folder.path("client"))
    // The files and what they are made of are there at one time.
    #expect((300_000..<400_003).contains(needed))
    #expect("\(error)".contains(folder) && "\(error)".contains("1.0 kB"))
    #expect(!fixture.transport.asked.contains { $0.path.hasPrefix("blobs/") })
    let short = try await Self.refusal(try fixture.client(space: Self.space(needed - 1)))
    #expect(short == .full(folder: folder, needed: needed, free: needed - 1))
    let client = try fixture.client(space: Self.space(needed))
    _ = try await client.update()
    #expect(await client.current?.version == "1.0.0")
    // What is there and whole needs nothing.
    #expect(try await (try fixture.client(space: Self.space(0))).update() == .upToDate)
  }

  @Test func aFileSystemThatDoesNotSayIsTried() async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", Self.files)
    let client = try fixture.client(space: Self.space(nil))
    _ = try await client.update()
    #expect(await client.current?.version == "1.0.0")
  }

  @Test func anUpdateSaysHowFarItIs() async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", Self.files)
    let client = try fixture.client()
    let told = Mutex<[UpdateStep]>([])
    let result = try await client.update { step in told.withLock { $0.append(step) } }
    guard case .updated(_, let fetched) = result else {
      Issue.record("nothing was updated")
      return
    }
    let steps = told.withLock { $0 }
    #expect(steps.first == .asking && steps.last == .checking)
    let counts = steps.compactMap { step in
      if case .fetching(let done, fetched) = step { done } else { nil }
    }
    #expect(counts.count == steps.count - 2 && counts.count > 10)
    #expect(counts == counts.sorted() && counts.last == fetched)
  }

  @Test func anAddressWithoutARepositoryIsSaidToHaveNone() async throws {
    let fixture = try ClientFixture()
    fixture.transport.fail("timestamp.json", .missing)
    let error = try await Self.refusal(try fixture.client())
    let path = "apps/\(ClientFixture.appID)/metadata/timestamp.json"
    #expect(error == .noRepository(path: path))
    #expect("\(error)".contains(path) && !"\(error)".contains("name it"))
  }

  /// Metadata hold for 14, 90 and 365 days.
  @Test(arguments: [
    (20, false, "timestamp.json"), (100, true, "targets.json"), (400, false, "root.json"),
  ])
  func metadataThatExpiredAreNamed(_ days: Int, _ isRefreshed: Bool, _ file: String) async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", Self.files)
    fixture.now += days * 86_400
    let now = UpdateTime(seconds: fixture.now)
    if isRefreshed { try fixture.repository.refresh(fixture.keys.online, now: now) }
    let error = try await Self.refusal(try fixture.client())
    guard case .expired(let name, let moment, "\(now)") = error else {
      Issue.record("\(error)")
      return
    }
    #expect(name.hasSuffix(file))
    #expect("\(error)" == "\(name): expired at \(moment), it is \(now) now")
  }

  @Test func aRollBackSaysWhatWasLeft() async throws {
    let (fixture, client) = try await ClientFixture.confirmed(Self.files)
    #expect(try await client.rollBack()?.version == "1.0.0")
    #expect(try await client.rollBack() == nil)
    withExtendedLifetime(fixture) {}
  }

  @Test func aTrialThatEndedIsSaidToBeLeft() async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", Self.files)
    _ = try await (try fixture.client()).update()
    #expect(try fixture.client().abandoned == nil)
    _ = try await (try fixture.client()).start()
    #expect(try fixture.client().abandoned?.version == "1.0.0")
    #expect(try fixture.client().abandoned == nil)
  }
}
