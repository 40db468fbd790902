/// How far an update is.
public enum UpdateStep: Hashable, Sendable {
  /// The repository is asked what it offers.
  case asking
  /// Bytes of models that were downloaded, of those that are needed.
  case fetching(done: Int, total: Int)
  /// The models run their self-tests.
  case checking
}
