import Offers
import TUF
import TestSupport
import Testing

@testable import IngotClient
@testable import Updates

/// Where nothing newer is taken, a client says what there is and why it is not.
@Suite struct HighestVersionTests {
  private static let files = ["w": [UInt8](repeating: 7, count: 100)]

  @Test func nothingKeepsADeviceFromTheVersionInUse() async throws {
    let (_, client) = try await ClientFixture.confirmed(Self.files)
    #expect(await client.highest == HighestVersion(version: "1.0.0", obstacle: nil))
  }

  @Test func aRepositoryWithoutVersionsHasNoHighest() async throws {
    let fixture = try ClientFixture()
    try fixture.repository.publish([], fixture.keys, now: UpdateTime(seconds: fixture.now))
    let client = try fixture.client()
    #expect(try await client.update() == .upToDate)
    #expect(await client.highest == nil)
  }

  @Test func aWithdrawnVersionIsNamed() async throws {
    let (fixture, client) = try await ClientFixture.confirmed(Self.files)
    try fixture.change("1.0.0", status: .withdrawn)
    try fixture.publish("1.1.0", Self.files, status: .withdrawn)
    _ = try await client.update()
    #expect(await client.highest == HighestVersion(version: "1.1.0", obstacle: .withdrawn))
  }

  /// What was withdrawn is taken by nobody, and says nothing of why a version that is offered is not.
  @Test func aVersionThatIsOfferedGoesBeforeAWithdrawnOne() async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", Self.files)
    try fixture.publish("1.1.0", Self.files, status: .withdrawn)
    let client = try fixture.client(sdk: "6.0.0")
    #expect(try await client.update() == .upToDate)
    let highest = try #require(await client.highest)
    #expect(highest.version == "1.0.0" && highest.obstacle != .withdrawn)
  }

  @Test func aRolloutNamesTheBucketOfTheDevice() async throws {
    let (fixture, client) = try await ClientFixture.confirmed(Self.files)
    try fixture.publish("1.1.0", Self.files, permyriad: 0)
    #expect(try await client.availability() == .upToDate)
    let bucket = Rollout(salt: "1.1.0", permyriad: 0).bucket(of: "device")
    let obstacle = HighestVersion.Obstacle.rollout(bucket: bucket, permyriad: 0)
    #expect(await client.highest == HighestVersion(version: "1.1.0", obstacle: obstacle))
    #expect("\(obstacle)".contains("bucket \(bucket)"))
  }

  @Test func anotherLibraryIsNamedWithBothVersions() async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", Self.files)
    let client = try fixture.client(sdk: "6.0.0")
    #expect(try await client.update() == .upToDate)
    let obstacle = try #require(await client.highest?.obstacle)
    #expect(obstacle == .otherLibrary(min: "5.0.0", below: "6.0.0", own: "6.0.0"))
    #expect(
      "\(obstacle)"
        == "it is for libraries from 5.0.0 on and below 6.0.0, and the one here is 6.0.0")
  }

  @Test func whatFailedHereIsNamed() async throws {
    let (fixture, client) = try await ClientFixture.confirmed(Self.files)
    try fixture.publish("1.1.0", ["w": [1]])
    fixture.check.refuse("1.1.0", "it does not load")
    await #expect(throws: UpdateError.self) { try await client.update() }
    #expect(try await client.update() == .upToDate)
    #expect(await client.highest == HighestVersion(version: "1.1.0", obstacle: .leftHere))
  }
}
