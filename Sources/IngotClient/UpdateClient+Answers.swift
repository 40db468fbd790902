// What a client answers.
extension UpdateClient {
  /// What an update did.
  public enum Result: Hashable, Sendable {
    /// The version in use is the one to use.
    case upToDate
    /// Another version is current from now on, on trial; bytes of models that were downloaded.
    case updated(Version, fetchedByteCount: Int)
    /// Files of the version in use were missing or damaged, and are there again; bytes that were downloaded.
    case repaired(Version, fetchedByteCount: Int)
    /// Files of the version in use are missing or damaged, and it is not offered any more: the one before it
    /// is current; nil for what the app brought along.
    case wentBack(Version?)
    /// The version in use was withdrawn, and what the app brought along is used.
    case withdrawn
  }

  /// What an update would do.
  public enum Availability: Hashable, Sendable {
    /// Nothing.
    case upToDate
    /// Take a version, and download so many bytes of models.
    case available(version: String, byteCount: Int)
    /// Make missing or damaged files of the version in use again, and download so many bytes for them.
    case damaged(byteCount: Int)
    /// Leave the version in use, which has missing or damaged files and is not offered any more.
    case goesBack
    /// Leave the version in use for what the app brought along.
    case withdrawn
  }
}
