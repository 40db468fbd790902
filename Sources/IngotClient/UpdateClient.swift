import Deltas
import Files
import Offers
import PackageNames
import StrictJSON
import TUF

/// Keeps the models of an app up to date.
///
/// It begins with the models that the app brought along, and there is always a version to run: a new one
/// becomes current only when its files are what the signed metadata say and its models give what they gave
/// where they were judged. From `start()` until `confirmHealthy(_:)` it is on trial: where the app ends before, the
/// next one gets the version before, and the one that failed is not tried again.
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
    /// What tells it from others of the same version.
    let name: String
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
  /// Held while this app uses a version on trial.
  private var trial: TrialMark?

  /// Opens a client's folder, or makes it.
  ///
  /// Where an app used a version on trial, did not confirm it and is gone, the version before it is current
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
    let store = try Self.onDisk { () throws(FileError) in
      try VersionStore(configuration.folder)
    }
    self.store = store
    downloader = Downloader(transport: transport, clock: clock, folder: store.downloads)
    state = try Self.change(store) { state in
      if state.trial?.isStarted == true, try TrialMark.isAbandoned(store.trialLock) {
        state.goBack()
      }
      // One that somebody removed may come again.
      while let name = state.current, store.pack(name) == nil { state.leave() }
    }
  }

  /// The version that is current; nil for what the app brought along.
  public var current: Version? { version(state.current) }

  private func version(_ name: String?) -> Version? {
    guard let name, let pack = store.pack(name) else { return nil }
    return Version(
      version: "\(pack.version)", folder: store.place(name),
      isOnTrial: name == state.current && state.trial != nil, name: name)
  }

  /// The version to run from now on; nil for what the app brought along.
  ///
  /// Call it before a version is loaded. One on trial is confirmed later, by `confirmHealthy(_:)`.
  public func start() throws -> Version? {
    let mark = try Self.onDisk { () throws(FileError) in try TrialMark(store.trialLock) }
    try change { $0.trial = $0.trial.map { _ in ClientState.Trial(isStarted: true) } }
    trial = state.trial == nil ? nil : mark
    return current
  }

  /// Says that the models of a version work: it is not on trial any more.
  ///
  /// - Parameter version: as `start()` gave it; one that is not current, or was not started, stays what it is.
  public func confirmHealthy(_ version: Version) throws {
    try change { state in
      guard state.current == version.name, state.trial?.isStarted == true else { return }
      state.confirm()
    }
    if state.trial == nil { trial = nil }
  }

  /// Says that the models of the current version do not work: the version before it is current, and this one
  /// is not tried again.
  public func rollBack() throws {
    try change { state in if state.current != nil { state.goBack() } }
    trial = nil
  }

  /// Looks for the version that is to be used, downloads it, and makes it current if it holds.
  ///
  /// The app goes on with the version that it loaded until it calls `start()` again. Versions but the current
  /// one and the one before it are removed at the next update.
  ///
  /// - Throws: `UpdateError`, and `CancellationError`; the current version stays what it was.
  public func update() async throws -> Result {
    // Held until the end of the update.
    let lock = try Self.onDisk { () throws(FileError) in try FileLock(path: store.updateLock) }
    guard try Self.onDisk({ () throws(FileError) in try lock.take(.exclusive) }) else {
      throw UpdateError.busy
    }
    defer { withExtendedLifetime(lock) {} }
    do {
      return try await updateLocked()
    } catch let error as FileError {
      throw UpdateError.disk("\(error)")
    } catch let error as DeltaError {
      throw UpdateError.malformed("\(error)")
    }
  }

  private func updateLocked() async throws -> Result {
    try change { _ in }
    try store.collect(allBut: [state.current, state.previous].compactMap { $0 })
    let updater = try await refreshed()
    let offers = try offers(updater)
    let withdrawn = offers.filter { $0.offer.status == .withdrawn }.map(\.name)
    try change { $0.forget(withdrawn) }
    let best = try await best(of: offers, updater)
    guard !staysUnlisted(offers, best) else { return .upToDate }
    guard let best else {
      guard state.current != nil else { return .upToDate }
      try change { $0.take(nil) }
      return .withdrawn
    }
    guard best.name != state.current else { return .upToDate }
    let fetched = try await install(best)
    try change { state in
      state.take(best.name)
      state.forget(withdrawn)
    }
    try store.removeDownloads()
    guard let version = version(best.name) else {
      throw UpdateError.disk("'\(store.place(best.name))' is gone")
    }
    return .updated(version, fetchedByteCount: fetched)
  }

  /// Whether the current version goes on although nothing is said of it any more: it was not withdrawn, and
  /// there is no later one.
  private func staysUnlisted(_ offers: [ListedOffer], _ best: Choice?) -> Bool {
    guard let name = state.current, let own = store.pack(name)?.version,
      !offers.contains(where: { $0.name == name })
    else { return false }
    return best.map { $0.pack.version < own } ?? true
  }

  // MARK: Steps

  /// A version that the metadata list.
  private struct ListedOffer {
    let offer: Offer
    let target: Target
    /// Of the version here.
    let name: String
  }

  /// A version that a device may take.
  private struct Choice {
    let name: String
    let pack: VersionPack
    let bytes: [UInt8]
  }

  private func change(_ body: (inout ClientState) throws -> Void) throws {
    state = try Self.change(store, body)
  }

  /// Changes the state as it is on disk, which another process may have changed.
  private static func change(
    _ store: VersionStore, _ body: (inout ClientState) throws -> Void
  ) throws -> ClientState {
    let lock = try onDisk { () throws(FileError) in try FileLock(path: store.stateLock) }
    defer { withExtendedLifetime(lock) {} }
    try onDisk { () throws(FileError) in try lock.wait(for: .exclusive) }
    let before = try ClientState(file: store.stateFile)
    var next = before
    try body(&next)
    if next != before { try next.write(to: store.stateFile) }
    return next
  }

  private static func onDisk<Value: ~Copyable>(
    _ body: () throws(FileError) -> Value
  ) throws(UpdateError) -> Value {
    do { return try body() } catch { throw .disk("\(error)") }
  }

  /// Metadata as they are now.
  private func refreshed() async throws -> MetadataUpdater {
    let folder = MetadataFolder(store.metadata)
    do {
      try bringRoot(to: folder)
      let now = UpdateTime(seconds: max(clock.now(), state.seen))
      var updater = try MetadataUpdater(
        source: RepositoryMetadata(downloader, configuration.appID), store: folder, now: now,
        appID: configuration.appID)
      try await updater.refresh()
      try change { $0.seen = now.seconds }
      return updater
    } catch let error as MetadataError {
      throw UpdateError.untrusted("\(error)")
    }
  }

  /// Begins from the root that the app brings along, where the client has none that holds, or an older one.
  private func bringRoot(to folder: MetadataFolder) throws {
    func version(_ bytes: [UInt8]) -> Int? {
      let root = try? TrustedMetadata(
        root: bytes, now: UpdateTime(seconds: 0), appID: configuration.appID
      ).root
      return root?.head.version
    }
    let own = try folder.read("root").flatMap(version) ?? 0
    if own == 0 || version(configuration.root) ?? 0 > own {
      try folder.write(configuration.root, "root")
    }
  }

  /// The versions that are listed; an offer that is not understood is as if it were not there.
  private func offers(_ updater: MetadataUpdater) throws -> [ListedOffer] {
    (updater.targets?.targets ?? [:]).compactMap { path, target in
      let version = RepositoryPath.version(ofPack: path, configuration.appID)
      guard let version, let custom = target.custom, let sha256 = target.facts.sha256,
        let offer = try? Offer(version: version, custom)
      else { return nil }
      return ListedOffer(
        offer: offer, target: target, name: VersionStore.name(version, pack: sha256))
    }
  }

  /// The highest version that the device may take and that did not fail here.
  private func best(
    of offers: [ListedOffer], _ updater: MetadataUpdater
  ) async throws -> Choice? {
    let usable = offers.filter { !state.refused.contains($0.name) }
    guard let offer = usable.map(\.offer).best(for: device),
      let listed = usable.first(where: { $0.offer == offer })
    else { return nil }
    let target = listed.target
    if let pack = store.pack(listed.name),
      (try? target.facts.check(pack.bytes, file: target.path)) != nil
    {
      return Choice(name: listed.name, pack: pack, bytes: pack.bytes)
    }
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
      return Choice(name: listed.name, pack: pack, bytes: bytes)
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
    let summary = try await Installer(downloader: downloader, store: store)
      .install(choice.pack, as: choice.name)
    try store.keep(choice.bytes, of: choice.name)
    try await runCheck(choice)
    return summary.fetchedByteCount
  }

  /// Checks that an app may end before their end, for whatever reason.
  private static let mostChecks = 2

  /// Has a version's models checked; one whose check fails, or ended the app twice, is not tried again.
  private func runCheck(_ choice: Choice) async throws {
    var count = 0
    try change { count = $0.beginCheck(choice.name) }
    var reason: String?
    if count > Self.mostChecks {
      reason = "its check ended the app \(Self.mostChecks) times"
    } else {
      do {
        try await check.check(store.place(choice.name))
      } catch let error as CancellationError {
        try change { $0.endCheck(choice.name, isRefused: false) }
        throw error
      } catch {
        reason = "\(error)"
      }
    }
    try change { $0.endCheck(choice.name, isRefused: reason != nil) }
    if let reason { throw UpdateError.unfit(version: "\(choice.pack.version)", reason: reason) }
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
