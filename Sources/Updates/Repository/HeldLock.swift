import Files

/// A lock that is held as long as the value lives.
final class HeldLock: Sendable {
  private let lock: FileLock

  /// - Returns: nil where somebody else holds it.
  init?(_ path: String) throws(FileError) {
    lock = try FileLock(path: path)
    guard try lock.take(.exclusive) else { return nil }
  }
}
