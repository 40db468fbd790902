package import Weights

/// Checks that an archive holds nothing but what its customer is due.
///
/// The due models come from elsewhere than the archive: from the customer list and the models made
/// for it. The digests compared are those of the bytes in the archive.
package struct LeakCheck: Sendable {
  private let app: String
  private let expected: [PackagePath: ContentDigest]

  /// - Parameters:
  ///   - app: the customer's app.
  ///   - expected: every file the customer may get, by its path in the archive; without the bill of
  ///     materials, which verification holds to the manifest.
  package init(app: AppDetails, expected: [PackagePath: ContentDigest]) {
    self.app = app.id
    self.expected = expected
  }

  /// Checks an archive.
  ///
  /// - Parameter owner: says whose a content is, for the message; asked only for a leak.
  /// - Throws: `PackagingError.otherApp` or `.leak`.
  package func check(
    _ package: VerifiedPackage, owner: (ContentDigest) -> String? = { _ in nil }
  ) throws(PackagingError) {
    guard package.manifest.app.id == app else {
      throw .otherApp(archive: package.path, found: package.manifest.app.id, expected: app)
    }
    for file in package.manifest.files where file.role != .sbom {
      // The digest that was read; verification has ensured one for every file.
      let digest = package.contents[file.path] ?? file.sha256
      guard digest != expected[file.path] else { continue }
      throw .leak(
        archive: package.path, path: file.path.string, digest: digest, owner: owner(digest))
    }
  }
}
