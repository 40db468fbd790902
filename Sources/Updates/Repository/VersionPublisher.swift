package import Deltas
package import Files
package import Offers
package import PackageNames
package import TUF

/// Puts the files of a version into a repository: its blobs, deltas of earlier versions, and its pack.
package struct VersionPublisher {
  /// A file of a version.
  package struct Source {
    /// Inside the package.
    package let path: String
    package let identity: FileIdentity
    /// Where its bytes are asked for, which most files of most customers are not.
    let open: () throws -> MappedFile

    package init(
      path: String, identity: FileIdentity, open: @escaping () throws -> MappedFile
    ) {
      (self.path, self.identity, self.open) = (path, identity, open)
    }

    package init(path: String, file: MappedFile) {
      self.init(path: path, identity: FileIdentity(of: file)) { file }
    }
  }

  /// Earlier versions that deltas are made of.
  static let earlierVersions = 3

  private let folder: String
  /// Where packs are written.
  private let output: String
  private let blobs: BlobFolder
  private let appID: String

  /// - Parameter output: where packs are written; nil for the repository.
  package init(
    _ repository: String, output: String? = nil, _ blobs: BlobFolder, appID: String
  ) {
    (folder, self.output) = (repository, output ?? repository)
    (self.blobs, self.appID) = (blobs, appID)
  }

  /// Writes what a version needs; the metadata do not name it yet.
  ///
  /// - Parameters:
  ///   - archive: the SHA-256 of the archive that they come from, in hexadecimal; nil without one.
  ///   - earlier: the versions of the repository.
  /// - Returns: the facts of its pack.
  package func write(
    _ version: SemanticVersion, _ sources: [Source], archive: String? = nil,
    earlier: [CustomerRepository.Entry]
  ) throws -> FileFacts {
    let before = earlier.map(\.offer.version).filter { $0 < version }.suffix(Self.earlierVersions)
    let packs = try earlier.filter { before.contains($0.offer.version) }.map(pack)
    let files = try sources.map { source in
      let whole = try blobs.whole(source.identity, source.open)
      return VersionPack.File(
        path: source.path,
        content: VersionPack.Blob(length: source.identity.length, sha256: source.identity.hex),
        whole: whole, deltas: try deltas(of: source, packs, whole))
    }
    let pack = VersionPack(appID: appID, version: version, archive: archive, files: files)
    let bytes = pack.bytes
    try check(bytes, version)
    let facts = FileFacts(of: bytes)
    let place = self.place(version, facts, in: output)
    try Folder.create(Folder.parent(of: place))
    try AtomicFile.write(bytes, to: place)
    return facts
  }

  /// Reads a pack as a client does.
  private func check(_ bytes: [UInt8], _ version: SemanticVersion) throws {
    func unusable(_ reason: String) -> PublishError {
      .unusable(appID: appID, version: "\(version)", reason: reason)
    }
    guard RepositoryPath.canOffer(version) else {
      throw PublishError.buildMetadata(appID: appID, version: "\(version)")
    }
    guard bytes.count <= VersionPack.byteLimit else {
      throw unusable("its pack has \(bytes.count) bytes, at most \(VersionPack.byteLimit) fit")
    }
    do { _ = try VersionPack(bytes, origin: "pack") } catch { throw unusable("\(error)") }
  }

  /// The pack of a version that the repository offers.
  package func pack(_ entry: CustomerRepository.Entry) throws -> VersionPack {
    let own = self.place(entry.offer.version, entry.pack, in: folder)
    let place =
      Folder.kind(of: own) == .file ? own : self.place(entry.offer.version, entry.pack, in: output)
    do {
      let bytes = try MappedFile.contents(of: place, limit: VersionPack.byteLimit)
      try entry.pack.check(bytes, file: place)
      return try VersionPack(bytes, origin: place)
    } catch {
      throw PublishError.lostPack(
        appID: appID, version: "\(entry.offer.version)", reason: "\(error)")
    }
  }

  /// Whether a pack has the same files as one that is offered; deltas may be others.
  package func isSame(
    _ pack: FileFacts, _ entry: CustomerRepository.Entry
  ) throws -> Bool {
    guard pack != entry.pack else { return true }
    let other = try self.pack(CustomerRepository.Entry(entry.offer, pack))
    return try self.pack(entry).files.elementsEqual(other.files) {
      ($0.path, $0.content) == ($1.path, $1.content)
    }
  }

  /// Whether all blobs of a pack are in the repository, with the bytes that it vouches for.
  package func isThere(_ pack: VersionPack) throws -> Bool {
    try pack.blobs.allSatisfy { try blobs.has($0.blob, at: $0.path) }
  }

  private func place(
    _ version: SemanticVersion, _ facts: FileFacts, in repository: String
  ) -> String {
    let name = "\(appID)/\(facts.sha256 ?? "").\(version).pack"
    return Folder.join(Folder.join(repository, RepositoryPath.targets(appID)), name)
  }

  private func deltas(
    of source: Source, _ packs: [VersionPack], _ whole: VersionPack.Blob
  ) throws -> [String: VersionPack.Blob] {
    var deltas: [String: VersionPack.Blob] = [:]
    for pack in packs {
      guard let old = pack.files.first(where: { $0.path == source.path })?.content,
        old.sha256 != source.identity.hex, deltas[old.sha256] == nil,
        let identity = FileIdentity(length: old.length, hex: old.sha256)
      else { continue }
      deltas[old.sha256] = try blobs.delta(
        source.identity, source.open, from: identity, whole: whole)
    }
    return deltas
  }
}
