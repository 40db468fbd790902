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
