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
    let (timestamp, targets): (Int, Int)
    /// When the metadata of targets expire; nil where there are none.
    package let targetsExpire: UpdateTime?
    /// When the timestamp expires; nil where there is none.
    package let onlineExpires: UpdateTime?
    /// What the timestamp lists, and when it expires; nil where there is none.
    let snapshot: (listed: ListedFile, expires: UpdateTime)?
    /// What the snapshot lists.
    let listedTargets: ListedFile?
    /// By the version, ascending.
    package let entries: [Entry]

    /// Whether anything was published: a run that ended early may have left a root alone.
    package var isPublished: Bool { listedTargets != nil }

    /// When the root expires.
    package var rootExpires: UpdateTime { root.head.expires }

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

    /// Whether a version is listed as one that devices have to leave.
    ///
    /// - Parameter version: as it is written.
    package func isWithdrawn(_ version: String) -> Bool {
      entries.contains { "\($0.offer.version)" == version && $0.offer.status == .withdrawn }
    }

    /// Whether a key is the one that signs timestamps and snapshots.
    func isSigned(by online: any MetadataSigner) -> Bool {
      root.timestamp.keyIDs == [online.key.id]
    }
  }

  package let appID: String
  private let folder: String
  let expiry: Expiry

  /// - Parameter repository: the folder of all customers.
  package init(_ repository: String, appID: String, expiry: Expiry = Expiry()) {
    self.appID = appID
    self.expiry = expiry
    folder = repository
  }

  var metadata: String { Folder.join(folder, RepositoryPath.metadata(appID)) }

  /// The place of a file of metadata.
  func file(_ name: String) -> String { Folder.join(metadata, name) }

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
    let names = try Folder.names(in: metadata)
    guard names.contains(where: { $0.hasSuffix(".root.json") }) else { return nil }
    do {
      return try state(root: roots(names), names)
    } catch let error as MetadataError {
      throw PublishError.unsound(folder: metadata, reason: "\(error)")
    } catch let error as JSONError {
      throw PublishError.unsound(folder: metadata, reason: "\(error)")
    }
  }

  /// The newest root, behind which a device comes from the first by way of every other.
  private func roots(_ names: [String]) throws -> TrustedMetadata {
    let count = names.count { $0.hasSuffix(".root.json") }
    for number in 1...count where !names.contains("\(number).root.json") {
      throw PublishError.unsound(
        folder: metadata, reason: "\(number).root.json is missing, and there are \(count) roots")
    }
    var trusted = try TrustedMetadata(
      root: try bytes("1.root.json"), now: UpdateTime(seconds: 0), appID: appID)
    for number in (1...count).dropFirst() {
      try trusted.take(root: try bytes("\(number).root.json"))
    }
    return trusted
  }

  func bytes(_ name: String) throws -> [UInt8] {
    try MappedFile.contents(of: file(name), limit: MetadataUpdater.Limits().targets)
  }

  /// What the repository says.
  ///
  /// - Throws: `PublishError.noRepository` where there is none.
  package func required() throws -> State {
    guard let state = try read() else { throw PublishError.noRepository(appID: appID) }
    return state
  }

  /// Checks that keys are those that sign what the repository says, or will say.
  ///
  /// - Parameter state: nil where there is no repository yet, which needs the keys of a root, too.
  package func check(_ keys: RepositoryKeys, _ state: State?) throws(PublishError) {
    guard state != nil || keys.root.count == KeyFolder.rootNames.count else {
      throw keys.lack(of: "root", appID: appID)
    }
    guard let targets = keys.targets else { throw keys.lack(of: "targets", appID: appID) }
    try keys.requireDifferent(appID: appID)
    guard let state else { return }
    guard state.root.targets.keyIDs == [targets.key.id] else {
      throw .otherKeys(appID: appID, role: "targets")
    }
    guard state.isSigned(by: keys.online) else {
      throw .otherKeys(appID: appID, role: "timestamp")
    }
  }

  private func state(root: TrustedMetadata, _ names: [String]) throws -> State {
    var trusted = root
    let root = trusted.root
    guard names.contains("timestamp.json") else { return try unpublished(trusted, names) }
    _ = try trusted.take(timestamp: try bytes("timestamp.json"))
    let snapshot = try trusted.listedSnapshot()
    try trusted.take(snapshot: try bytes("\(snapshot.version).snapshot.json"), isOwn: false)
    let listed = try trusted.listed("targets")
    let targets = try trusted.targets(
      try bytes("\(listed.version).targets.json"), "targets", root.targets, root.keys)
    return State(
      root: root, timestamp: trusted.timestamp?.head.version ?? 0,
      targets: listed.version, targetsExpire: targets.head.expires,
      onlineExpires: trusted.timestamp?.head.expires,
      snapshot: trusted.snapshot.map { (snapshot, $0.head.expires) }, listedTargets: listed,
      entries: try entries(targets))
  }

  /// What there is without a timestamp: a run ended before its first one, or it was lost. The versions of the
  /// newest targets stay what they are, so that what was withdrawn is not offered again.
  private func unpublished(_ trusted: TrustedMetadata, _ names: [String]) throws -> State {
    let suffix = ".targets.json"
    let newest = names.compactMap { name in
      name.hasSuffix(suffix) ? Int(name.dropLast(suffix.count)) : nil
    }.max()
    let targets = try newest.map {
      try trusted.unlistedTargets(try bytes("\($0)\(suffix)"))
    }
    return State(
      root: trusted.root, timestamp: 0, targets: newest ?? 0, targetsExpire: nil,
      onlineExpires: nil,
      snapshot: nil, listedTargets: nil, entries: try targets.map(entries) ?? [])
  }

  private func entries(_ targets: Targets) throws -> [Entry] {
    try targets.targets.compactMap { path, target in
      guard let version = RepositoryPath.version(ofPack: path, appID), let custom = target.custom
      else { return nil }
      return Entry(try Offer(version: version, custom), target.facts)
    }.sorted { $0.offer.version < $1.offer.version }
  }
}
