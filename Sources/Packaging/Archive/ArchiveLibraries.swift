/// The libraries that shape the bytes of an archive around its content.
package enum ArchiveLibraries {
  /// Their versions at run time, by name.
  package static var versions: [String: String] {
    ["libarchive": TarWriter.libraryVersion, "libzstd": ZstdWriter.libraryVersion]
  }
}
