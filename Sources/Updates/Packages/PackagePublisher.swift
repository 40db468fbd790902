import Deltas
import Files
import Offers
package import PackageNames
import Packaging
package import TUF

/// Offers packages to the devices of their customers.
package struct PackagePublisher {
  /// What a run did, or would do, for one customer.
  package struct Outcome: Equatable, Sendable {
    package let appID: String
    package let version: SemanticVersion
    /// Whether it was not offered before.
    package let isNew: Bool
    package let permyriad: Int
    /// Bytes of its files, and of what a device fetches that has none; with the version before it the bytes of
    /// deltas and of files without one.
    package let installedByteCount: Int
    package let wholeByteCount: Int
    package let updateByteCount: Int?
    /// The version before it.
    package let before: SemanticVersion?
  }

  private let repository: String
  private let keys: KeyFolder
  private let now: UpdateTime
  private let scratch: ScratchFolder
  private let blobs: BlobFolder
  private let isDry: Bool

  /// - Parameters:
  ///   - repository: the folder of all customers; made if it is not there.
  ///   - workers: threads to compress on.
  ///   - isDry: whether nothing of the repository is changed.
  package init(
    _ repository: String, _ keys: KeyFolder, now: UpdateTime, workers: Int, isDry: Bool = false
  ) throws {
    (self.repository, self.keys, self.now, self.isDry) = (repository, keys, now, isDry)
    if !isDry { try Folder.create(repository) }
    scratch = try ScratchFolder(in: isDry ? SpilledFile.folder : repository)
    blobs = try BlobFolder(
      repository, output: isDry ? scratch.path : nil, workers: workers)
  }

  /// Offers a package to a share of devices.
  ///
  /// One that is offered already is offered to that share from now on.
  ///
  /// - Parameters:
  ///   - archive: of a package; it is verified.
  ///   - permyriad: devices in ten thousand.
  /// - Throws: `PackagingError` and `PublishError`.
  package func publish(_ archive: String, permyriad: Int) throws -> Outcome {
    let place = Folder.join(scratch.path, "package")
    let package = try PackageExtractor.extract(archive, to: place)
    defer { try? Folder.remove(place) }
    let manifest = package.manifest
    let customer = CustomerRepository(repository, appID: manifest.app.id)
    if !isDry { _ = try customer.begin(keys.keys(of: manifest.app.id), now: now) }
    let state = try customer.read()
    let entries = state?.entries ?? []
    let publisher = VersionPublisher(
      repository, output: isDry ? scratch.path : nil, blobs, appID: manifest.app.id)
    let pack = try publisher.write(
      manifest.version, try sources(package, in: place), earlier: entries)
    let earlier = entries.first { $0.offer.version == manifest.version }
    if earlier?.offer.status == .withdrawn {
      throw PublishError.withdrawn(appID: manifest.app.id, version: "\(manifest.version)")
    }
    if let earlier, try !publisher.isSame(pack, earlier) {
      throw PublishError.published(appID: manifest.app.id, version: "\(manifest.version)")
    }
    let entry = CustomerRepository.Entry(
      offer(of: manifest, permyriad: permyriad), earlier?.pack ?? pack)
    let others = entries.filter { $0.offer.version != manifest.version }
    if !isDry, let state {
      try customer.publish(
        OfferedVersions(others + [entry]).kept,
        try keys.keys(of: manifest.app.id, for: state).keys, now: now)
    }
    return try outcome(of: entry, others, publisher, isNew: earlier == nil)
  }

  private func offer(of manifest: Manifest, permyriad: Int) -> Offer {
    Offer(
      version: manifest.version, bundleIdentifiers: manifest.app.bundleIdentifiers,
      minSDK: manifest.compatibility.minimum, belowSDK: manifest.compatibility.below,
      rollout: Rollout(salt: "\(manifest.app.id):\(manifest.version)", permyriad: permyriad))
  }

  private func sources(
    _ package: VerifiedPackage, in folder: String
  ) throws -> [VersionPublisher.Source] {
    let names = [Manifest.entryName] + package.manifest.files.map(\.path.string)
    return try names.map { name in
      VersionPublisher.Source(
        path: name, file: try MappedFile(path: Folder.join(folder, name)))
    }
  }

  private func outcome(
    of entry: CustomerRepository.Entry, _ others: [CustomerRepository.Entry],
    _ publisher: VersionPublisher, isNew: Bool
  ) throws -> Outcome {
    let pack = try publisher.pack(entry)
    let before = others.last { $0.offer.version < entry.offer.version }
    return Outcome(
      appID: pack.appID, version: pack.version, isNew: isNew,
      permyriad: entry.offer.rollout.permyriad, installedByteCount: pack.installedByteCount,
      wholeByteCount: pack.fetchedByteCount(having: []),
      updateByteCount: try before.map { entry in
        pack.fetchedByteCount(having: Set(try publisher.pack(entry).files.map(\.content.sha256)))
      }, before: before?.offer.version)
  }
}

/// A folder for work in progress, removed with the value.
private final class ScratchFolder {
  let path: String

  init(in parent: String) throws(FileError) {
    path = try Folder.createTemporary(in: parent, prefix: ".ingot-")
  }

  deinit { try? Folder.remove(path) }
}
