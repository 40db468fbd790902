import Files

/// Unpacks archives, each file held to the manifest before anything gets its name.
package enum PackageExtractor {
  /// Verifies an archive as `PackageVerifier` does and writes its files, the manifest included, into
  /// a folder that appears whole or not at all.
  ///
  /// Only regular files are ever made, at paths that the grammar of packages allows, in a folder that
  /// was new: nothing that is there already is followed or replaced.
  ///
  /// - Parameters:
  ///   - folder: must not be there yet; the folder around it must.
  ///   - progress: told how many bytes of the files were unpacked, of how many.
  /// - Throws: `PackagingError` when the archive is not sound, `FileError` when it cannot be read or
  ///   the folder cannot be written; then nothing is left of it.
  package static func extract(
    _ archive: String, to folder: String,
    progress: @escaping (Int, Int) -> Void = { _, _ in }
  ) throws -> VerifiedPackage {
    let sink = FolderSink(try AtomicFolder(path: folder))
    let package = try PackageVerifier.verify(archive, sink: sink, progress: progress)
    try sink.commit()
    return package
  }
}

/// Writes files as they are verified.
private final class FolderSink: EntrySink {
  /// Nil once committed.
  private var folder: AtomicFolder?
  private var file: OutputFile?

  init(_ folder: consuming AtomicFolder) { self.folder = consume folder }

  func begin(_ path: PackagePath, size: Int) throws { file = try folder?.file(at: path.string) }

  func take(_ piece: RawSpan) throws { try file?.write(piece) }

  func end() throws { try file.take()?.finish() }

  func commit() throws { try folder.take()?.commit() }
}
