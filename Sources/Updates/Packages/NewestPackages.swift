package import PackageNames
import Release
package import Signatures

/// The newest package of each app that a list of digests names, or that of one version.
package struct NewestPackages {
  /// A package in the folder of the list.
  package struct Package: Equatable, Sendable {
    package let app: String
    package let version: SemanticVersion
    /// From the folder.
    package let path: String
    /// As the list has it, in hexadecimal.
    package let sha256: String
  }

  /// In the order of the apps.
  package let packages: [Package]

  /// - Parameter version: the only one that counts; nil for the newest.
  package init(of sums: SumsFile, version: SemanticVersion? = nil) {
    var newest: [String: Package] = [:]
    for file in sums.files {
      let parts = file.path.split(separator: "/").map(String.init)
      guard parts.count == 2,
        let terms = ListedArchive.terms(ofName: parts[1], app: parts[0])
      else { continue }
      if let version, terms.version != version { continue }
      if let known = newest[parts[0]], known.version >= terms.version { continue }
      newest[parts[0]] = Package(
        app: parts[0], version: terms.version, path: file.path, sha256: file.sha256)
    }
    packages = newest.values.sorted { $0.app < $1.app }
  }
}
