/// Something that signs with one Ed25519 key: a key file, or an agent that holds the key.
package protocol Signer: Sendable {
  /// The key that verifies signatures.
  var publicKey: PublicKey { get }

  /// The Ed25519 signature (RFC 8032) of some bytes, 64 bytes long.
  func sign(_ bytes: [UInt8]) throws(SignatureError) -> [UInt8]
}
