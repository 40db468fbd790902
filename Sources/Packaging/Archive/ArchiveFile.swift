import Files

/// The file an archive is written to; small writes are collected.
final class ArchiveFile {
  private static let pieceByteCount = 1 << 17

  /// Nil once finished.
  private var file: OutputFile?
  private var pending: [UInt8] = []

  /// Makes a new file.
  init(path: String) throws(FileError) { file = try OutputFile.create(at: path) }

  func write(_ bytes: RawSpan) throws(FileError) {
    unsafe bytes.withUnsafeBytes { unsafe pending.append(contentsOf: $0) }
    if pending.count >= ArchiveFile.pieceByteCount { try flush() }
  }

  /// Closes the file.
  ///
  /// - Parameter isDurable: whether its bytes must have reached the disk.
  func finish(isDurable: Bool) throws(FileError) {
    try flush()
    try file.take()?.finish(isDurable: isDurable)
  }

  private func flush() throws(FileError) {
    try file?.write(pending)
    pending.removeAll(keepingCapacity: true)
  }
}
