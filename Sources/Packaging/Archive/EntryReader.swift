import Files
import Weights

/// The entries of an archive, one after another; each form of archive has a reader of its own.
///
/// A reader accepts one byte form only and hands nothing out that breaks the form's own rules. What
/// the manifest demands is `EntryCheck`'s concern.
protocol EntryReader: AnyObject {
  /// SHA-256 of the tar stream as far as it was read; nil if there is none.
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

/// Takes the files of a package while they are verified. They are worth nothing until the whole
/// package proves sound.
protocol EntrySink: AnyObject {
  /// A file begins, of exactly `size` bytes.
  func begin(_ path: PackagePath, size: Int) throws
  /// The next bytes of the file.
  func take(_ piece: RawSpan) throws
  /// The file ended, and its bytes are those the manifest lists.
  func end() throws
  /// There are no more files, and the package is sound.
  func finish() throws
}

extension EntrySink {
  func finish() {}
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
