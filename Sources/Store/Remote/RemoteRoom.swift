import Files

/// How many bytes a run takes from a remote store before they prove useful.
final class RemoteRoom: Sendable {
  private let left: Mutex<Int>

  init(byteCount: Int) { left = Mutex(max(0, byteCount)) }

  /// Takes room.
  ///
  /// - Returns: nil when it is taken; the room left when that is less.
  func take(_ byteCount: Int) -> Int? {
    left.withLock { left in
      guard byteCount <= left else { return left }
      left -= byteCount
      return nil
    }
  }

  /// Gives room back that was taken.
  func giveBack(_ byteCount: Int) { left.withLock { $0 += byteCount } }
}
