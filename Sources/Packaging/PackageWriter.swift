package import Files
package import Weights

/// Writes packages: one ustar stream in one zstd frame.
package enum PackageWriter {
  /// Writes a package beside its final name, hashing every byte on the way, and reads it back.
  ///
  /// - Parameters:
  ///   - path: the final name; its folder must exist.
  ///   - workers: threads that compress; the bytes do not depend on it.
  /// - Throws: `PackagingError.changedModel` when a model's bytes are not those its receipt proves.
  package static func prepare(
    _ terms: PackageTerms, _ models: [PackagedModel], path: String, workers: Int
  ) throws -> PreparedPackage {
    let plan = try PackagePlan(terms, models)
    let manifest = plan.manifest.bytes
    var stream = try PackageStream(
      path: path, byteCount: plan.manifest.tarByteCount(manifestBytes: manifest.count),
      time: terms.time, workers: workers)
    try stream.add(try PackagePath(Manifest.entryName), bytes: manifest)
    for (entry, content) in zip(plan.manifest.files, plan.contents) {
      switch content {
      case .bytes(let bytes): try stream.add(entry.path, bytes: bytes)
      case .file(let path): try stream.add(entry, from: path)
      }
    }
    return try stream.finish(plan.manifest)
  }
}

/// A package that is complete, but not yet under its name; gone unless committed.
package struct PreparedPackage: ~Copyable {
  package let manifest: Manifest
  /// SHA-256 of the archive.
  package let sha256: ContentDigest
  /// SHA-256 of the tar stream inside, which does not depend on the version of libzstd.
  package let tarSHA256: ContentDigest
  /// Size of the archive.
  package let byteCount: Int
  private let file: AtomicFile

  init(
    manifest: Manifest, sha256: ContentDigest, tarSHA256: ContentDigest, file: consuming AtomicFile
  ) {
    self.manifest = manifest
    self.sha256 = sha256
    self.tarSHA256 = tarSHA256
    byteCount = file.byteCount
    self.file = file
  }

  /// Gives the package its name, replacing what was there.
  package consuming func commit() throws(FileError) { try file.commit() }
}
