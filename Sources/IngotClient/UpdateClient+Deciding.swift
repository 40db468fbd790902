import Files
import Offers
import PackageNames
import StrictJSON
import TUF

// What an update has to do.
extension UpdateClient {
  /// What is to be done.
  enum Decision {
    case stay
    /// Make files of the current version again.
    case repair(Choice)
    /// Leave the current version, whose files cannot be had again, for the one before it.
    case goBack
    /// Go back to what the app brought along.
    case leave
    /// Take a version; and the names of those that were withdrawn.
    case take(Choice, withdrawn: [String])
  }

  func decide() async throws -> Decision {
    try change { _ in }
    try store.collect(allBut: [state.current, state.previous].compactMap { $0 })
    let updater = try await refreshed()
    let offers = try offers(updater)
    // Nobody takes one that was withdrawn: it is the highest only where all were.
    let listed = offers.filter { $0.offer.status == .active }
    highest = (listed.isEmpty ? offers : listed).max { $0.offer.version < $1.offer.version }.map {
      HighestVersion($0.offer, for: device, isRefused: state.refused.contains($0.name))
    }
    let withdrawn = offers.filter { $0.offer.status == .withdrawn }.map(\.name)
    try change { $0.forget(withdrawn) }
    let best = try await best(of: offers, updater)
    if staysUnlisted(offers, best) { return isCurrentWhole ? .stay : .goBack }
    guard let best else { return state.current == nil ? .stay : .leave }
    guard best.name == state.current else { return .take(best, withdrawn: withdrawn) }
    return isCurrentWhole ? .stay : .repair(best)
  }

  private var isCurrentWhole: Bool { state.current.map(store.isWhole) ?? true }

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
  struct Choice {
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
    } catch MetadataError.expired(let file, let moment, let now) {
      let clock = UpdateTime(seconds: clock.now())
      // It was that late here once, at which metadata held: a clock behind it is not believed.
      let seen = clock < now ? "\(now) by what was seen here, and \(clock) by its clock" : "\(now)"
      throw UpdateError.expired(file: file, at: "\(moment)", now: seen)
    } catch MetadataError.noRepository {
      let path = "\(RepositoryPath.metadata(configuration.appID))/timestamp.json"
      throw UpdateError.noRepository(path: path)
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
