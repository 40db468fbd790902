import Files
import Gate
import Packaging
import Signatures
import Weights

/// Packs what is to be packed, several customers at once, into the work folder; nothing there is
/// durable yet.
struct PackageRun: Sendable {
  /// A package with the models that it holds.
  struct Order: Sendable {
    let package: PackageJob
    let models: [PackagedModel]
    /// The models that the customer is due, from the customer list.
    let leaks: LeakCheck

    /// The receipts as they are packed, by their paths.
    func receipts() throws -> [PackagePath: RecordedReceipt] {
      var receipts: [PackagePath: RecordedReceipt] = [:]
      for model in models {
        let path = try model.identity.receiptPath()
        receipts[path] = try RecordedReceipt(model.receipt.packedBytes, origin: "\(path)")
      }
      return receipts
    }
  }

  /// The outcome of a package whose models all passed.
  enum Outcome: Sendable {
    /// It is in the work folder and waits for its name.
    case packed(PackedArchive)
    /// The same content is there already: the archive that is there, and its signature and
    /// provenance in the work folder.
    case same(PackedArchive)
    /// Other content of this version is there; the differences, the first cause first.
    case conflict(differences: [String])
    /// Nothing can be put where the archive belongs.
    case unplaceable(FileError)
    /// Something is wrong with the machine, or with Ingot.
    case failed(any Error)
  }

  let folder: OutputFolder
  let signer: ReleaseSigner?
  let jobs: Int

  /// Says whose a content is that leaked.
  let owner: @Sendable (ContentDigest) -> String?

  /// Packs packages.
  ///
  /// - Returns: an outcome for each, in their order.
  func pack(_ orders: [Order]) -> [Outcome] {
    // Threads that have no package of their own help with one.
    let inner = max(1, jobs / max(1, orders.count))
    return Workers.map(
      orders.count, jobs: jobs,
      with: { Result { try PackageWriter(workers: 1, jobs: inner) } }
    ) { writer, index in
      do {
        return try pack(orders[index], try writer.get(), jobs: inner)
      } catch {
        return .failed(error)
      }
    }
  }

  private func pack(_ order: Order, _ writer: PackageWriter, jobs: Int) throws -> Outcome {
    let package = order.package
    let final = folder.inside(package.path)
    do throws(FileError) {
      try OutputFolder.requireOwn(Folder.parent(of: final))
      try Folder.create(Folder.parent(of: final))
      try OutputFolder.requireFree(final, suffixes: signer == nil ? [] : ReleaseSigner.suffixes)
      try Folder.requireWritable(Folder.parent(of: final))
    } catch {
      // A file in the way concerns only this customer; a full disk concerns everyone.
      guard isTaken(final) else { throw error }
      return .unplaceable(error)
    }
    let path = folder.working("\(package.index)\(package.form.suffix)")
    let plan = try PackageContents(package.details, order.models, jobs: jobs)
    // The signature is of the very bytes that are written.
    var stream = SHA512Stream()
    let packed = try writer.write(plan, as: package.form, to: path, isDurable: false) {
      if signer != nil { stream.update($0) }
    }
    let digests = FileDigests(path: path, sha256: packed.sha256.hex, stream)
    try order.leaks.check(packed, owner: owner)
    guard Folder.kind(of: final) == .missing else {
      return try compare(packed, digests, final, order)
    }
    return .packed(
      PackedArchive(
        packed, at: path, attestations: try attest(for: packed, digests, of: order, at: path)))
  }

  /// Whether the path of an archive, its signature, its provenance or its folder is taken, or that
  /// folder is closed to us.
  private func isTaken(_ path: String) -> Bool {
    let folder = Folder.parent(of: path)
    if Folder.isLink(folder) { return true }
    guard Folder.kind(of: folder) == .folder else { return Folder.kind(of: folder) != .missing }
    if Folder.kind(of: path) != .missing || Folder.isLink(path) { return true }
    return (try? OutputFolder.requireFree(path, suffixes: ReleaseSigner.suffixes)) == nil
      || (try? Folder.requireWritable(folder)) == nil
  }

  /// Writes the signature and provenance of an archive into the work folder.
  ///
  /// - Parameters:
  ///   - digests: of the archive; nil to read it again.
  ///   - path: the path of the packed archive.
  /// - Returns: digests by suffix.
  private func attest(
    for archive: VerifiedPackage, _ digests: FileDigests?, of order: Order, at path: String
  ) throws -> [String: ContentDigest] {
    guard let signer else { return [:] }
    let attestations = try signer.attestations(
      for: archive, digests, named: Folder.name(of: order.package.path), try order.receipts())
    for attestation in attestations {
      var file = try OutputFile.create(at: path + attestation.suffix)
      try file.write(attestation.bytes)
      try file.finish(isDurable: false)
    }
    return Dictionary(attestations.map { ($0.suffix, $0.digest) }) { first, _ in first }
  }

  /// Compares the packed archive with the one under its name.
  private func compare(
    _ packed: VerifiedPackage, _ digests: FileDigests, _ final: String, _ order: Order
  ) throws -> Outcome {
    let found = ContentDigest(of: try MappedFile(path: final))
    if found == packed.sha256 { return try same(packed, digests, order, at: packed.path) }
    let old: VerifiedPackage
    do {
      old = try PackageVerifier.verify(final)
    } catch let error as PackagingError {
      return .conflict(
        differences: ["it is no sound package: \(error); remove it, and build again"])
    }
    guard old.sha256 == found else {
      return .conflict(differences: ["it changes while it is read; look who else writes there"])
    }
    // Only the library that compresses is another: the same content as before.
    if let tar = old.tarSHA256, tar == packed.tarSHA256 {
      return try same(old, nil, order, at: packed.path)
    }
    return .conflict(
      differences: PackageDifference(between: old.manifest, and: packed.manifest).causes
        .map(\.description))
  }

  /// Attests an archive that is there, with the receipts of the very same content.
  private func same(
    _ archive: VerifiedPackage, _ digests: FileDigests?, _ order: Order, at path: String
  ) throws -> Outcome {
    .same(
      PackedArchive(
        archive, at: path, attestations: try attest(for: archive, digests, of: order, at: path)))
  }
}

/// An archive, in the work folder or under its name.
struct PackedArchive: Sendable {
  /// Path of the packed archive; its signature and provenance are beside it.
  let path: String
  let sha256: ContentDigest
  let byteCount: Int
  /// Digests of its signature and provenance, by suffix.
  let attestations: [String: ContentDigest]

  init(_ package: VerifiedPackage, at path: String, attestations: [String: ContentDigest]) {
    self.attestations = attestations
    self.path = path
    sha256 = package.sha256
    byteCount = package.byteCount
  }
}
