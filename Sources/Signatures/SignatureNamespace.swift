/// The purpose of a signature; one for one purpose does not hold for another.
package enum SignatureNamespace {
  /// Archives.
  package static let package = "package@ingot.dev"
  /// Lists of digests, `SHA256SUMS`.
  package static let sums = "sums@ingot.dev"
  /// The purpose that a list of signers must allow, to open the envelope beside an archive.
  package static let provenance = "provenance@ingot.dev"
}
