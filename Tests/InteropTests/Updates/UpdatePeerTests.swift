import Crypto
import Files
import Foundation
import IngotClient
import IngotURLSession
import Offers
import PackageNames
import StrictJSON
import TUF
import TestSupport
import Testing

@testable import Updates

/// python-tuf's client on our repository, and our client on one that python-tuf wrote, over HTTP.
@Suite(
  .enabled(if: Oracle.isAvailable, "INGOT_ORACLE_PYTHON names no Python environment"),
  .enabled(if: Nginx.program != nil, "nginx is not installed"))
struct UpdatePeerTests {
  private static let app = "c2d67cdb-e117-4c3e-acca-2ae7f1a42210"
  private static let now = UpdateTime(seconds: Int(Date().timeIntervalSince1970))

  private static func serve() throws -> Nginx {
    try Nginx { listening, root in "server { listen \(listening); root \(root); }" }
  }

  /// Writes the blobs and the pack of a version of one file.
  private static func pack(
    _ bytes: [UInt8], in repository: String, _ scratch: TemporaryFolder
  ) throws -> FileFacts {
    let source = VersionPublisher.Source(
      path: "models/m/weight.bin",
      file: try MappedFile(path: try scratch.write("weight.bin", bytes)))
    let publisher = VersionPublisher(
      repository, try BlobFolder(repository, workers: 1), appID: app)
    return try publisher.write(
      try #require(SemanticVersion("1.0.0")), [source], earlier: [])
  }

  private static func offer() throws -> Offer {
    Offer(
      version: try #require(SemanticVersion("1.0.0")), bundleIdentifiers: ["com.customer.app"],
      minSDK: nil, belowSDK: nil, rollout: Rollout(salt: "s", permyriad: Rollout.whole))
  }

  @Test func pythonTUFUpdatesFromOurRepository() throws {
    let (server, scratch) = (try Self.serve(), try TemporaryFolder())
    func key(_ number: UInt8) -> SymmetricKey {
      SymmetricKey(data: [UInt8](repeating: number, count: 32))
    }
    let masters = RepositoryKeys.Masters(
      root: [key(1), key(2)], targets: key(3), online: key(4))
    let keys = try RepositoryKeys(masters, appID: Self.app)
    let customer = CustomerRepository(server.root, appID: Self.app)
    let root = try scratch.write("root.json", try customer.begin(keys, now: Self.now))
    let facts = try Self.pack(Array("weights".utf8), in: server.root, scratch)
    let entry = CustomerRepository.Entry(try Self.offer(), facts)
    func update() throws -> String {
      try Oracle.run(
        "tuf_peer.py",
        [
          "update", root, "\(server.address)/apps/\(Self.app)/metadata/",
          "\(server.address)/apps/\(Self.app)/targets/", "\(Self.app)/1.0.0.pack",
        ])
    }
    try customer.publish([entry], keys, now: Self.now)
    #expect(try update() == "\(facts.sha256 ?? "")\n")
    try customer.refresh(keys.online, now: Self.now)
    let next = try RepositoryKeys(masters, appID: Self.app, generation: 2)
    try customer.rotate(from: keys, to: next, now: Self.now)
    #expect(try update() == "\(facts.sha256 ?? "")\n")
    try customer.publish([entry], next, now: Self.now)
    #expect(try update() == "\(facts.sha256 ?? "")\n")
  }

  private struct NoCheck: ModelCheck { func check(_ folder: String) async throws {} }

  @Test func ourClientUpdatesFromARepositoryOfPythonTUF() async throws {
    let (server, scratch) = (try Self.serve(), try TemporaryFolder())
    let weights = Array("weights".utf8)
    let facts = try Self.pack(weights, in: server.root, scratch)
    let name = "\(Self.app)/1.0.0.pack"
    let pack =
      "\(server.root)/apps/\(Self.app)/targets/\(Self.app)/\(facts.sha256 ?? "").1.0.0.pack"
    _ = try Oracle.run(
      "tuf_peer.py", ["write", server.root, Self.app, name, pack, try Self.offer().json.compact])
    let root = try #require(
      FileManager.default.contents(
        atPath: "\(server.root)/apps/\(Self.app)/metadata/1.root.json"))
    let client = try UpdateClient(
      UpdateClient.Configuration(
        appID: Self.app, bundleIdentifier: "com.customer.app", sdkVersion: "5.4.0",
        installID: "device", folder: scratch.path("client"), root: [UInt8](root)),
      transport: URLSessionTransport(base: server.address), check: NoCheck())
    guard case .updated(let version, _) = try await client.update() else {
      Issue.record("nothing was updated")
      return
    }
    let file = FileManager.default.contents(atPath: "\(version.folder)/models/m/weight.bin")
    #expect(file == Data(weights))
    #expect(try await client.update() == .upToDate)
  }

  @Test func redirectsAreNotFollowed() async throws {
    let server = try Nginx { listening, root in
      "server { listen \(listening); root \(root); location = /x { return 302 /y; } }"
    }
    let transport = URLSessionTransport(base: server.address)
    let statuses = Mutex<[TransportEvent]>([])
    try await transport.fetch(TransportRequest(path: "x")) { event in
      statuses.withLock { $0.append(event) }
    }
    #expect(statuses.withLock { $0 } == [.refused(status: 302)])
    #expect(try server.requests() == ["GET /x 302"])
  }
}
