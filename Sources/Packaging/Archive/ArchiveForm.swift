import Files
import Weights
import Zstd

/// A form that packages come in.
package enum ArchiveForm: String, CaseIterable, Sendable {
  /// A ustar stream in one zstd frame.
  case tarZst = "tar.zst"
  /// A zip of stored files.
  case zip

  /// How the names of such archives end.
  package var suffix: String { ".\(rawValue)" }

  /// The form that a file's name or path tells; nil if it tells none.
  package init?(ofName name: String) {
    guard let form = ArchiveForm.allCases.first(where: { name.hasSuffix($0.suffix) }) else {
      return nil
    }
    self = form
  }

  /// The first bytes of such an archive.
  private var magic: [UInt8] {
    switch self {
    case .tarZst: [0x28, 0xB5, 0x2F, 0xFD]
    case .zip: Array("PK".utf8)
    }
  }

  /// Recognises an archive by its first bytes, which must be what its name says, if that says
  /// anything.
  init(of file: MappedFile) throws(ArchiveFault) {
    let head = file.withBytes(in: 0..<min(4, file.byteCount)) { bytes in
      unsafe bytes.withUnsafeBytes { unsafe Array($0) }
    }
    let found = ArchiveForm.allCases.first { head.starts(with: $0.magic) }
    let named = ArchiveForm(ofName: file.path)
    switch (found, named) {
    case (.some(let found), .some(let named)) where found != named:
      throw .otherForm(named: named, found: found)
    case (.some(let found), _): self = found
    case (nil, .some(let named)): throw .notArchive(expected: named)
    case (nil, nil): throw .notArchive(expected: nil)
    }
  }
}

/// The entries of an archive, one after another; each form of archive has a reader of its own.
///
/// A reader accepts one byte form only and hands nothing out that breaks the form's own rules. What
/// the manifest demands is `EntryCheck`'s concern.
protocol EntryReader: AnyObject {
  /// SHA-256 of the tar stream as far as it was read; nil without one.
  var tarDigest: ContentDigest? { get }

  /// The header of the next entry; nil behind the last one.
  func nextHeader() throws -> (any EntryHeader)?

  /// Lends the content of the entry whose header was read last, piece by piece, all of it.
  func readContent(_ body: (RawSpan) throws -> Void) throws

  /// Checks that the archive ends behind its last entry, as its form demands.
  func checkEnd() throws
}

/// The header before the content of an entry, read without trust.
protocol EntryHeader {
  var path: PackagePath { get }
  /// Bytes of the content.
  var size: Int { get }

  /// Checks that the header is, byte for byte, the one a package of a time has for such a file.
  func checkForm(time: Timestamp) throws(ArchiveFault)
}

/// Makes an archive of the entries it is given; each form of archive has a writer of its own.
protocol EntryWriter: AnyObject {
  /// Begins an entry; exactly `size` bytes must follow.
  ///
  /// - Parameter checksum: the CRC-32 of these bytes, asked for only where the form needs it.
  func begin(_ path: PackagePath, size: Int, checksum: () throws -> UInt32) throws
  /// Appends to the content of the current entry.
  func append(_ bytes: RawSpan) throws
  /// Ends the archive.
  func finish() throws
}

/// The libraries that shape the bytes of an archive around its content.
package enum ArchiveLibraries {
  /// Their versions at run time, by name.
  package static var versions: [String: String] {
    ["libarchive": TarWriter.libraryVersion, "libzstd": ZstdWriter.libraryVersion]
  }
}
