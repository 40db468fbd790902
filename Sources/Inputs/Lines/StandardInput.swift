import Files

/// The standard input as a file of inputs.
enum StandardInput {
  /// Its name in messages.
  static let name = "standard input"

  /// Reads it to its end.
  ///
  /// - Throws: `FileError` if it is longer than `limit` bytes, or cannot be read.
  static func contents(limit: Int) throws(FileError) -> [UInt8] {
    try System.readAll(from: 0, name: name, limit: limit)
  }
}
