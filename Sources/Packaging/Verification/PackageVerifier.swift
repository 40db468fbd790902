import Files
import Weights

/// Checks an archive against its own manifest, in memory and without trust.
///
/// Memory stays bounded for any archive: the manifest has a limit, as have a receipt and the file
/// that names a folder, held one at a time; everything else is hashed as it streams by. Nothing is
/// written to disk. `verifyOpening` opens the models as well.
package enum PackageVerifier {
  /// Verifies a whole archive.
  ///
  /// - Throws: `PackagingError` when it is not sound, `FileError` when it cannot be read.
  package static func verify(_ path: String) throws -> VerifiedPackage {
    try verify(path, sink: nil)
  }

  /// The same, handing over the files as they are read.
  ///
  /// - Throws: errors from the sink, too. Then, as with every fault, drop everything it took.
  static func verify(_ path: String, sink: (any EntrySink)?) throws -> VerifiedPackage {
    try reading(path) { file, reader in
      let package = try verify(file, reader, EntryCheck(reader, sink: sink))
      try sink?.finish()
      return package
    }
  }

  /// Verifies an archive that was just written, under any name.
  ///
  /// - Parameters:
  ///   - written: the manifest, and its bytes; if these are found, they are in the one byte form.
  ///   - digest: hashes the whole archive.
  static func verify(
    _ path: String, as form: ArchiveForm, _ decoder: ZstdDecoder,
    written: (manifest: Manifest, bytes: [UInt8]), digest: (MappedFile) -> ContentDigest
  ) throws -> VerifiedPackage {
    try naming(path) {
      let file = try MappedFile(path: path)
      let reader = try reader(of: file, form, decoder)
      return try verify(file, reader, EntryCheck(reader, written: written), digest)
    }
  }

  private static func verify(
    _ file: MappedFile, _ reader: any EntryReader, _ check: consuming EntryCheck,
    _ digest: (MappedFile) -> ContentDigest = { ContentDigest(of: $0) }
  ) throws -> VerifiedPackage {
    let manifest = try check.manifest(origin: file.path)
    try check.files(of: manifest)
    return VerifiedPackage(
      path: file.path, manifest: manifest, sha256: digest(file),
      tarSHA256: reader.tarDigest, byteCount: file.byteCount, contents: check.contents,
      readings: check.readings)
  }

  /// Opens an archive of any form; faults that `body` finds in it name the archive.
  static func reading<Result>(
    _ path: String, _ body: (MappedFile, any EntryReader) throws -> Result
  ) throws -> Result {
    try naming(path) {
      let file = try MappedFile(path: path)
      let form = try ArchiveForm(of: file)
      return try body(file, try reader(of: file, form, try ZstdDecoder()))
    }
  }

  private static func reader(
    of file: MappedFile, _ form: ArchiveForm, _ decoder: ZstdDecoder
  ) throws(ArchiveFault) -> any EntryReader {
    switch form {
    case .tarZst: try TarReader(file, decoder)
    case .zip: try ZipReader(file)
    }
  }

  private static func naming<Result>(
    _ path: String, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let fault as ArchiveFault {
      throw PackagingError.unsound(archive: path, fault: fault)
    }
  }
}
