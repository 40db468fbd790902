import Files
import Offers
import StrictJSON
package import TUF

extension CustomerRepository {
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
    try new.requireDifferent(appID: appID)
    guard new.online.key != old.online.key else { throw PublishError.sameKeys(appID: appID) }
    try checkRoot(old, state)
    let number = state.root.head.version + 1
    let next = try root(number, new, now, by: new.root + old.root)
    if state.listedTargets != nil { try write(state, state.entries, [old, new], now) }
    try AtomicFile.write(next, to: file("\(number).root.json"))
  }

  /// Signs the root anew, with the keys that are in force: it holds from now on for as long as a first one.
  package func renewRoot(_ keys: RepositoryKeys, now: UpdateTime) throws {
    let lock = try lock()
    defer { withExtendedLifetime(lock) {} }
    let state = try required()
    try check(keys, state)
    try checkRoot(keys, state)
    let number = state.root.head.version + 1
    try AtomicFile.write(
      try root(number, keys, now, by: keys.root), to: file("\(number).root.json"))
  }

  private func checkRoot(_ keys: RepositoryKeys, _ state: State) throws(PublishError) {
    guard keys.root.count == KeyFolder.rootNames.count else {
      throw keys.lack(of: "root", appID: appID)
    }
    guard Set(keys.root.map(\.key.id)) == Set(state.root.root.keyIDs) else {
      throw .otherKeys(appID: appID, role: "root")
    }
  }

  /// Offers some versions from now on, and no others.
  ///
  /// - Parameter known: the versions that the caller thinks are offered now; nil for any.
  /// - Throws: `PublishError`; `busy` where another process changed them meanwhile.
  package func publish(
    _ entries: [Entry], insteadOf known: [Entry]? = nil, _ keys: RepositoryKeys, now: UpdateTime
  ) throws {
    let lock = try lock()
    defer { withExtendedLifetime(lock) {} }
    let state = try required()
    guard known.map({ $0 == state.entries }) ?? true else { throw PublishError.busy(appID: appID) }
    try check(keys, state)
    try write(state, entries, [keys], now)
  }

  /// Signs the timestamp anew, with the online key alone, and the snapshot once half of its time is over: a device
  /// that has it fetches one file less.
  ///
  /// - Parameter all: whether the snapshot is signed in any case: where the repository was brought back from a
  ///   backup, devices may know a later one.
  package func refresh(
    _ online: any MetadataSigner, now: UpdateTime, all: Bool = false
  ) throws {
    let lock = try lock()
    defer { withExtendedLifetime(lock) {} }
    let state = try required()
    guard state.isSigned(by: online) else {
      throw PublishError.otherKeys(appID: appID, role: "timestamp")
    }
    guard let listed = state.listedTargets else { throw PublishError.noRepository(appID: appID) }
    if !all, let snapshot = state.snapshot,
      snapshot.expires >= now.adding(days: (expiry.online + 1) / 2)
    {
      return try writeTimestamp(state, snapshot.listed, [online], now)
    }
    try writeOnline(state, listed, [online], now)
  }

  // MARK: Content

  private func root(
    _ version: Int, _ keys: RepositoryKeys, _ now: UpdateTime, by signers: [any MetadataSigner]
  ) throws -> [UInt8] {
    // All must be at hand: a root with fewer would hold for ever.
    guard keys.root.count == KeyFolder.rootNames.count else {
      throw keys.lack(of: "root", appID: appID)
    }
    guard let targets = keys.targets else { throw keys.lack(of: "targets", appID: appID) }
    let online = Role(keyIDs: [keys.online.key.id], threshold: 1)
    let content = MetadataContent.root(
      version: version, expires: now.adding(days: expiry.root), appID: appID,
      keys: (keys.root + [targets, keys.online]).map(\.key),
      root: Role(keyIDs: keys.root.map(\.key.id), threshold: keys.root.count),
      timestamp: online, snapshot: online, targets: Role(keyIDs: [targets.key.id], threshold: 1))
    return try content.signed(by: signers)
  }

  /// The number of the next version of some metadata: never one that a client may have seen.
  ///
  /// Minutes since 1970 go before what the folder says: one that was brought back from a backup does not know
  /// what was published behind it, and clients refuse what has a number below the last.
  private static func next(_ number: Int, _ now: UpdateTime) -> Int {
    max(number + 1, now.seconds / 60)
  }

  /// The same for a role whose files have numbers. One that a file has is passed over: what a run left that ended
  /// halfway may be in somebody's cache, and stays what it is.
  private func free(_ number: Int, _ role: String, _ now: UpdateTime) -> Int {
    var next = Self.next(number, now)
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
    let version = free(state.targets, "targets", now)
    var list: [String: (facts: FileFacts, custom: JSONValue?)] = [:]
    for entry in entries {
      list[RepositoryPath.pack(appID, entry.offer.version)] = (entry.pack, entry.offer.json)
    }
    let signers = try keys.map { keys in
      guard let signer = keys.targets else { throw keys.lack(of: "targets", appID: appID) }
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
    let version = free(state.snapshot?.listed.version ?? 0, "snapshot", now)
    let snapshot = try MetadataContent.snapshot(
      version: version, expires: expires, appID: appID, targets: targets
    ).signed(by: signers)
    try AtomicFile.write(snapshot, to: file("\(version).snapshot.json"))
    try writeTimestamp(
      state, ListedFile(version: version, facts: FileFacts(of: snapshot)), signers, now)
  }

  private func writeTimestamp(
    _ state: State, _ snapshot: ListedFile, _ signers: [any MetadataSigner], _ now: UpdateTime
  ) throws {
    let timestamp = try MetadataContent.timestamp(
      version: Self.next(state.timestamp, now), expires: now.adding(days: expiry.online),
      appID: appID, snapshot: snapshot
    ).signed(by: signers)
    try AtomicFile.write(timestamp, to: file("timestamp.json"))
  }
}
