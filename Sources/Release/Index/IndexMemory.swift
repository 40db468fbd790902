import Files

/// Asks for the memory that the lines of an index take before they are read, some megabytes of them
/// at a time, so that what lines there are counts and not how large the file is.
struct IndexMemory {
  /// Bytes of memory for each byte of lines; measured 2 to 3 that stay, and 14 of the longest line
  /// while it is read.
  private static let perByte = 8
  /// So many bytes of lines are asked for at once; as many go without asking.
  private static let step = 16 << 20

  private let path: String
  private var byteCount = 0
  private var granted = IndexMemory.step

  /// - Parameter path: the index, for messages.
  init(path: String) { self.path = path }

  /// Makes sure that there is memory for one more line.
  ///
  /// - Throws: `FileError.noMemory`.
  mutating func require(for line: [UInt8]) throws(FileError) {
    byteCount += line.count
    guard byteCount > granted else { return }
    granted += Self.step
    try Memory.require(Self.perByte * Self.step, for: "reading its lines", of: path)
  }
}
