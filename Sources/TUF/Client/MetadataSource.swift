/// Where the metadata of a repository come from.
package protocol MetadataSource: Sendable {
  /// The bytes of a file of metadata.
  ///
  /// - Parameters:
  ///   - file: its name, to be quoted where it becomes part of a URL.
  ///   - limit: the most bytes to take.
  /// - Returns: nil where the repository says that it has no such file.
  /// - Throws: `MetadataError.tooLong`, and errors of the way there.
  func fetch(_ file: String, limit: Int) async throws -> [UInt8]?
}

/// Where a client keeps the metadata that it trusts.
package protocol MetadataStore: Sendable {
  /// - Parameter role: `root`, `timestamp`, `snapshot`, `targets` or that of a delegation.
  /// - Returns: nil where there is none.
  func read(_ role: String) throws -> [UInt8]?
  /// Replaces it as a whole.
  func write(_ bytes: [UInt8], _ role: String) throws
}
