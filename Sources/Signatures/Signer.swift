/// Something that signs with one Ed25519 key: a key file, or an agent that holds the key.
package protocol Signer: Sendable {
  /// The key that verifies signatures.
  var publicKey: PublicKey { get }

  /// The Ed25519 signature (RFC 8032) of some bytes, 64 bytes long.
  func sign(_ bytes: [UInt8]) throws(SignatureError) -> [UInt8]
}

/// The key that a project names.
package enum SigningKey {
  /// Opens a private key file, or finds the private half of a public one with the agent.
  ///
  /// - Parameter path: a name that ends in `.pub` is a public key, anything else a private one.
  package static func open(_ path: String) throws(SignatureError) -> any Signer {
    guard path.utf8.suffix(4).elementsEqual(".pub".utf8) else { return try KeyFile(path: path) }
    return try AgentSigner(key: try PublicKeyFile(path: path).key)
  }
}

/// The purpose of a signature; one for one purpose does not hold for another.
package enum SignatureNamespace {
  /// Archives.
  package static let package = "package@ingot.dev"
  /// Lists of digests, `SHA256SUMS`.
  package static let sums = "sums@ingot.dev"
  /// The purpose that a list of signers must allow, to open the envelope beside an archive.
  package static let provenance = "provenance@ingot.dev"
}
