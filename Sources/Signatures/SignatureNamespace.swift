/// What Ingot signs for: a signature for one purpose is none for another.
package enum SignatureNamespace {
  /// Archives.
  package static let package = "package@ingot.dev"
  /// Lists of digests, `SHA256SUMS`.
  package static let sums = "sums@ingot.dev"
  /// What a list of signers must let a key sign for, to open the envelope beside an archive.
  package static let provenance = "provenance@ingot.dev"
}
