import Deltas
import Files
import Foundation
import TestSupport
import Testing

@testable import IngotClient

/// A device's folder that somebody else wrote in.
extension AttackTests {
  /// A link to a folder of somebody else's, in which a client would remove what it does not know.
  @Test(arguments: ["versions", "packs", "downloads", "metadata"])
  func aFolderBehindALinkIsNotTheClients(_ name: String) async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", [Self.path: UpdateClientTests.first])
    _ = try await fixture.client().update()
    let other = fixture.folder.path("other")
    let (own, manager) = (fixture.folder.path("client/\(name)"), FileManager.default)
    try manager.moveItem(atPath: own, toPath: other)
    _ = try fixture.folder.write("other/theirs", [1])
    try manager.createSymbolicLink(atPath: own, withDestinationPath: other)
    let before = try manager.contentsOfDirectory(atPath: other)
    let error = #expect(throws: (any Error).self) { try fixture.client() }
    #expect("\(try #require(error))".contains("it is a link"))
    #expect(try manager.contentsOfDirectory(atPath: other) == before)
  }

  /// What a client did not make is not its own to remove, whatever folder it is in.
  @Test func whatIsNotTheClientsStays() async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", [Self.path: UpdateClientTests.first])
    _ = try await fixture.client().update()
    for path in ["versions/theirs/file", "packs/theirs.pack", "downloads/theirs.part"] {
      _ = try fixture.folder.write("client/\(path)", [1])
    }
    let client = try fixture.client()
    try await client.startAndConfirm()
    try fixture.publish("1.1.0", [Self.path: UpdateClientTests.second])
    _ = try await client.update()
    for path in ["versions/theirs/file", "packs/theirs.pack", "downloads/theirs.part"] {
      #expect(try fixture.folder.bytes("client/\(path)") == Data([1]))
    }
  }

  /// A pipe under the name of a download would keep a client waiting for ever.
  @Test func aPipeInPlaceOfADownloadIsRemoved() async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", [Self.path: UpdateClientTests.first])
    let client = try fixture.client()
    let blobs = fixture.folder.path("repository/blobs")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: blobs).first)
    let digest = FileIdentity(of: try MappedFile(path: "\(blobs)/\(name)")).hex
    let place = fixture.folder.path("client/downloads/\(digest).part")
    #expect(mkfifo(place, 0o600) == 0)
    _ = try await client.update()
    #expect(try await fixture.file(Self.path, of: client) == UpdateClientTests.first)
  }

  /// A disk that is full, or read-only, when a trial ends: the version before it runs all the same.
  @Test func aTrialThatEndsWhereNothingCanBeWrittenIsLeft() async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", [Self.path: UpdateClientTests.first])
    let client = try fixture.client()
    _ = try await client.update()
    try await client.startAndConfirm()
    try fixture.publish("1.1.0", [Self.path: UpdateClientTests.second])
    _ = try await client.update()
    func useOnce() async throws { _ = try await (try fixture.client()).start() }
    try await useOnce()
    let lock = fixture.folder.path("client/state.lock")
    try FileManager.default.removeItem(atPath: lock)
    try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
    let next = try fixture.client()
    #expect(next.abandoned?.version == "1.1.0")
    #expect(try await next.start()?.version == "1.0.0")
  }

  /// What is needed is not known where the state cannot be read: nothing is removed then.
  @Test func aFolderInPlaceOfTheStateKeepsTheVersions() async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", [Self.path: UpdateClientTests.first])
    let client = try fixture.client()
    _ = try await client.update()
    let manager = FileManager.default
    let versions = fixture.folder.path("client/versions")
    let before = try manager.contentsOfDirectory(atPath: versions)
    let state = fixture.folder.path("client/state.json")
    try manager.removeItem(atPath: state)
    try manager.createDirectory(atPath: state, withIntermediateDirectories: false)
    let error = await #expect(throws: UpdateError.self) {
      try await (try fixture.client()).update()
    }
    #expect("\(try #require(error))".contains("it is not a file; remove it"))
    #expect(try manager.contentsOfDirectory(atPath: versions) == before && !before.isEmpty)
  }

  /// Metadata that no client wrote are fetched anew.
  @Test func hugeMetadataAreAsIfMissing() async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", [Self.path: UpdateClientTests.first])
    let client = try fixture.client()
    _ = try await client.update()
    for role in ["root", "timestamp", "snapshot", "targets"] {
      _ = try fixture.folder.write(
        "client/metadata/\(role).json", [UInt8](repeating: 0x20, count: 6_000_000))
    }
    #expect(try await client.update() == .upToDate)
  }

  /// A state that no client wrote begins anew: it would keep the app from a model for ever.
  @Test(arguments: [
    #"{"schema":1,"refused":[],"confirmed":[],"seen":0,"checking":{"name":"x","count":9223372036854775807}}"#,
    String(repeating: " ", count: 2 << 20),
  ])
  func aStateThatNoClientWroteBeginsAnew(_ text: String) async throws {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", [Self.path: UpdateClientTests.first])
    _ = try fixture.folder.write("client/state.json", Array(text.utf8))
    let client = try fixture.client()
    _ = try await client.update()
    #expect(try await fixture.file(Self.path, of: client) == UpdateClientTests.first)
  }
}
