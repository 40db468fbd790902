import Crypto

/// A SHA-256 over bytes that come piece by piece.
package struct DigestStream: Sendable {
  private var hash = SHA256()

  package init() {}

  /// Takes the next bytes.
  package mutating func update(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
  }

  /// The digest of everything so far.
  package func finish() -> ContentDigest { ContentDigest(hash) }
}
