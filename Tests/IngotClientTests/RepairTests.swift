import Foundation
import Offers
import TUF
import TestSupport
import Testing

@testable import IngotClient
@testable import Updates

/// A version in use that loses bytes, as by a disk that fails or somebody who tidies up.
@Suite struct RepairTests {
  private static let path = "models/m/weight.bin"
  private static let other = UpdateClientTests.noise(40_000, seed: 9)
  private static let files = [path: UpdateClientTests.first, "other.bin": other]

  /// What happens to a file.
  enum Harm: CaseIterable { case lost, cut, changed }

  private static func harm(_ harm: Harm, _ file: String) throws {
    switch harm {
    case .lost: try FileManager.default.removeItem(atPath: file)
    case .cut: try Data([1, 2, 3]).write(to: URL(filePath: file))
    case .changed:
      var bytes = try #require(FileManager.default.contents(atPath: file))
      bytes[bytes.count / 2] ^= 1
      try bytes.write(to: URL(filePath: file))
    }
  }

  private static func folder(of client: UpdateClient) async throws -> String {
    try #require(await client.current).folder
  }

  @Test(arguments: Harm.allCases)
  func whatIsDamagedIsFetchedAgainAndNothingElse(_ harm: Harm) async throws {
    let (fixture, client) = try await ClientFixture.confirmed(Self.files)
    let version = try #require(await client.current)
    try Self.harm(harm, "\(version.folder)/\(Self.path)")
    #expect(await client.damagedFiles(of: version) == [Self.path])
    let availability = try await client.availability()
    fixture.transport.forget()
    guard case .repaired(let repaired, let fetched) = try await client.update() else {
      Issue.record("nothing was repaired")
      return
    }
    #expect(repaired == version && !repaired.isOnTrial)
    #expect(availability == .damaged(byteCount: fetched))
    #expect(fixture.transport.asked.filter { $0.path.hasPrefix("blobs/") }.count == 1)
    #expect(try await fixture.file(Self.path, of: client) == UpdateClientTests.first)
    #expect(try await fixture.file("other.bin", of: client) == Self.other)
    #expect(await client.damagedFiles(of: version) == [])
    #expect(try await client.update() == .upToDate)
    #expect(try fixture.folder.files().filter { $0.contains("downloads/") } == [])
  }

  @Test func aRepairThatFailsTakesNothingAway() async throws {
    let (fixture, client) = try await ClientFixture.confirmed(Self.files)
    try Self.harm(.lost, "\(try await Self.folder(of: client))/\(Self.path)")
    fixture.transport.fail(".whole", .status(500))
    await #expect(throws: UpdateError.self) { try await client.update() }
    #expect(await client.current?.version == "1.0.0")
    #expect(try await fixture.file("other.bin", of: client) == Self.other)
    fixture.transport.fail(".whole", nil)
    guard case .repaired = try await (try fixture.client()).update() else {
      Issue.record("nothing was repaired")
      return
    }
    #expect(try await fixture.file(Self.path, of: client) == UpdateClientTests.first)
  }

  /// A version on trial stays on trial.
  @Test func aTrialGoesOnBehindARepair() async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", Self.files)
    let client = try fixture.client()
    _ = try await client.update()
    try Self.harm(.cut, "\(try await Self.folder(of: client))/\(Self.path)")
    guard case .repaired(let version, _) = try await client.update() else {
      Issue.record("nothing was repaired")
      return
    }
    #expect(version.isOnTrial)
  }

  /// 1.0.0 and 1.1.0 confirmed one after the other, and 1.1.0 not listed any more.
  private static func unlisted() async throws -> (ClientFixture, UpdateClient, before: String) {
    let (fixture, client) = try await ClientFixture.confirmed(files)
    let before = try await folder(of: client)
    try fixture.publish("1.1.0", [path: UpdateClientTests.second])
    _ = try await client.update()
    try await client.startAndConfirm()
    let listed = try fixture.repository.required().entries.filter {
      "\($0.offer.version)" == "1.0.0"
    }
    try fixture.repository.publish(
      listed, fixture.keys, now: UpdateTime(seconds: fixture.now))
    #expect(try await client.update() == .upToDate)
    return (fixture, client, before)
  }

  @Test func whatIsNotOfferedAnyMoreIsLeftForTheVersionBefore() async throws {
    let (fixture, client, _) = try await Self.unlisted()
    try Self.harm(.changed, "\(try await Self.folder(of: client))/\(Self.path)")
    #expect(try await client.availability() == .goesBack)
    guard case .wentBack(let version?) = try await client.update() else {
      Issue.record("it did not go back")
      return
    }
    #expect(version.version == "1.0.0" && !version.isOnTrial)
    #expect(try await fixture.file(Self.path, of: client) == UpdateClientTests.first)
    #expect(try await client.update() == .upToDate)
  }

  @Test func aVersionBeforeThatIsDamagedIsNotGoneBackTo() async throws {
    let (fixture, client, before) = try await Self.unlisted()
    try Self.harm(.lost, "\(try await Self.folder(of: client))/\(Self.path)")
    try Self.harm(.lost, "\(before)/\(Self.path)")
    #expect(try await client.update() == .wentBack(nil))
    #expect(await client.current == nil)
    _ = try await client.update()
    #expect(try await fixture.file(Self.path, of: client) == UpdateClientTests.first)
  }

  /// As by a power cut: the file is as long as it was, and empty.
  @Test func aDownloadThatLostItsBytesIsMadeAgain() async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", Self.files)
    fixture.transport.fail(".whole", .endsAfter(1_000))
    await #expect(throws: UpdateError.self) { try await (try fixture.client()).update() }
    let parts = try fixture.folder.files().filter { $0.hasSuffix(".part") }
    #expect(!parts.isEmpty)
    for part in parts {
      let path = fixture.folder.path(part)
      let count = try #require(FileManager.default.contents(atPath: path)).count
      try Data(count: count).write(to: URL(filePath: path))
    }
    fixture.transport.fail(".whole", nil)
    let client = try fixture.client()
    _ = try await client.update()
    #expect(try await fixture.file(Self.path, of: client) == UpdateClientTests.first)
  }

  /// The next version would be made of a file that is not there.
  @Test func aLostFileOnTheDeviceCostsTheWholeFile() async throws {
    let (fixture, client) = try await ClientFixture.confirmed(Self.files)
    try Self.harm(.lost, "\(try await Self.folder(of: client))/\(Self.path)")
    try fixture.publish("1.1.0", [Self.path: UpdateClientTests.second])
    _ = try await client.update()
    #expect(try await fixture.file(Self.path, of: client) == UpdateClientTests.second)
  }
}
