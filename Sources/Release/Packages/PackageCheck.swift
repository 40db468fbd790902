package import Files
import PackageNames
import Packaging
import Weights

/// Reasons not to write a package, found by comparing with the output folder.
struct PackageCheck {
  let index: ReleaseIndex
  let folder: OutputFolder
  /// The project file, for messages.
  let projectFile: String
  let signer: ReleaseSigner?

  /// The packages with the index's word on those that are there, whole, made from the very same
  /// inputs, and signed by the project's key where it has one.
  ///
  /// - Parameter inputs: the inputs of each package, in their order.
  func entries(
    _ packages: [PackageJob], _ inputs: [PackageInputs?], jobs: Int
  ) -> [ReleaseIndex.Entry?] {
    let listed = zip(packages, inputs).map { package, inputs -> (String, ReleaseIndex.Entry)? in
      guard let inputs, let entry = index.entry(package.app, package.details.version),
        entry.inputs == inputs.digest, entry.path == package.path,
        index.digests(package.app, package.details.version).allSatisfy({ $0 == entry.sha256 })
      else { return nil }
      return (folder.inside(package.path), entry)
    }
    return Workers.map(listed.count, jobs: jobs) { place -> ReleaseIndex.Entry? in
      guard let (path, entry) = listed[place], Folder.kind(of: path) == .file,
        !Folder.isLink(Folder.parent(of: path)), !isLinked(path),
        let file = try? MappedFile(path: path), file.byteCount == entry.byteCount,
        ContentDigest(of: file) == entry.sha256
      else { return nil }
      // Anyone may have written the index; what this key signed is not signed again unseen.
      guard let signer else { return entry }
      guard entry.signer == signer.key, let found = ReleaseSigner.attestations(beside: path) else {
        return nil
      }
      if index.confirms(entry), found == entry.attestations { return entry }
      // What the next list confirms is what was looked at here.
      return signer.hasVouched(for: entry, at: path) ? entry.attested(by: found) : nil
    }
  }

  /// Whether an archive, its signature or its provenance is a link to a file elsewhere.
  private func isLinked(_ path: String) -> Bool {
    ([""] + (signer == nil ? [] : ReleaseSigner.suffixes)).contains { Folder.isLink(path + $0) }
  }

  /// The reason if a package would be a second one of its version, in another form.
  ///
  /// - Throws: `FileError` when the files there cannot be listed.
  func otherForm(_ package: PackageJob) throws(FileError) -> String? {
    let other = try archives(of: package.app).first {
      $0.version == package.details.version && $0.form != package.form
    }
    guard let other else { return nil }
    let path = folder.inside("\(package.app)/\(package.app)-\(other.version)\(other.form.suffix)")
    return "version \(other.version) is there as \(path), and a version is never written twice; "
      + "raise 'version' in \(projectFile)"
  }

  /// The archives in an app's folder, by their names.
  private func archives(
    of app: String
  ) throws(FileError) -> [(version: SemanticVersion, form: ArchiveForm)] {
    let path = folder.inside(app)
    // Anything else in the folder's place is reported when a package is put there.
    guard Folder.kind(of: path) == .folder, !Folder.isLink(path) else { return [] }
    return try Folder.names(in: path).compactMap { ListedArchive.terms(ofName: $0, app: app) }
  }

  /// The reason if a package would be a step back; archives count that the index has lost.
  ///
  /// - Throws: `FileError` when the files there cannot be listed.
  func downgrade(_ package: PackageJob) throws(FileError) -> Downgrade? {
    let version = package.details.version
    let lying = try archives(of: package.app).map(\.version)
    guard let newest = (lying + [index.newest(of: package.app)].compactMap { $0 }).max(),
      version < newest, index.digests(package.app, version).isEmpty, !lying.contains(version)
    else { return nil }
    return Downgrade(
      version: "\(version)", newest: "\(newest)", projectFile: projectFile)
  }
}

/// A package that would be a step back for its app.
package struct Downgrade: Equatable, Sendable, NamesOptions {
  package let version: String
  /// The newest version that the app has.
  package let newest: String
  /// The file that says the version.
  let projectFile: String

  package func words(_ name: UserOption.Names) -> String {
    "version \(version) is older than \(newest), which the app has; raise 'version' in "
      + projectFile + (name(.allowDowngrade).map { ", or say \($0)" } ?? "")
  }
}
