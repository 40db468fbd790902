import Files

/// Shows others that an app which uses a version on trial is alive.
final class TrialMark: Sendable {
  private let lock: FileLock

  /// Marks this process, until the value goes away or the process ends.
  init(_ path: String) throws(FileError) {
    lock = try FileLock(path: path)
    // Nobody holds it alone but for a moment.
    try lock.wait(for: .shared)
  }

  /// Whether no process that used the version on trial is alive, or none can be asked.
  static func isAbandoned(_ path: String) -> Bool {
    do { return try FileLock(path: path).take(.exclusive) } catch { return true }
  }
}
