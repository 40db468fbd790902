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
