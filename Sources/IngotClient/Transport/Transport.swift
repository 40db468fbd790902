/// How an app reaches its repository: a file below an address, by parts. Apps and tests may bring their own.
public protocol Transport: Sendable {
  /// Fetches a file.
  ///
  /// - Parameters:
  ///   - request: what is wanted.
  ///   - receive: called with the answer first, and then with the bytes as they come, never twice at a time;
  ///     an error that it throws ends the transfer and is thrown on.
  /// - Throws: errors of the way there, and those of `receive`.
  func fetch(
    _ request: TransportRequest,
    _ receive: @escaping @Sendable (TransportEvent) throws -> Void
  ) async throws
}

/// A file, or the rest of one.
public struct TransportRequest: Hashable, Sendable {
  /// Below the repository's address, quoted as in a URL.
  public let path: String
  /// The first byte that is wanted.
  public let offset: Int
  /// What tells that the file is still the one whose first bytes are there; nil for a file from its start.
  public let validator: String?

  /// A whole file, or the rest of one whose first bytes are there.
  public init(path: String, offset: Int = 0, validator: String? = nil) {
    (self.path, self.offset, self.validator) = (path, offset, validator)
  }
}

/// What comes of a request, in this order.
public enum TransportEvent: Hashable, Sendable {
  /// The file, from a byte on; 0 where the whole comes although a part was asked for.
  case found(offset: Int, validator: String?)
  /// The repository has no such file.
  case missing
  /// The repository answers with another status, for instance 500.
  case refused(status: Int)
  case bytes([UInt8])
}
