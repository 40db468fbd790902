import Files
import Packaging
import Weights

/// Gives packages their names, and keeps the books: the report, the index, and the list of digests.
struct Publication {
  private var index: ReleaseIndex
  private let folder: OutputFolder
  private let signer: ReleaseSigner?
  /// The project file, for messages.
  private let projectFile: String
  private let progress: (BuildEvent) -> Void
  /// The report on each package, by its number in the plan.
  private var published: [Int: BuildReport.Package] = [:]
  private var refused: [Int: BuildReport.Refusal] = [:]
  private var lines: [Int: ReleaseIndex.Entry] = [:]

  init(
    index: ReleaseIndex, folder: OutputFolder, signer: ReleaseSigner?, projectFile: String,
    progress: @escaping (BuildEvent) -> Void
  ) {
    self.index = index
    self.folder = folder
    self.signer = signer
    self.projectFile = projectFile
    self.progress = progress
  }

  /// Takes a package that is there, as the index says.
  mutating func reuse(_ package: PackageJob, _ entry: ReleaseIndex.Entry) {
    enter(package, entry, isReused: true)
  }

  /// Takes the outcome of a package that was packed.
  mutating func settle(
    _ package: PackageJob, _ outcome: PackageRun.Outcome, _ inputs: PackageInputs
  ) throws {
    switch outcome {
    case .failed(let error): throw error
    case .unplaceable(let error): refuse(package, .output, ["\(error)"])
    case .conflict(let differences): conflict(package, differences)
    case .same(let archive):
      if let built = builtOtherwise(package, archive) {
        return conflict(
          package,
          [
            "it has sha256 \(archive.sha256), the index says \(built): "
              + "it was changed after it was built"
          ])
      }
      if let fault = changed(package, archive) { return refuse(package, .output, [fault]) }
      try vouch(for: package, archive)
      enter(package, line(package, archive, inputs), isReused: true)
    case .packed(let archive):
      if let built = builtOtherwise(package, archive) {
        let entry = index.entry(package.app, package.details.version)
        return refuse(
          package, .conflict,
          [
            "version \(package.details.version) was built as '\(entry?.path ?? package.path)' with "
              + "sha256 \(built), and a version is never written twice; raise 'version' in "
              + projectFile
          ])
      }
      try name(package, archive)
      enter(package, line(package, archive, inputs), isReused: false)
    }
  }

  /// Notes that a customer gets no package.
  mutating func refuse(
    _ package: PackageJob, _ cause: BuildReport.Refusal.Cause, _ reasons: [String],
    downgrade: Downgrade? = nil
  ) {
    let path = folder.inside(package.path)
    if [.gate, .unusable].contains(cause), Folder.kind(of: path) != .missing {
      progress(.warning("\(path): is left from an earlier build; do not ship it"))
    }
    refused[package.index] = BuildReport.Refusal(
      customer: package.app, version: "\(package.details.version)", cause: cause, reasons: reasons,
      downgrade: downgrade)
    progress(.refusedCustomer(customer: package.app))
  }

  /// Writes the books: digests first, the index last.
  mutating func finish(
    _ packages: [PackageJob], _ models: [BuildReport.Model]
  ) throws -> BuildReport {
    var report = BuildReport()
    report.models = models
    report.packages = packages.compactMap { published[$0.index] }
    report.refused = packages.compactMap { refused[$0.index] }
    for package in packages {
      if let line = lines[package.index] { index.add(line) }
    }
    if report.packages.contains(where: { !$0.isReused }) { try folder.synchronize() }
    let listed = packages.filter { published[$0.index] != nil }.compactMap { lines[$0.index] }
    if !listed.isEmpty { index.recover() }
    try ReleaseSums.write(listed, of: index, signer, in: folder)
    try index.save(in: folder)
    return report
  }

  /// The digest of another archive that was built of this version, if one was.
  private func builtOtherwise(
    _ package: PackageJob, _ archive: PackedArchive
  ) -> ContentDigest? {
    index.digests(package.app, package.details.version).first { $0 != archive.sha256 }
  }

  private mutating func conflict(_ package: PackageJob, _ differences: [String]) {
    let path = folder.inside(package.path)
    refuse(
      package, .conflict,
      [
        "\(path): is there with other content, and a version is never written twice; "
          + "raise 'version' in \(projectFile)"
      ] + differences)
  }

  private func line(
    _ package: PackageJob, _ archive: PackedArchive, _ inputs: PackageInputs
  ) -> ReleaseIndex.Entry {
    ReleaseIndex.Entry(
      app: package.app, version: package.details.version, path: package.path,
      sha256: archive.sha256, byteCount: archive.byteCount, inputs: inputs.digest,
      terms: inputs.terms, models: inputs.models, signer: signer?.key,
      attestations: archive.attestations)
  }

  private mutating func enter(
    _ package: PackageJob, _ line: ReleaseIndex.Entry, isReused: Bool
  ) {
    lines[package.index] = line
    let path = folder.inside(package.path)
    published[package.index] = BuildReport.Package(
      customer: package.app, version: "\(package.details.version)", path: path,
      sha256: line.sha256.hex, bytes: line.byteCount, isReused: isReused)
    progress(.packaged(path: path, isReused: isReused))
  }

  /// Moves an archive, after its signature and provenance, from the work folder to its name.
  private func name(_ package: PackageJob, _ archive: PackedArchive) throws {
    let path = folder.inside(package.path)
    for suffix in ReleaseSigner.suffixes {
      if signer == nil {
        // It would prove an archive that is gone.
        try Folder.remove(path + suffix)
      } else {
        try Folder.move(archive.path + suffix, to: path + suffix)
      }
    }
    try Folder.move(archive.path, to: path)
  }

  /// Puts the signature and provenance of an archive beside it, unless they are there already.
  private func vouch(for package: PackageJob, _ archive: PackedArchive) throws {
    for suffix in archive.attestations.keys.sorted() {
      let bytes = try MappedFile.contents(of: archive.path + suffix, limit: .max)
      try folder.put(bytes, at: package.path + suffix)
    }
  }

  /// Says that the archive is not the one that was compared; nil if it is.
  private func changed(_ package: PackageJob, _ archive: PackedArchive) -> String? {
    let path = folder.inside(package.path)
    do throws(FileError) {
      let found = ContentDigest(of: try MappedFile(path: path))
      if found == archive.sha256 { return nil }
      return "\(path): has sha256 \(found), compared was \(archive.sha256): it was changed during "
        + "this build; look who else writes there, and build again"
    } catch {
      return "\(error)"
    }
  }
}
