package import Signatures
import PackageNames
import Release

/// The newest package of each app that a list of digests names.
package struct NewestPackages {
  /// In the order of the apps.
  package let paths: [String]

  package init(of sums: SumsFile) {
    var newest: [String: (version: SemanticVersion, path: String)] = [:]
    for file in sums.files {
      let parts = file.path.split(separator: "/").map(String.init)
      guard parts.count == 2,
        let terms = ListedArchive.terms(ofName: parts[1], app: parts[0])
      else { continue }
      if let known = newest[parts[0]], known.version >= terms.version { continue }
      newest[parts[0]] = (terms.version, file.path)
    }
    paths = newest.sorted { $0.key < $1.key }.map(\.value.path)
  }
}
