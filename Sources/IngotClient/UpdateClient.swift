import Files
import Offers
import PackageNames
import StrictJSON
import TUF

/// Keeps the models of an app up to date.
///
/// It begins with the models that the app brought along, and there is always a version to run: a new one
/// becomes current only when its files are what the signed metadata say and its models give what they gave
/// where they were judged. Until `confirmHealthy()` it is on trial: an app that starts again without having
/// confirmed it gets the version before, and the one that failed is not tried again.
public actor UpdateClient {
  /// What a client is made of.
  public struct Configuration: Sendable {
    /// The app that the repository is for.
    public let appID: String
    /// Of the app on this device.
    public let bundleIdentifier: String
    /// The version of the library that runs the models, `5.4.0`.
    public let sdkVersion: String
    /// What tells this installation from others: any text that stays the same.
    public let installID: String
    /// Where the client keeps its files; of nobody else.
    public let folder: String
    /// The first metadata of the repository, which the app brings along.
    public let root: [UInt8]

    /// Says of everything what it is.
    public init(
      appID: String, bundleIdentifier: String, sdkVersion: String, installID: String,
      folder: String, root: [UInt8]
    ) {
      (self.appID, self.bundleIdentifier) = (appID, bundleIdentifier)
      (self.sdkVersion, self.installID) = (sdkVersion, installID)
      (self.folder, self.root) = (folder, root)
    }
  }

  /// What a version is, and where.
  public struct Version: Hashable, Sendable {
    /// As the package has it: `1.4.0`.
    public let version: String
    /// The folder of its files.
    public let folder: String
    /// Whether it is on trial.
    public let isOnTrial: Bool
  }

  /// What an update did.
  public enum Result: Hashable, Sendable {
    /// The version in use is the one to use.
    case upToDate
    /// Another version is current from now on, on trial; bytes of models that were downloaded.
    case updated(Version, fetchedByteCount: Int)
    /// The version in use was withdrawn, and what the app brought along is used.
    case withdrawn
  }

  private let configuration: Configuration
  private let device: Device
  private let store: VersionStore
  private let downloader: Downloader
  private let clock: UpdateClock
  private let check: any ModelCheck
  private var state: ClientState

  /// Opens a client's folder, or makes it.
  ///
  /// Where a version on trial was begun to be used and never confirmed, the version before it is current
  /// again.
  ///
  /// - Throws: `UpdateError.disk` and `.malformed`; an app then runs what it brought along.
  public init(
    _ configuration: Configuration, transport: any Transport, check: any ModelCheck,
    clock: UpdateClock = .system
  ) throws {
    guard let sdk = SemanticVersion(configuration.sdkVersion) else {
      throw UpdateError.malformed("'\(configuration.sdkVersion)' is not a version")
    }
    self.configuration = configuration
    self.clock = clock
    self.check = check
    device = Device(
      bundleIdentifier: configuration.bundleIdentifier, sdk: sdk,
      installID: configuration.installID)
    do {
      store = try VersionStore(configuration.folder)
    } catch {
      throw UpdateError.disk("\(error)")
    }
    downloader = Downloader(transport: transport, clock: clock, folder: store.downloads)
    state = try ClientState(file: store.stateFile)
    var now = state
    if now.trial?.isStarted == true { now.goBack() }
    // One that somebody removed may come again.
    while let name = now.current, store.pack(name) == nil { now.leave() }
    if now.trial != nil { now.trial = ClientState.Trial(isStarted: true) }
    if now != state { try now.write(to: store.stateFile) }
    state = now
  }

  /// The version to run; nil for what the app brought along.
  public var current: Version? {
    guard let name = state.current, let pack = store.pack(name) else { return nil }
    return Version(
      version: "\(pack.version)", folder: store.place(name), isOnTrial: state.trial != nil)
  }

  /// Says that the models of the current version work: it is not on trial any more, and older ones than the
  /// one before it are removed.
  public func confirmHealthy() throws {
    var now = state
    now.confirm()
    try keep(now)
    try onDisk { () throws(FileError) in
      try store.collect(allBut: [now.current, now.previous].compactMap { $0 })
    }
  }

  /// Says that the models of the current version do not work: the version before it is current, and this one
  /// is not tried again.
  public func rollBack() throws {
    guard state.current != nil else { return }
    var now = state
    now.goBack()
    try keep(now)
  }

  /// Looks for the version that is to be used, downloads it, and makes it current if it holds.
  ///
  /// - Throws: `UpdateError`; the current version stays what it was.
  public func update() async throws -> Result {
    // Held until the end of the update.
    let lock = try onDisk { () throws(FileError) in try FileLock(path: store.lockFile) }
    guard try onDisk({ () throws(FileError) in try lock.take(.exclusive) }) else {
      throw UpdateError.busy
    }
    let result = try await updateLocked()
    _ = consume lock
    return result
  }

  private func updateLocked() async throws -> Result {
    let updater = try await refreshed()
    let offers = try offers(updater)
    guard let best = try await best(of: offers, updater) else {
      guard state.current != nil else { return .upToDate }
      var now = state
      now.take(nil)
      try keep(now)
      return .withdrawn
    }
    guard best.name != state.current else { return .upToDate }
    let fetched = try await install(best)
    var now = state
    now.take(best.name)
    try keep(now)
    let version = Version(
      version: "\(best.pack.version)", folder: store.place(best.name), isOnTrial: true)
    return .updated(version, fetchedByteCount: fetched)
  }

  // MARK: Steps

  /// A version that a device may take.
  private struct Choice {
    let name: String
    let pack: VersionPack
    let bytes: [UInt8]
  }

  private func keep(_ next: ClientState) throws {
    guard next != state else { return }
    try next.write(to: store.stateFile)
    state = next
  }

  private func onDisk<Value: ~Copyable>(
    _ body: () throws(FileError) -> Value
  ) throws(UpdateError) -> Value {
    do { return try body() } catch { throw .disk("\(error)") }
  }

  /// Metadata as they are now.
  private func refreshed() async throws -> MetadataUpdater {
    let folder = MetadataFolder(store.metadata)
    do {
      if try folder.read("root") == nil { try folder.write(configuration.root, "root") }
      let now = UpdateTime(seconds: max(clock.now(), state.seen))
      var updater = try MetadataUpdater(
        source: RepositoryMetadata(downloader, configuration.appID), store: folder, now: now,
        appID: configuration.appID)
      try await updater.refresh()
      var next = state
      next.seen = now.seconds
      try keep(next)
      return updater
    } catch let error as MetadataError {
      throw UpdateError.untrusted("\(error)")
    } catch let error as FileError {
      throw UpdateError.disk("\(error)")
    }
  }

  private func offers(_ updater: MetadataUpdater) throws -> [(offer: Offer, target: Target)] {
    do {
      return try (updater.targets?.targets ?? [:]).compactMap { path, target in
        let version = RepositoryPath.version(ofPack: path, configuration.appID)
        guard let version, let custom = target.custom else { return nil }
        return (try Offer(version: version, custom), target)
      }
    } catch let error as JSONError {
      throw UpdateError.malformed("\(error)")
    }
  }

  /// The highest version that the device may take and that did not fail here.
  private func best(
    of offers: [(offer: Offer, target: Target)], _ updater: MetadataUpdater
  ) async throws -> Choice? {
    let usable = offers.filter { entry in
      let sha256 = entry.target.facts.sha256 ?? ""
      return !state.refused.contains(VersionStore.name(entry.offer.version, pack: sha256))
    }
    guard let offer = usable.map(\.offer).best(for: device),
      let target = usable.first(where: { $0.offer == offer })?.target
    else { return nil }
    let name = VersionStore.name(offer.version, pack: target.facts.sha256 ?? "")
    if let pack = store.pack(name) { return Choice(name: name, pack: pack, bytes: pack.bytes) }
    let path =
      RepositoryPath.targets(configuration.appID) + "/"
      + PercentText.quoted(updater.place(of: target), keeping: "/")
    let limit = min(target.facts.length ?? 0, VersionPack.byteLimit)
    guard let bytes = try await downloader.bytes(path, limit: limit) else {
      throw UpdateError.missing(path: path)
    }
    do {
      try target.facts.check(bytes, file: target.path)
      let pack = try VersionPack(bytes, origin: target.path)
      guard pack.appID == configuration.appID, pack.version == offer.version else {
        throw UpdateError.malformed(
          "'\(target.path)' is of version \(pack.version) of '\(pack.appID)'")
      }
      return Choice(name: name, pack: pack, bytes: bytes)
    } catch let error as MetadataError {
      throw UpdateError.untrusted("\(error)")
    } catch let error as JSONError {
      throw UpdateError.malformed("\(error)")
    }
  }

  /// Downloads what a version needs, and has its models checked.
  ///
  /// - Returns: bytes that were downloaded.
  private func install(_ choice: Choice) async throws -> Int {
    let summary: Installer.Summary
    do {
      summary = try await Installer(downloader: downloader, store: store)
        .install(choice.pack, as: choice.name)
      try store.keep(choice.bytes, of: choice.name)
    } catch let error as FileError {
      throw UpdateError.disk("\(error)")
    }
    do {
      try await check.check(store.place(choice.name))
    } catch {
      var now = state
      now.refused.append(choice.name)
      try keep(now)
      throw UpdateError.unfit(version: "\(choice.pack.version)", reason: "\(error)")
    }
    return summary.fetchedByteCount
  }
}

/// What shows that the models of a version work on this device.
public protocol ModelCheck: Sendable {
  /// Loads every model below a folder, and runs its self-test vectors.
  ///
  /// - Throws: what is wrong with one, in its `description`.
  func check(_ folder: String) async throws
}

/// The metadata of an app's repository.
private struct RepositoryMetadata: MetadataSource {
  private let downloader: Downloader
  private let appID: String

  init(_ downloader: Downloader, _ appID: String) {
    (self.downloader, self.appID) = (downloader, appID)
  }

  func fetch(_ file: String, limit: Int) async throws -> [UInt8]? {
    let path = "\(RepositoryPath.metadata(appID))/\(PercentText.quoted(file))"
    return try await downloader.bytes(path, limit: limit)
  }
}
