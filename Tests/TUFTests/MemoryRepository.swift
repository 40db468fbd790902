import Crypto
import StrictJSON
import Files

@testable import TUF

/// A repository of one app in memory, with a key for each role that tests may exchange.
final class MemoryRepository {
  let appID: String
  var files: [String: [UInt8]] = [:]
  var signers: [String: [Ed25519Signer]] = [:]
  var thresholds: [String: Int] = [:]
  var versions = ["root": 1, "timestamp": 1, "snapshot": 1, "targets": 1]
  var expires = UpdateTime(seconds: 2_000_000_000)
  var targets: [String: (facts: FileFacts, custom: JSONValue?)] = [:]

  /// - Parameter seed: of all keys; the same seed gives the same keys.
  init(appID: String = "app", seed: UInt8 = 1) throws {
    self.appID = appID
    for (place, role) in ["root", "timestamp", "snapshot", "targets"].enumerated() {
      signers[role] = [try MemoryRepository.signer(seed &* 16 &+ UInt8(place))]
    }
    try publishRoot()
    try publish()
  }

  static func signer(_ seed: UInt8) throws -> Ed25519Signer {
    Ed25519Signer(
      try Curve25519.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: seed, count: 32)))
  }

  func role(_ name: String) -> Role {
    Role(keyIDs: (signers[name] ?? []).map(\.key.id), threshold: thresholds[name] ?? 1)
  }

  func version(_ role: String) -> Int { versions[role] ?? 0 }

  /// - Parameter others: keys that sign, too.
  func publishRoot(by others: [Ed25519Signer] = []) throws {
    let content = MetadataContent.root(
      version: version("root"), expires: expires, appID: appID,
      keys: signers.values.flatMap { $0 }.map(\.key), root: role("root"),
      timestamp: role("timestamp"), snapshot: role("snapshot"), targets: role("targets"))
    files["\(version("root")).root.json"] = try content.signed(by: (signers["root"] ?? []) + others)
  }

  /// Writes targets, snapshot and timestamp of the present versions.
  func publish() throws {
    let list = try MetadataContent.targets(
      version: version("targets"), expires: expires, appID: appID, targets: targets
    ).signed(by: signers["targets"] ?? [])
    files["\(version("targets")).targets.json"] = list
    let snapshot = try MetadataContent.snapshot(
      version: version("snapshot"), expires: expires, appID: appID,
      targets: ListedFile(version: version("targets"), facts: FileFacts(of: list))
    ).signed(by: signers["snapshot"] ?? [])
    files["\(version("snapshot")).snapshot.json"] = snapshot
    files["timestamp.json"] = try MetadataContent.timestamp(
      version: version("timestamp"), expires: expires, appID: appID,
      snapshot: ListedFile(version: version("snapshot"), facts: FileFacts(of: snapshot))
    ).signed(by: signers["timestamp"] ?? [])
  }

  /// The next version of all that a publication changes.
  func publishNext() throws {
    for role in ["timestamp", "snapshot", "targets"] { versions[role, default: 0] += 1 }
    try publish()
  }
}

/// What a client keeps, in memory; and what it asked for.
final class MemoryClient {
  var kept: [String: [UInt8]]

  init(root: [UInt8]) { kept = ["root": root] }

  convenience init(_ repository: MemoryRepository) throws {
    self.init(root: repository.files["1.root.json"] ?? [])
  }

  /// Runs a refresh.
  ///
  /// - Returns: the updater, and the files that were asked for.
  @discardableResult
  func refresh(
    _ repository: MemoryRepository, at seconds: Int = 1_900_000_000, appID: String? = "app"
  ) async throws -> (updater: MetadataUpdater, asked: [String]) {
    let (source, store) = (RecordingSource(repository.files), RecordingStore(kept))
    defer { kept = store.state.withLock { $0 } }
    var updater = try MetadataUpdater(
      source: source, store: store, now: UpdateTime(seconds: seconds), appID: appID)
    try await updater.refresh()
    return (updater, source.asked.withLock { $0 })
  }

  func version(_ role: String) throws -> Int? {
    try kept[role].map {
      try SignedFile($0, origin: role).signed.integer("version")
    }
  }
}
