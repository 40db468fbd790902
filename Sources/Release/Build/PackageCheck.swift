import Files
import Packaging
import Weights

/// What stands against writing a package, found by comparing with what is there.
struct PackageCheck {
  let index: ReleaseIndex
  let folder: OutputFolder
  /// The project file, for messages.
  let projectFile: String
  let signer: ReleaseSigner?

  /// The packages with the index's word on those that are there, whole, made from the very same
  /// inputs, and signed by the project's key where it has one.
  ///
  /// - Parameter inputs: what each package is made from, in their order.
  func entries(
    _ packages: [PackageJob], _ inputs: [PackageInputs?], jobs: Int
  ) -> [ReleaseIndex.Entry?] {
    zip(packages, inputs).map { package, inputs -> (String, ReleaseIndex.Entry)? in
      guard let inputs, let entry = index.entry(package.app, package.terms.version),
        entry.inputs == inputs.digest, entry.path == package.path,
        index.digests(package.app, package.terms.version).allSatisfy({ $0 == entry.sha256 })
      else { return nil }
      return (folder.inside(package.path), entry)
    }.parallelMap(jobs: jobs) { known in
      guard let (path, entry) = known, Folder.kind(of: path) == .file,
        !Folder.isLink(Folder.parent(of: path)), !isLinked(path),
        let file = try? MappedFile(path: path), file.byteCount == entry.byteCount,
        ContentDigest(of: file) == entry.sha256
      else { return nil }
      // The index is anyone's word; what this key signed is not signed again unseen.
      if let signer, !signer.hasVouched(for: entry, at: path) { return nil }
      return entry
    }
  }

  /// Whether an archive, or what vouches for it, is a link to a file that lies elsewhere.
  private func isLinked(_ path: String) -> Bool {
    ([""] + (signer == nil ? [] : ReleaseSigner.suffixes)).contains { Folder.isLink(path + $0) }
  }

  /// Why a package would be a second one of its version, in another form, if it would.
  ///
  /// - Throws: `FileError` where nobody can tell what lies there.
  func otherForm(_ package: PackageJob) throws(FileError) -> String? {
    let other = try archives(of: package.app).first {
      $0.version == package.terms.version && $0.form != package.form
    }
    guard let other else { return nil }
    let path = folder.inside("\(package.app)/\(package.app)-\(other.version)\(other.form.suffix)")
    return "version \(other.version) is there as \(path), and a version is never written twice; "
      + "raise 'version' in \(projectFile)"
  }

  /// The archives that lie in an app's folder, by their names.
  private func archives(
    of app: String
  ) throws(FileError) -> [(version: SemanticVersion, form: ArchiveForm)] {
    let path = folder.inside(app)
    // What else lies where the folder belongs is told when a package is put there.
    guard Folder.kind(of: path) == .folder, !Folder.isLink(path) else { return [] }
    return try Folder.names(in: path).compactMap { ListedArchive.terms(ofName: $0, app: app) }
  }

  /// Why a package would be a step back, if it would; archives count that the index has lost.
  ///
  /// - Throws: `FileError` where nobody can tell what lies there.
  func downgrade(_ package: PackageJob) throws(FileError) -> String? {
    let version = package.terms.version
    let lying = try archives(of: package.app).map(\.version)
    guard let newest = (lying + [index.newest(of: package.app)].compactMap { $0 }).max(),
      version < newest, index.digests(package.app, version).isEmpty, !lying.contains(version)
    else { return nil }
    return "version \(version) is older than \(newest), which the app has; raise 'version' in "
      + "\(projectFile), or say --allow-downgrade"
  }
}
