import Files

/// Parts of an archive, for those who do not need it on disk.
package enum PackageReader {
  /// Reads an archive's manifest. Nothing behind the manifest is read, so this proves nothing
  /// about the files it lists.
  ///
  /// - Throws: `PackagingError` when the start of the archive is not sound, `FileError` when it
  ///   cannot be read.
  package static func manifest(of archive: String) throws -> Manifest {
    try PackageVerifier.reading(archive) { _, reader in
      var check = EntryCheck(reader)
      return try check.manifest(origin: archive)
    }
  }

  /// Verifies an archive and hands over the bytes of its receipts, by path.
  ///
  /// - Throws: as `PackageVerifier.verify`.
  package static func receipts(
    of archive: String
  ) throws -> (package: VerifiedPackage, contents: [PackagePath: [UInt8]]) {
    try contents(of: archive) { $0.string.hasPrefix("receipts/") }
  }

  /// Verifies an archive and hands over the bytes of chosen files, by path; they are held in memory.
  ///
  /// - Parameter isWanted: asked once for every file, the manifest included.
  /// - Throws: as `PackageVerifier.verify`.
  package static func contents(
    of archive: String, where isWanted: (PackagePath) -> Bool
  ) throws -> (package: VerifiedPackage, contents: [PackagePath: [UInt8]]) {
    try withoutActuallyEscaping(isWanted) { isWanted in
      let shelf = Shelf(isWanted)
      let package = try PackageVerifier.verify(archive, sink: shelf)
      return (package, shelf.contents)
    }
  }

  /// Keeps the files that are wanted.
  private final class Shelf: EntrySink {
    private let isWanted: (PackagePath) -> Bool
    private var current: PackagePath?
    private(set) var contents: [PackagePath: [UInt8]] = [:]

    init(_ isWanted: @escaping (PackagePath) -> Bool) { self.isWanted = isWanted }

    func begin(_ path: PackagePath, size: Int) {
      current = isWanted(path) ? path : nil
      if let current { contents[current] = [] }
    }

    func take(_ piece: RawSpan) {
      guard let current else { return }
      unsafe piece.withUnsafeBytes { unsafe contents[current]?.append(contentsOf: $0) }
    }

    func end() {}
  }
}
