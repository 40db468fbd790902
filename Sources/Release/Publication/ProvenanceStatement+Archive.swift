import Files
import Gate
import Packaging
import Signatures
package import Weights

extension ProvenanceStatement {
  /// Puts a statement together from an archive, which is verified on the way.
  ///
  /// - Throws: as `PackageVerifier.verify`, and `SignatureError.changed`.
  package init(archive path: String, project: ContentDigest) throws {
    let (package, contents) = try PackageReader.receipts(of: path)
    var receipts: [PackagePath: RecordedReceipt] = [:]
    for (entry, bytes) in contents {
      receipts[entry] = try RecordedReceipt(bytes, origin: "\(path): \(entry)")
    }
    self.init(
      Archive(
        name: Folder.name(of: path), sha256: package.sha256,
        sha512: try Self.sha512(of: package), tarSHA256: package.tarSHA256),
      package.manifest, receipts: receipts, project: project)
  }

  private static func sha512(of package: VerifiedPackage) throws -> String {
    let digests = FileDigests(of: try MappedFile(path: package.path))
    guard digests.sha256 == package.sha256.hex else {
      throw SignatureError.changed(
        path: package.path, found: digests.sha256, expected: package.sha256.hex)
    }
    return digests.sha512
  }
}
