/// The metadata of a repository that a client trusts, each file by those before it.
///
/// Decides, and does nothing else: bytes and the time come in, and what is not taken is an error. Source:
/// the TUF specification, section 5, and the order of python-tuf's `TrustedMetadataSet`.
package struct TrustedMetadata: Sendable {
  package private(set) var root: Root
  package private(set) var timestamp: Timestamp?
  package private(set) var snapshot: Snapshot?
  /// The moment that expiry is judged by.
  package let now: UpdateTime
  /// The app that all metadata must be for; nil where any is taken.
  private let appID: String?

  /// Begins with the root that the client has.
  ///
  /// It may have expired: the ones that follow it are looked for first.
  package init(root bytes: [UInt8], now: UpdateTime, appID: String? = nil) throws(MetadataError) {
    let file = try SignedFile(bytes, origin: "root.json")
    root = try Root(file)
    (self.now, self.appID) = (now, appID)
    try file.check(root.root, root.keys)
    try checkApp(root.head)
  }

  private func checkApp(_ head: MetadataHead) throws(MetadataError) {
    guard let appID, head.appID != appID else { return }
    throw .foreign(file: head.file, found: head.appID, expected: appID)
  }

  /// Takes the root that follows: the keys of both must have signed it.
  package mutating func take(root bytes: [UInt8]) throws(MetadataError) {
    let expected = root.head.version + 1
    let file = try SignedFile(bytes, origin: "\(expected).root.json")
    try file.check(root.root, root.keys)
    let next = try Root(file)
    try next.head.checkVersion(expected)
    try file.check(next.root, next.keys)
    try checkApp(next.head)
    root = next
  }

  /// Takes a timestamp.
  ///
  /// One that expired is remembered all the same, so that no older one is taken.
  ///
  /// - Returns: whether it is newer than the one before.
  package mutating func take(timestamp bytes: [UInt8]) throws(MetadataError) -> Bool {
    try root.head.checkTime(now)
    let file = try SignedFile(bytes, origin: "timestamp.json")
    try file.check(root.timestamp, root.keys)
    let next = try Timestamp(file)
    try checkApp(next.head)
    if let timestamp {
      let (found, trusted) = (next.head.version, timestamp.head.version)
      guard found >= trusted else {
        throw .rollback(file: next.head.file, found: found, trusted: trusted)
      }
      guard found > trusted else { return false }
      guard next.snapshot.version >= timestamp.snapshot.version else {
        throw .rollback(
          file: "snapshot.json", found: next.snapshot.version,
          trusted: timestamp.snapshot.version)
      }
    }
    timestamp = next
    try next.head.checkTime(now)
    return true
  }

  /// What the timestamp says of the snapshot, as long as it has not expired.
  package func listedSnapshot() throws(MetadataError) -> ListedFile {
    guard let timestamp else { throw .missing(file: "timestamp.json") }
    try timestamp.head.checkTime(now)
    return timestamp.snapshot
  }

  /// Takes a snapshot.
  ///
  /// One that is not the timestamp's is remembered all the same, so that nothing older follows it.
  ///
  /// - Parameter isOwn: whether it is the client's own, whose bytes the timestamp may not name any more.
  package mutating func take(snapshot bytes: [UInt8], isOwn: Bool) throws(MetadataError) {
    let listed = try listedSnapshot()
    let name = "snapshot.json"
    if !isOwn { try listed.facts.check(bytes, file: name) }
    let file = try SignedFile(bytes, origin: name)
    try file.check(root.snapshot, root.keys)
    let next = try Snapshot(file)
    try checkApp(next.head)
    if let snapshot { try next.checkFollows(snapshot) }
    snapshot = next
    _ = try currentSnapshot()
  }

  /// The snapshot, if it is the timestamp's and has not expired.
  private func currentSnapshot() throws(MetadataError) -> Snapshot {
    let listed = try listedSnapshot()
    guard let snapshot else { throw .missing(file: "snapshot.json") }
    try snapshot.head.checkTime(now)
    try snapshot.head.checkVersion(listed.version)
    return snapshot
  }

  /// What the snapshot says of a role's metadata.
  package func listed(_ role: String) throws(MetadataError) -> ListedFile {
    guard let listed = try currentSnapshot().files["\(role).json"] else {
      throw .unlisted(role: role)
    }
    return listed
  }

  /// Judges metadata of targets.
  ///
  /// - Parameters:
  ///   - name: of the role.
  ///   - role: who may sign it, by whoever hands on to it.
  ///   - keys: of the same.
  package func targets(
    _ bytes: [UInt8], _ name: String, _ role: Role, _ keys: KeyRing
  ) throws(MetadataError) -> Targets {
    let listed = try listed(name)
    let fileName = "\(name).json"
    try listed.facts.check(bytes, file: fileName)
    let targets = try signedTargets(bytes, fileName, role, keys)
    try targets.head.checkVersion(listed.version)
    try targets.head.checkTime(now)
    return targets
  }

  /// Metadata of targets by the signatures of their role alone: a publisher's own, which nothing lists.
  package func unlistedTargets(_ bytes: [UInt8]) throws(MetadataError) -> Targets {
    try signedTargets(bytes, "targets.json", root.targets, root.keys)
  }

  private func signedTargets(
    _ bytes: [UInt8], _ fileName: String, _ role: Role, _ keys: KeyRing
  ) throws(MetadataError) -> Targets {
    let file = try SignedFile(bytes, origin: fileName)
    try file.check(role, keys)
    let targets = try Targets(file)
    try checkApp(targets.head)
    return targets
  }
}
