import Deltas
import Files
import Offers
import PackageNames
import Packaging
package import TUF
import Weights

/// Offers packages to the devices of their customers.
package struct PackagePublisher: Sendable {
  private let repository: String
  private let keys: KeyFolder
  private let now: UpdateTime
  /// Nil for a dry run.
  private let use: RepositoryUse?
  private let scratch: ScratchFolder
  private let blobs: BlobFolder
  private let layout: ImageLayout?
  private let jobs: Int
  private let isDry: Bool

  /// Days for which metadata of targets, and timestamps, have to go on to hold so as not to be signed anew where
  /// they say the same.
  private static let (targetsDays, onlineDays) = (60, 7)

  /// - Parameters:
  ///   - repository: the folder of all customers; made if it is not there.
  ///   - layout: the folder of an image layout that gets the files, too; nil for none.
  ///   - jobs: threads to publish and to compress on.
  ///   - isDry: whether nothing of the repository and the layout is changed.
  package init(
    _ repository: String, _ keys: KeyFolder, layout: String? = nil, now: UpdateTime, jobs: Int,
    isDry: Bool = false
  ) throws {
    (self.repository, self.keys, self.now) = (repository, keys, now)
    (self.jobs, self.isDry) = (jobs, isDry)
    if !isDry { try Folder.create(repository) }
    use = isDry ? nil : try RepositoryUse(repository)
    scratch = try ScratchFolder(in: isDry ? SpilledFile.folder : repository)
    blobs = try BlobFolder(
      repository, output: isDry ? scratch.path : nil, workers: jobs)
    self.layout = isDry ? nil : try layout.map { try ImageLayout($0) }
  }

  /// Offers packages to a share of devices.
  ///
  /// One that is offered already is offered to that share from now on; to a smaller one only where that is
  /// meant, since devices beyond it go back. Without a share it keeps its own, and a new one goes to all.
  ///
  /// - Parameters:
  ///   - archives: of packages; each that is not known is verified.
  ///   - permyriad: devices in ten thousand; nil for those of before.
  ///   - narrows: whether the share may be smaller than before.
  ///   - progress: told when a customer is done, on any thread.
  /// - Returns: what was done, and what kept packages from being offered: one does not keep it from the others.
  package func publish(
    _ archives: [Archive], permyriad: Int? = nil, narrows: Bool = false,
    progress: @Sendable () -> Void = {}
  ) -> Report {
    defer { withExtendedLifetime(use) {} }
    let apps = Workers.map(archives.count, jobs: jobs) { place in
      Result { try archives[place].app ?? PackageReader.manifest(of: archives[place].path).app.id }
    }
    // Packages of one app one after the other, customers side by side.
    var (places, order, report): ([String: [Int]], [String], Report) = ([:], [], Report())
    for (place, app) in apps.enumerated() {
      switch app {
      case .success(let app):
        if places[app] == nil { order.append(app) }
        places[app, default: []].append(place)
      case .failure(let error): report.refusals.append(Refusal(appID: nil, error: error))
      }
    }
    let groups = order.map { places[$0] ?? [] }
    let results = Workers.map(groups.count, jobs: jobs) { group in
      defer { progress() }
      return publish(
        groups[group].map { archives[$0] }, ofAppAt: group, permyriad, narrows: narrows)
    }
    for (place, result) in zip(groups.joined(), results.joined()).sorted(by: { $0.0 < $1.0 }) {
      switch result {
      case .success(let outcome): report.outcomes.append(outcome)
      case .failure(let error):
        report.refusals.append(Refusal(appID: try? apps[place].get(), error: error))
      }
    }
    do { try layout?.commit() } catch {
      report.refusals.append(Refusal(appID: nil, error: error))
    }
    return report
  }

  /// Offers packages of one app.
  ///
  /// - Parameter number: of the app, among those of the run.
  private func publish(
    _ archives: [Archive], ofAppAt number: Int, _ permyriad: Int?, narrows: Bool
  ) -> [Result<Outcome, any Error>] {
    // A dry run changes nothing, and remembers what it would have.
    var dryEntries: [CustomerRepository.Entry]?
    let place = Folder.join(scratch.path, "package-\(number)")
    return archives.map { archive in
      Result { try publish(archive, in: place, permyriad, narrows: narrows, &dryEntries) }
    }
  }

  private func publish(
    _ archive: Archive, in place: String, _ share: Int?, narrows: Bool,
    _ dryEntries: inout [CustomerRepository.Entry]?
  ) throws -> Outcome {
    let manifest = try PackageReader.manifest(of: archive.path)
    let customer = CustomerRepository(repository, appID: manifest.app.id)
    let state = try begin(customer)
    let entries = dryEntries ?? state?.entries ?? []
    let publisher = VersionPublisher(
      repository, output: isDry ? scratch.path : nil, blobs, appID: manifest.app.id)
    let earlier = entries.first { $0.offer.version == manifest.version }
    if earlier?.offer.status == .withdrawn {
      throw PublishError.withdrawn(appID: manifest.app.id, version: "\(manifest.version)")
    }
    let permyriad = share ?? earlier?.offer.rollout.permyriad ?? Rollout.whole
    if let before = earlier?.offer.rollout.permyriad, permyriad < before, !narrows {
      throw PublishError.narrower(
        appID: manifest.app.id, version: "\(manifest.version)", from: before, to: permyriad)
    }
    let entry = try entry(archive, manifest, in: place, permyriad, earlier, entries, publisher)
    let others = entries.filter { $0.offer.version != manifest.version }
    let offered = OfferedVersions(others + [entry]).kept
    dryEntries = isDry ? offered : nil
    if !isDry, let state { try offer(offered, customer, state) }
    return try outcome(of: entry, earlier, others, publisher, rootExpires: state?.rootExpires)
  }

  /// What the repository says of a customer, whose keys are at hand; nil where a dry run would make it.
  private func begin(_ customer: CustomerRepository) throws -> CustomerRepository.State? {
    if let state = try customer.read() {
      try customer.check(try keys.keys(of: customer.appID, for: state).keys, state)
      return state
    }
    let keys = try keys.keys(of: customer.appID)
    try customer.check(keys, nil)
    guard !isDry else { return nil }
    _ = try customer.begin(keys, now: now)
    return try customer.required()
  }

  /// What is said of a package, once its files are in the repository.
  private func entry(
    _ archive: Archive, _ manifest: Manifest, in place: String, _ permyriad: Int,
    _ earlier: CustomerRepository.Entry?, _ entries: [CustomerRepository.Entry],
    _ publisher: VersionPublisher
  ) throws -> CustomerRepository.Entry {
    let digest = FileIdentity(of: try MappedFile(path: archive.path)).hex
    if let listed = archive.sha256, listed != digest {
      throw PublishError.otherThanListed(archive: archive.path, found: digest, listed: listed)
    }
    let image = layout.map { _ in ImageManifest(manifest) }
    // The very archive of a pack whose blobs are there was verified when that was written.
    if let earlier, let known = try? publisher.pack(earlier), try publisher.isThere(known),
      try image.map({ try layout?.has(layersOf: $0) ?? true }) ?? true,
      known.archive == digest
    {
      if let image { try layout?.add(image, tag: ImageManifest.tag(of: manifest)) }
      return CustomerRepository.Entry(offer(of: manifest, permyriad: permyriad), earlier.pack)
    }
    let files = try PackageFiles(archive.path, manifest, in: place) { file in
      try !blobs.has(file) || layout.map { try !$0.has(file) } ?? false
    }
    guard files.package.sha256.hex == digest else {
      throw PublishError.otherThanListed(
        archive: archive.path, found: files.package.sha256.hex, listed: digest)
    }
    let sources = files.sources
    let pack = try publisher.write(
      manifest.version, sources, archive: files.package.sha256.hex, earlier: entries)
    if let earlier, try !publisher.isSame(pack, earlier) {
      throw PublishError.published(appID: manifest.app.id, version: "\(manifest.version)")
    }
    if let layout {
      for source in sources { try layout.write(source.identity, source.open) }
      try layout.add(
        ImageManifest(files.package.manifest),
        tag: ImageManifest.tag(of: files.package.manifest))
    }
    // A pack is kept as long as its blobs are there: devices know a version by it.
    let kept = try earlier.flatMap { earlier in
      try publisher.isThere(publisher.pack(earlier)) ? earlier.pack : nil
    }
    return CustomerRepository.Entry(
      offer(of: files.package.manifest, permyriad: permyriad), kept ?? pack)
  }

  /// Signs what is offered, unless that is said already, and for long enough.
  private func offer(
    _ entries: [CustomerRepository.Entry], _ customer: CustomerRepository,
    _ state: CustomerRepository.State
  ) throws {
    func holds(_ expiry: UpdateTime?, _ days: Int) -> Bool {
      expiry.map { $0 >= now.adding(days: days) } ?? false
    }
    let isSaid = entries == state.entries && holds(state.targetsExpire, Self.targetsDays)
    if isSaid && holds(state.onlineExpires, Self.onlineDays) { return }
    if isSaid {
      try customer.refresh(try keys.online(of: customer.appID, for: state).key, now: now)
    } else {
      try customer.publish(
        entries, insteadOf: state.entries, try keys.keys(of: customer.appID, for: state).keys,
        now: now)
    }
  }

  private func offer(of manifest: Manifest, permyriad: Int) -> Offer {
    Offer(
      version: manifest.version, bundleIdentifiers: manifest.app.bundleIdentifiers,
      minSDK: manifest.compatibility.minimum, belowSDK: manifest.compatibility.below,
      rollout: Rollout(salt: "\(manifest.app.id):\(manifest.version)", permyriad: permyriad))
  }

  private func outcome(
    of entry: CustomerRepository.Entry, _ earlier: CustomerRepository.Entry?,
    _ others: [CustomerRepository.Entry], _ publisher: VersionPublisher, rootExpires: UpdateTime?
  ) throws -> Outcome {
    let pack = try publisher.pack(entry)
    let before = others.last { $0.offer.version < entry.offer.version }
    let better = others.last {
      $0.offer.version > entry.offer.version && $0.offer.serves(allOf: entry.offer)
    }
    return Outcome(
      appID: pack.appID, version: pack.version, permyriad: entry.offer.rollout.permyriad,
      permyriadBefore: earlier?.offer.rollout.permyriad,
      installedByteCount: pack.installedByteCount,
      wholeByteCount: pack.fetchedByteCount(having: []),
      updateByteCount: try before.map { entry in
        pack.fetchedByteCount(having: Set(try publisher.pack(entry).files.map(\.content.sha256)))
      }, before: before?.offer.version, outdoneBy: better?.offer.version,
      tag: layout.map { _ in "\(pack.appID)-\(pack.version)" }, rootExpires: rootExpires)
  }
}
