package import PackageNames
package import Packaging
import Signatures
package import Weights

/// An archive that the list of a release names.
package struct ListedArchive: Equatable, Sendable {
  /// The app's UUID.
  package let app: String
  package let version: SemanticVersion
  package let form: ArchiveForm
  package let sha256: ContentDigest

  /// Its path in the output folder.
  var path: String { "\(app)/\(app)-\(version)\(form.suffix)" }

  /// The archives of a list, by their paths; other files of an output folder are left out.
  static func all(of sums: SumsFile) -> [String: ListedArchive] {
    var all: [String: ListedArchive] = [:]
    for (path, digest) in sums.digests {
      guard let digest = ContentDigest(hex: digest) else { continue }
      all[path] = ListedArchive(path: path, sha256: digest)
    }
    return all
  }

  private init?(path: String, sha256: ContentDigest) {
    let parts = path.split(separator: "/").map(String.init)
    guard parts.count == 2, let (version, form) = Self.terms(ofName: parts[1], app: parts[0]),
      path == "\(parts[0])/\(parts[1])"
    else { return nil }
    app = parts[0]
    self.version = version
    self.form = form
    self.sha256 = sha256
  }

  /// The terms in an archive's name in its app's folder; nil if it is not such a name.
  package static func terms(
    ofName name: String, app: String
  ) -> (version: SemanticVersion, form: ArchiveForm)? {
    guard Identifiers.isAppID(app), name.hasPrefix(app + "-"),
      let form = ArchiveForm.allCases.first(where: { name.hasSuffix($0.suffix) }),
      let version = SemanticVersion(
        String(name.dropFirst(app.count + 1).dropLast(form.suffix.count)))
    else { return nil }
    return (version, form)
  }
}

extension ListedArchive {
  /// Whether a line is of this very archive.
  func isArchive(of line: ReleaseIndex.Entry) -> Bool {
    line.version == version && line.sha256 == sha256
  }
}

extension ReleaseIndex.Entry {
  /// The line of an archive about which nothing else is known.
  init(recovering archive: ListedArchive) {
    self.init(
      recovering: archive.sha256, app: archive.app, version: archive.version, path: archive.path)
  }

  /// The same without what it says beyond which archive it is of.
  var recovered: ReleaseIndex.Entry {
    ReleaseIndex.Entry(recovering: sha256, app: app, version: version, path: path)
  }

  /// The same with the signature and the provenance that are beside its archive.
  ///
  /// - Parameter attestations: their digests, by suffix.
  func attested(by attestations: [String: ContentDigest]) -> ReleaseIndex.Entry {
    ReleaseIndex.Entry(
      app: app, version: version, path: path, sha256: sha256, byteCount: byteCount,
      inputs: inputs, terms: terms, models: models, signer: signer, attestations: attestations)
  }

  private init(
    recovering sha256: ContentDigest, app: String, version: SemanticVersion, path: String
  ) {
    let nothing = ContentDigest(of: [])
    self.init(
      app: app, version: version, path: path, sha256: sha256, byteCount: 0, inputs: nothing,
      terms: nothing, models: [:], signer: nil, attestations: [:])
  }
}
