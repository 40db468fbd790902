import Files
package import Offers
import PackageNames
import StrictJSON
package import TUF

/// The metadata of one customer's repository on disk.
///
/// Files appear in an order in which no client is ever told of one that is not there: packs, targets,
/// snapshot, and the timestamp last, which alone replaces a file that clients read. A run that ended halfway
/// left files that nothing names; the next one writes them again.
package struct CustomerRepository {
  /// How long metadata hold, in days.
  package struct Expiry: Sendable {
    package var root = 365
    package var targets = 90
    package var online = 14

    package init() {}
  }

  /// A version that the repository offers.
  package struct Entry: Equatable, Sendable {
    package let offer: Offer
    /// Of its pack.
    package let pack: FileFacts

    package init(_ offer: Offer, _ pack: FileFacts) { (self.offer, self.pack) = (offer, pack) }
  }

  /// What the repository says now.
  package struct State {
    let root: Root
    /// The versions of the metadata; 0 of what was not published yet.
    let (timestamp, snapshot, targets): (Int, Int, Int)
    /// When the metadata of targets expire; nil where there are none.
    package let targetsExpire: UpdateTime?
    /// What the snapshot lists.
    let listedTargets: ListedFile?
    /// By the version, ascending.
    package let entries: [Entry]

    /// Whether anything was published: a run that ended early may have left a root alone.
    package var isPublished: Bool { listedTargets != nil }

    /// When the first of what only offline keys renew expires.
    package var offlineExpiry: UpdateTime {
      targetsExpire.map { min($0, root.head.expires) } ?? root.head.expires
    }

    /// The same versions with one of them withdrawn; nil if it is not offered.
    ///
    /// - Parameter version: as it is written.
    package func withdrawing(_ version: String) -> [Entry]? {
      guard
        entries.contains(where: { "\($0.offer.version)" == version && $0.offer.status == .active })
      else { return nil }
      return entries.map { entry in
        "\(entry.offer.version)" == version ? Entry(entry.offer.withdrawn(), entry.pack) : entry
      }
    }

    /// Whether these keys are those that sign what is published.
    func isSigned(by keys: RepositoryKeys) -> Bool {
      root.timestamp.keyIDs == [keys.online.key.id]
    }
  }

  package let appID: String
  private let folder: String
  private let expiry: Expiry

  /// - Parameter repository: the folder of all customers.
  package init(_ repository: String, appID: String, expiry: Expiry = Expiry()) {
    self.appID = appID
    self.expiry = expiry
    folder = repository
  }

  private var metadata: String { Folder.join(folder, RepositoryPath.metadata(appID)) }

  /// The place of a file of metadata.
  private func file(_ name: String) -> String { Folder.join(metadata, name) }

  /// The apps that have metadata in a repository, in their order.
  package static func apps(of repository: String) throws -> [String] {
    let folder = Folder.parent(of: Folder.parent(of: RepositoryPath.metadata("app")))
    let path = Folder.join(repository, folder)
    guard Folder.kind(of: path) == .folder else { return [] }
    return try Folder.names(in: path).filter { SafePath.isSegment($0.utf8) }.sorted()
  }

  // MARK: Reading

  /// What the repository says, by its own newest root; nil where there is none.
  ///
  /// Metadata that expired are read all the same.
  package func read() throws -> State? {
    guard Folder.kind(of: metadata) == .folder else { return nil }
    let numbers = try Folder.names(in: metadata).compactMap { name in
      name.hasSuffix(".root.json") ? Int(name.dropLast(10)) : nil
    }
    guard let newest = numbers.max() else { return nil }
    do {
      return try state(root: newest)
    } catch let error as MetadataError {
      throw PublishError.unsound(folder: metadata, reason: "\(error)")
    } catch let error as JSONError {
      throw PublishError.unsound(folder: metadata, reason: "\(error)")
    }
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    try MappedFile.contents(of: file(name), limit: MetadataUpdater.Limits().targets)
  }

  private func state(root number: Int) throws -> State {
    var trusted = try TrustedMetadata(
      root: try bytes("\(number).root.json"), now: UpdateTime(seconds: 0), appID: appID)
    let root = trusted.root
    guard Folder.kind(of: file("timestamp.json")) == .file else {
      return State(
        root: root, timestamp: 0, snapshot: 0, targets: 0, targetsExpire: nil, listedTargets: nil,
        entries: [])
    }
    _ = try trusted.take(timestamp: try bytes("timestamp.json"))
    let snapshot = try trusted.listedSnapshot().version
    try trusted.take(snapshot: try bytes("\(snapshot).snapshot.json"), isOwn: false)
    let listed = try trusted.listed("targets")
    let targets = try trusted.targets(
      try bytes("\(listed.version).targets.json"), "targets", root.targets, root.keys)
    return State(
      root: root, timestamp: trusted.timestamp?.head.version ?? 0, snapshot: snapshot,
      targets: listed.version, targetsExpire: targets.head.expires, listedTargets: listed,
      entries: try entries(targets))
  }

  private func entries(_ targets: Targets) throws -> [Entry] {
    try targets.targets.compactMap { path, target in
      guard let version = RepositoryPath.version(ofPack: path, appID), let custom = target.custom
      else { return nil }
      return Entry(try Offer(version: version, custom), target.facts)
    }.sorted { $0.offer.version < $1.offer.version }
  }

  // MARK: Writing

  /// Makes the repository, where there is none.
  ///
  /// - Returns: the root that the app brings along.
  package func begin(_ keys: RepositoryKeys, now: UpdateTime) throws -> [UInt8] {
    try Folder.create(metadata)
    let first = file("1.root.json")
    if Folder.kind(of: first) == .missing {
      try AtomicFile.write(try root(1, keys, now, by: keys.root), to: first)
    }
    return try bytes("1.root.json")
  }

  /// Has other keys take over: both generations sign the next root.
  ///
  /// What lies behind it is signed by both, too, and comes first: it holds for clients that have the next root
  /// and for those that do not.
  package func rotate(from old: RepositoryKeys, to new: RepositoryKeys, now: UpdateTime) throws {
    let lock = try lock()
    defer { withExtendedLifetime(lock) {} }
    let state = try required()
    try check(old, state)
    guard new.online.key != old.online.key else { throw PublishError.sameKeys(appID: appID) }
    guard Set(old.root.map(\.key.id)) == Set(state.root.root.keyIDs) else {
      throw PublishError.otherKeys(appID: appID, role: "root")
    }
    let number = state.root.head.version + 1
    let next = try root(number, new, now, by: new.root + old.root)
    if state.listedTargets != nil { try write(state, state.entries, [old, new], now) }
    try AtomicFile.write(next, to: file("\(number).root.json"))
  }

  /// Offers some versions from now on, and no others.
  ///
  /// - Throws: `PublishError`.
  package func publish(_ entries: [Entry], _ keys: RepositoryKeys, now: UpdateTime) throws {
    let lock = try lock()
    defer { withExtendedLifetime(lock) {} }
    let state = try required()
    try check(keys, state)
    try write(state, entries, [keys], now)
  }

  /// Signs snapshot and timestamp anew, with the online key alone.
  package func refresh(_ online: any MetadataSigner, now: UpdateTime) throws {
    let lock = try lock()
    defer { withExtendedLifetime(lock) {} }
    let state = try required()
    guard state.root.timestamp.keyIDs == [online.key.id] else {
      throw PublishError.otherKeys(appID: appID, role: "timestamp")
    }
    guard let listed = state.listedTargets else { throw PublishError.noRepository(appID: appID) }
    try writeOnline(state, listed, [online], now)
  }

  /// What the repository says.
  ///
  /// - Throws: `PublishError.noRepository` where there is none.
  package func required() throws -> State {
    guard let state = try read() else { throw PublishError.noRepository(appID: appID) }
    return state
  }

  private func check(_ keys: RepositoryKeys, _ state: State) throws(PublishError) {
    guard let targets = keys.targets else { throw .noKey(appID: appID, role: "targets") }
    guard state.root.targets.keyIDs == [targets.key.id] else {
      throw .otherKeys(appID: appID, role: "targets")
    }
    guard state.isSigned(by: keys) else {
      throw .otherKeys(appID: appID, role: "timestamp")
    }
  }

  // MARK: Content

  private func root(
    _ version: Int, _ keys: RepositoryKeys, _ now: UpdateTime, by signers: [any MetadataSigner]
  ) throws -> [UInt8] {
    // All must be at hand: a root with fewer would hold for ever.
    guard keys.root.count == KeyFolder.rootNames.count else {
      throw PublishError.noKey(appID: appID, role: "root")
    }
    guard let targets = keys.targets else {
      throw PublishError.noKey(appID: appID, role: "targets")
    }
    let online = Role(keyIDs: [keys.online.key.id], threshold: 1)
    let content = MetadataContent.root(
      version: version, expires: now.adding(days: expiry.root), appID: appID,
      keys: (keys.root + [targets, keys.online]).map(\.key),
      root: Role(keyIDs: keys.root.map(\.key.id), threshold: keys.root.count),
      timestamp: online, snapshot: online, targets: Role(keyIDs: [targets.key.id], threshold: 1))
    return try content.signed(by: signers)
  }

  /// The first number behind one that no file of a role has: what a run left that ended halfway may be in
  /// somebody's cache, and stays what it is.
  private func free(_ number: Int, _ role: String) throws -> Int {
    var next = number + 1
    while Folder.kind(of: file("\(next).\(role).json")) != .missing { next += 1 }
    return next
  }

  /// Keeps others from writing.
  private func lock() throws -> HeldLock {
    guard Folder.kind(of: metadata) == .folder else {
      throw PublishError.noRepository(appID: appID)
    }
    let lock = try HeldLock(Folder.join(Folder.parent(of: metadata), ".lock"))
    guard let lock else { throw PublishError.busy(appID: appID) }
    return lock
  }

  /// Writes metadata of targets, and what leads to them.
  private func write(
    _ state: State, _ entries: [Entry], _ keys: [RepositoryKeys], _ now: UpdateTime
  ) throws {
    let version = try free(state.targets, "targets")
    var list: [String: (facts: FileFacts, custom: JSONValue?)] = [:]
    for entry in entries {
      list[RepositoryPath.pack(appID, entry.offer.version)] = (entry.pack, entry.offer.json)
    }
    let signers = try keys.map { keys in
      guard let signer = keys.targets else {
        throw PublishError.noKey(appID: appID, role: "targets")
      }
      return signer
    }
    let targets = try MetadataContent.targets(
      version: version, expires: now.adding(days: expiry.targets), appID: appID, targets: list
    ).signed(by: signers)
    try AtomicFile.write(targets, to: file("\(version).targets.json"))
    try writeOnline(
      state, ListedFile(version: version, facts: FileFacts(of: targets)), keys.map(\.online), now)
  }

  /// Writes a snapshot that lists metadata of targets, and then the timestamp.
  private func writeOnline(
    _ state: State, _ targets: ListedFile, _ signers: [any MetadataSigner], _ now: UpdateTime
  ) throws {
    let expires = now.adding(days: expiry.online)
    let version = try free(state.snapshot, "snapshot")
    let snapshot = try MetadataContent.snapshot(
      version: version, expires: expires, appID: appID, targets: targets
    ).signed(by: signers)
    try AtomicFile.write(snapshot, to: file("\(version).snapshot.json"))
    let timestamp = try MetadataContent.timestamp(
      version: state.timestamp + 1, expires: expires, appID: appID,
      snapshot: ListedFile(version: version, facts: FileFacts(of: snapshot))
    ).signed(by: signers)
    try AtomicFile.write(timestamp, to: file("timestamp.json"))
  }
}

/// A lock that is held as long as the value lives.
private final class HeldLock {
  private let lock: FileLock

  /// - Returns: nil where somebody else holds it.
  init?(_ path: String) throws(FileError) {
    lock = try FileLock(path: path)
    guard try lock.take(.exclusive) else { return nil }
  }
}
