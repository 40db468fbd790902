import Files
import Gate
import Packaging
package import Weights

extension ProvenanceStatement {
  /// Puts a statement together from an archive, which is verified on the way.
  ///
  /// - Throws: as `PackageVerifier.verify`.
  package init(archive path: String, project: ContentDigest) throws {
    let (package, contents) = try PackageReader.receipts(of: path)
    var receipts: [PackagePath: RecordedReceipt] = [:]
    for (entry, bytes) in contents {
      receipts[entry] = try RecordedReceipt(bytes, origin: "\(path): \(entry)")
    }
    self.init(
      Archive(
        name: Folder.name(of: path), sha256: package.sha256, tarSHA256: package.tarSHA256),
      package.manifest, receipts: receipts, project: project)
  }
}
