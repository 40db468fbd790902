import Crypto
import Deltas
import Files
import Foundation
import Offers
import PackageNames
import TUF
import TestSupport
import Testing

@testable import IngotClient
@testable import Updates

/// A repository of one customer in a folder, and a device that updates from it.
final class ClientFixture {
  let folder: TemporaryFolder
  let transport: FolderTransport
  let keys: RepositoryKeys
  let root: [UInt8]
  let check = VersionCheck()
  var now = 1_800_000_000

  static let appID = "c2d67cdb-e117-4c3e-acca-2ae7f1a42210"

  init() throws {
    folder = try TemporaryFolder(in: TemporaryFolder.memory)
    transport = FolderTransport(folder.path("repository"))
    keys = try RepositoryKeys(try Self.masters(1), appID: Self.appID)
    root = try CustomerRepository(folder.path("repository"), appID: Self.appID)
      .begin(keys, now: UpdateTime(seconds: now))
  }

  static func masters(_ seed: UInt8) throws -> RepositoryKeys.Masters {
    func key(_ number: UInt8) -> SymmetricKey {
      SymmetricKey(data: [UInt8](repeating: seed &* 8 &+ number, count: 32))
    }
    return RepositoryKeys.Masters(root: [key(0), key(1)], targets: key(2), online: key(3))
  }

  static func version(_ text: String) throws -> SemanticVersion {
    try #require(SemanticVersion(text))
  }

  var repository: CustomerRepository {
    CustomerRepository(folder.path("repository"), appID: Self.appID)
  }

  /// Offers a version of some files beside those that are offered already.
  func publish(
    _ text: String, _ files: [String: [UInt8]], permyriad: Int = Rollout.whole,
    status: Offer.Status = .active
  ) throws {
    let version = try Self.version(text)
    let earlier = try repository.read()?.entries ?? []
    let sources = try files.sorted { $0.key < $1.key }.map { path, bytes in
      VersionPublisher.Source(
        path: path, file: try MappedFile(path: try folder.write("files/\(text)/\(path)", bytes)))
    }
    let publisher = VersionPublisher(
      folder.path("repository"), try BlobFolder(folder.path("repository"), workers: 1),
      appID: Self.appID)
    let facts = try publisher.write(version, sources, earlier: earlier)
    try offer(
      earlier.filter { $0.offer.version != version } + [
        CustomerRepository.Entry(try self.offer(text, permyriad, status), facts)
      ])
  }

  /// Says something else of a version that is offered.
  func change(
    _ text: String, permyriad: Int = Rollout.whole, status: Offer.Status = .active
  ) throws {
    let version = try Self.version(text)
    try offer(
      try (repository.read()?.entries ?? []).map { entry in
        entry.offer.version == version
          ? CustomerRepository.Entry(try offer(text, permyriad, status), entry.pack) : entry
      })
  }

  private func offer(_ text: String, _ permyriad: Int, _ status: Offer.Status) throws -> Offer {
    Offer(
      version: try Self.version(text), bundleIdentifiers: ["com.customer.app"],
      minSDK: try Self.version("5.0.0"), belowSDK: try Self.version("6.0.0"),
      rollout: Rollout(salt: text, permyriad: permyriad), status: status)
  }

  private func offer(_ entries: [CustomerRepository.Entry]) throws {
    try repository.publish(entries, keys, now: UpdateTime(seconds: now))
  }

  /// The client as an app makes it when it starts.
  func client(
    root: [UInt8]? = nil, folder name: String = "client", sdk: String = "5.4.0",
    space: FreeSpace = .system
  ) throws -> UpdateClient {
    let (moment, transport) = (now, transport)
    return try UpdateClient(
      UpdateClient.Configuration(
        appID: Self.appID, bundleIdentifier: "com.customer.app", sdkVersion: sdk,
        installID: "device", folder: folder.path(name), root: root ?? self.root),
      transport: transport, check: check,
      clock: UpdateClock(now: { moment }, steady: { transport.seconds.withLock { $0 } }),
      space: space)
  }

  /// The name that a version has on the device.
  func name(of text: String) throws -> String {
    let version = try Self.version(text)
    let entry = try #require(
      try repository.required().entries.first { $0.offer.version == version })
    return VersionStore.name(version, pack: entry.pack.sha256 ?? "")
  }

  /// The bytes of a file of the version in use; nil without one.
  func file(_ path: String, of client: UpdateClient) async throws -> [UInt8]? {
    guard let version = await client.current else { return nil }
    return [UInt8](try #require(FileManager.default.contents(atPath: "\(version.folder)/\(path)")))
  }
}

/// A check that a test decides on; without that every version works.
final class VersionCheck: ModelCheck {
  private let reasons = Mutex<[String: String]>([:])
  private let runs = Mutex(0)
  private let isCancelled = Mutex(false)
  private let work = Mutex<(@Sendable () async -> Void)?>(nil)

  struct Fault: Error, CustomStringConvertible { let description: String }

  func refuse(_ version: String, _ reason: String) { reasons.withLock { $0[version] = reason } }
  var count: Int { runs.withLock { $0 } }

  /// Has the next check end as one whose time is over.
  func cancelNext() { isCancelled.withLock { $0 = true } }

  /// Does something during the next check.
  func meanwhile(_ body: @escaping @Sendable () async -> Void) { work.withLock { $0 = body } }

  func check(_ folder: String) async throws {
    runs.withLock { $0 += 1 }
    let body = work.withLock { work in
      defer { work = nil }
      return work
    }
    await body?()
    let isOver = isCancelled.withLock { isCancelled in
      defer { isCancelled = false }
      return isCancelled
    }
    if isOver { throw CancellationError() }
    let reason = reasons.withLock { $0.first { folder.contains("/\($0.key)-") }?.value }
    if let reason { throw Fault(description: reason) }
  }
}

extension UpdateClient {
  /// What an app does whose models work.
  func startAndConfirm() throws {
    if let version = try start() { try confirmHealthy(version) }
  }
}

extension ClientFixture {
  /// A repository that offers version 1.0.0, and a device that took and confirmed it.
  static func confirmed(_ files: [String: [UInt8]]) async throws -> (ClientFixture, UpdateClient) {
    let fixture = try ClientFixture()
    try fixture.publish("1.0.0", files)
    let client = try fixture.client()
    _ = try await client.update()
    try await client.startAndConfirm()
    return (fixture, client)
  }
}
