package import PackageNames

/// Where things of a repository are, from the folder or the address that all customers share.
package enum RepositoryPath {
  /// Parts of models, for all customers, whose names are their digests.
  package static let blobs = "blobs"

  /// The folder of a customer's metadata.
  package static func metadata(_ appID: String) -> String { "apps/\(appID)/metadata" }

  /// The folder of a customer's targets.
  package static func targets(_ appID: String) -> String { "apps/\(appID)/targets" }

  /// The target that lists the files of a version.
  package static func pack(_ appID: String, _ version: SemanticVersion) -> String {
    "\(appID)/\(version).pack"
  }

  /// The version that a target's path names; nil if it is not a pack of the app.
  package static func version(ofPack path: String, _ appID: String) -> SemanticVersion? {
    guard path.hasPrefix("\(appID)/"), path.hasSuffix(".pack"),
      let version = SemanticVersion(String(path.dropFirst(appID.count + 1).dropLast(5))),
      canOffer(version)
    else { return nil }
    return version
  }

  /// Whether a version can be offered: build metadata do not order versions.
  package static func canOffer(_ version: SemanticVersion) -> Bool {
    !"\(version)".contains("+")
  }

  /// A file as a delta of nothing.
  ///
  /// - Parameter sha256: of the file that it makes, in hexadecimal.
  package static func whole(_ sha256: String) -> String { "\(blobs)/\(sha256.prefix(32)).whole" }

  /// A file as a delta of an older one; both SHA-256 in hexadecimal.
  package static func delta(_ sha256: String, from old: String) -> String {
    "\(blobs)/\(sha256.prefix(32))-\(old.prefix(32)).delta"
  }
}
