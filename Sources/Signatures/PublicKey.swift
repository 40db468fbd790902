/// An Ed25519 public key.
package struct PublicKey: Hashable, Sendable {
  /// Bytes of such a key.
  package static let byteCount = 32

  package let bytes: [UInt8]

  /// Nil unless there are 32 bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == PublicKey.byteCount else { return nil }
    self.bytes = bytes
  }
}
