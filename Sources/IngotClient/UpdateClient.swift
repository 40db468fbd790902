import Deltas
import Files
import Offers
import PackageNames

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

  let configuration: Configuration
  let device: Device
  let store: VersionStore
  let downloader: Downloader
  let clock: UpdateClock
  let check: any ModelCheck
  let space: FreeSpace
  private(set) var state: ClientState
  /// The highest version that the repository had when it was asked last; nil before that, and where it has none.
  public internal(set) var highest: HighestVersion?
  /// The version on trial that was left when the client was made, as the app that used it is gone; nil without.
  public nonisolated let abandoned: Version?
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
    clock: UpdateClock = .system, space: FreeSpace = .system
  ) throws {
    guard let sdk = SemanticVersion(configuration.sdkVersion) else {
      throw UpdateError.malformed("'\(configuration.sdkVersion)' is not a version")
    }
    self.configuration = configuration
    self.clock = clock
    self.check = check
    self.space = space
    device = Device(
      bundleIdentifier: configuration.bundleIdentifier, sdk: sdk,
      installID: configuration.installID)
    let store = try Self.onDisk { () throws(FileError) in
      try VersionStore(configuration.folder)
    }
    self.store = store
    downloader = Downloader(transport: transport, clock: clock, folder: store.downloads)
    (state, abandoned) = try Self.begin(store)
  }

  /// The state that a client begins with, and the version whose trial ended with its app.
  ///
  /// Where nothing can be written, the disk being full, it is decided all the same: an app runs a version that
  /// works, and the next one decides again.
  private static func begin(_ store: VersionStore) throws -> (ClientState, Version?) {
    var abandoned: Version?
    func decide(_ state: inout ClientState) {
      if state.trial?.isStarted == true, TrialMark.isAbandoned(store.trialLock) {
        abandoned = state.current.flatMap { Self.version($0, store, isOnTrial: true) }
        state.goBack()
        state.leave { !store.isWhole($0) }
      }
      // One that somebody removed may come again.
      state.leave { store.pack($0) == nil }
    }
    do {
      return (try change(store, decide), abandoned)
    } catch UpdateError.disk {
      var state = try ClientState(file: store.stateFile)
      decide(&state)
      return (state, abandoned)
    }
  }

  /// The version that is current; nil for what the app brought along.
  public var current: Version? { version(state.current) }

  func version(_ name: String?) -> Version? {
    guard let name else { return nil }
    return Self.version(name, store, isOnTrial: name == state.current && state.trial != nil)
  }

  private static func version(_ name: String, _ store: VersionStore, isOnTrial: Bool) -> Version? {
    store.pack(name).map { pack in
      Version(
        version: "\(pack.version)", folder: store.place(name), isOnTrial: isOnTrial, name: name)
    }
  }

  /// The version to run from now on; nil for what the app brought along.
  ///
  /// Call it before a version is loaded. One on trial is confirmed later, by `confirmHealthy(_:)`. Where its trial
  /// cannot be written down, the disk being full, it is not tried, and the version before it is the one to run.
  public func start() throws -> Version? {
    guard state.trial != nil else { return current }
    do {
      let mark = try Self.onDisk { () throws(FileError) in try TrialMark(store.trialLock) }
      try change { $0.trial = $0.trial.map { _ in ClientState.Trial(isStarted: true) } }
      trial = state.trial == nil ? nil : mark
    } catch UpdateError.disk {
      state.leave()
    }
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
  ///
  /// - Returns: the version that was left; nil where what the app brought along was in use already.
  @discardableResult
  public func rollBack() throws -> Version? {
    var left: Version?
    try change { state in
      left = version(state.current)
      if state.current != nil { state.goBack() }
      state.leave { !store.isWhole($0) }
    }
    trial = nil
    return left
  }

  /// Files of a version that are missing, or not what its signed pack says; by their paths inside it.
  ///
  /// It reads every byte of the version.
  ///
  /// - Returns: the name of the pack where that is missing.
  public func damagedFiles(of version: Version) -> [String] {
    store.pack(version.name).map { store.damagedFiles(version.name, $0) } ?? [
      "\(version.name).pack"
    ]
  }

  /// Looks for the version that is to be used, downloads it, and makes it current if it holds.
  ///
  /// The app goes on with the version that it loaded until it calls `start()` again. Versions but the current
  /// one and the one before it are removed at the next update.
  ///
  /// A current version whose files were lost or damaged is made whole again.
  ///
  /// - Parameter progress: told how far it is, from any thread.
  /// - Throws: `UpdateError`, and `CancellationError`; the current version stays what it was.
  public func update(
    progress: @escaping @Sendable (UpdateStep) -> Void = { _ in }
  ) async throws -> Result {
    try await alone { client in try await client.updateLocked(progress) }
  }

  /// Looks for the version that is to be used, and downloads nothing but metadata.
  ///
  /// - Throws: as `update()`.
  public func availability() async throws -> Availability {
    try await alone { client in try await client.availabilityLocked() }
  }

  /// Does something while no other process updates.
  private func alone<Value: Sendable>(
    _ body: (isolated UpdateClient) async throws -> Value
  ) async throws -> Value {
    // Held until the end of the update.
    let lock = try Self.onDisk { () throws(FileError) in try FileLock(path: store.updateLock) }
    guard try Self.onDisk({ () throws(FileError) in try lock.take(.exclusive) }) else {
      throw UpdateError.busy
    }
    defer { withExtendedLifetime(lock) {} }
    do {
      return try await body(self)
    } catch let error as FileError {
      throw UpdateError.disk("\(error)")
    } catch let error as DeltaError {
      throw UpdateError.malformed("\(error)")
    }
  }

  // MARK: State

  func change(_ body: (inout ClientState) throws -> Void) throws {
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
}

/// What shows that the models of a version work on this device.
public protocol ModelCheck: Sendable {
  /// Loads every model below a folder, and runs its self-test vectors.
  ///
  /// - Throws: what is wrong with one, in its `description`.
  func check(_ folder: String) async throws
}

/// Shows others that an app which uses a version on trial is alive.
private final class TrialMark: Sendable {
  private let lock: FileLock

  /// Marks this process, until the value goes away or the process ends.
  init(_ path: String) throws(FileError) {
    lock = try FileLock(path: path)
    // Nobody holds it alone but for a moment.
    try lock.wait(for: .shared)
  }

  /// Whether no process that used the version on trial is alive, or none can be asked.
  static func isAbandoned(_ path: String) -> Bool {
    do { return try FileLock(path: path).take(.exclusive) } catch { return true }
  }
}
