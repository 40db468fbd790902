import Files
import StrictJSON
import Weights

/// Checks an archive against its own manifest, in memory and without trust.
///
/// Memory stays bounded whatever the archive: the manifest has a limit, as have a receipt and the
/// file that names a folder, of which one is held at a time; everything else is hashed as it streams
/// by. Nothing is written to disk.
package enum PackageVerifier {
  /// Verifies a whole archive.
  ///
  /// - Throws: `PackagingError` when it is not sound, `FileError` when it cannot be read.
  package static func verify(_ path: String) throws -> VerifiedPackage {
    let file = try MappedFile(path: path)
    do {
      return try verify(file)
    } catch let fault as ArchiveFault {
      throw PackagingError.unsound(archive: path, fault: fault)
    }
  }

  private static func verify(_ file: MappedFile) throws -> VerifiedPackage {
    let reader = try TarReader(file)
    let manifest = try readManifest(reader, path: file.path)
    var receipts = ReceiptCheck(manifest)
    var seen: Set<String> = [Manifest.entryName]
    for entry in manifest.files {
      try reader.beginEntry(entry, of: manifest, seen: &seen)
      if try receipts.needs(entry) {
        try receipts.take(try reader.readContent(of: entry), of: entry)
      } else {
        try reader.checkContent(of: entry)
      }
    }
    try reader.checkEnd(of: manifest, seen: seen)
    return VerifiedPackage(
      path: file.path, manifest: manifest, sha256: ContentDigest(of: file),
      tarSHA256: reader.digest, byteCount: file.byteCount)
  }

  private static func readManifest(
    _ reader: TarReader, path: String
  ) throws -> Manifest {
    guard let header = try reader.nextHeader() else { throw ArchiveFault.noEntry }
    guard header.path.string == Manifest.entryName else {
      throw ArchiveFault.manifestNotFirst(found: header.path.string)
    }
    guard (1...Manifest.sizeLimit) ~= header.size else {
      throw ArchiveFault.manifestSize(bytes: header.size, limit: Manifest.sizeLimit)
    }
    let bytes = try reader.readContent(of: header)
    let manifest = try Manifest(bytes, origin: "\(path): \(Manifest.entryName)")
    guard manifest.bytes == bytes else { throw ArchiveFault.manifestNotCanonical }
    try header.checkForm(time: manifest.build.time)
    return manifest
  }
}
