import Files
import Offers
import PackageNames
import StrictJSON
import TUF

// How an update is made.
extension UpdateClient {
  func updateLocked() async throws -> Result {
    switch try await decide() {
    case .stay:
      try store.removeDownloads()
      return .upToDate
    case .leave:
      try change { $0.take(nil) }
      return .withdrawn
    case .take(let best, let withdrawn):
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
  }

  func availabilityLocked() async throws -> Availability {
    switch try await decide() {
    case .stay: .upToDate
    case .leave: .withdrawn
    case .take(let best, _):
      .available(
        version: "\(best.pack.version)",
        byteCount: Installer(downloader: downloader, store: store).byteCount(of: best.pack))
    }
  }

  /// What is to be done.
  private enum Decision {
    case stay
    /// Go back to what the app brought along.
    case leave
    /// Take a version; and the names of those that were withdrawn.
    case take(Choice, withdrawn: [String])
  }

  private func decide() async throws -> Decision {
    try change { _ in }
    try store.collect(allBut: [state.current, state.previous].compactMap { $0 })
    let updater = try await refreshed()
    let offers = try offers(updater)
    let withdrawn = offers.filter { $0.offer.status == .withdrawn }.map(\.name)
    try change { $0.forget(withdrawn) }
    let best = try await best(of: offers, updater)
    guard !staysUnlisted(offers, best) else { return .stay }
    guard let best else { return state.current == nil ? .stay : .leave }
    return best.name == state.current ? .stay : .take(best, withdrawn: withdrawn)
  }

  /// Whether the current version goes on although nothing is said of it any more: it was not withdrawn, and
  /// nothing later is offered.
  private func staysUnlisted(_ offers: [ListedOffer], _ best: Choice?) -> Bool {
    guard let name = state.current, let own = store.pack(name)?.version,
      !offers.contains(where: { $0.name == name })
    else { return false }
    return best.map { $0.pack.version < own } ?? true
  }

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
