import StrictJSON

/// Why an update was not made. The model that the app has goes on to work.
public enum UpdateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The repository, or the way there, does not answer.
  case unreachable(path: String, reason: String)
  /// The repository answers with a status that says nothing of the file.
  case status(path: String, status: Int)
  /// A file that the metadata name is not there.
  case missing(path: String)
  /// The address has no repository of the app: the file that each has is not there.
  case noRepository(path: String)
  /// Metadata whose time is over, with the moments that they held until and that it is now.
  case expired(file: String, at: String, now: String)
  /// A disk with less space than a version needs; bytes.
  case full(folder: String, needed: Int, free: Int)
  /// Bytes that come too slowly: so many in so many seconds.
  case slow(path: String, bytes: Int, seconds: Int)
  /// A file with more bytes than it has by the metadata.
  case long(path: String, limit: Int)
  /// A file with other bytes than it has by the metadata; lengths, or SHA-256.
  case other(path: String, found: String, expected: String)
  /// Metadata that do not hold, in words.
  case untrusted(String)
  /// A pack or an offer that is not understood, in words.
  case malformed(String)
  /// A file that cannot be read or written, in words.
  case disk(String)
  /// Another process of the app updates right now.
  case busy
  /// A model that does not load, or gives other outputs than where it was judged.
  case unfit(version: String, reason: String)

  /// The fault, with what is and what should be.
  public var description: String {
    switch self {
    case .unreachable(let path, let reason): "'\(path)' cannot be had: \(reason)"
    case .status(let path, let status): "'\(path)': the repository answers with status \(status)"
    case .missing(let path): "'\(path)' is missing from the repository, though its metadata name it"
    case .noRepository(let path):
      "'\(path)' is not there (status 403 or 404): this address has no repository of the app"
    case .expired(let file, let moment, let now): "\(file): expired at \(moment), it is \(now) now"
    case .full(let folder, let needed, let free):
      "\(folder): the version needs \(Figures.bytes(needed)), and \(Figures.bytes(free)) are free"
    case .slow(let path, let bytes, let seconds):
      "'\(path)': only \(bytes) bytes came in \(seconds) seconds"
    case .long(let path, let limit): "'\(path)' has more than the \(limit) bytes it may have"
    case .other(let path, let found, let expected):
      "'\(path)' is \(found), the metadata say \(expected)"
    case .untrusted(let reason), .malformed(let reason), .disk(let reason): reason
    case .busy: "another process updates the same models right now"
    case .unfit(let version, let reason): "version \(version): \(reason)"
    }
  }
}
