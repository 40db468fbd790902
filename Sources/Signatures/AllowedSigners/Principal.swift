/// Who signed, as a list of allowed signers has it; only a check that passed makes one.
package struct Principal: Equatable, Sendable {
  /// The name that was asked for; without one, the first of the line's patterns that lets anyone in.
  package let identity: String
  package let key: PublicKey
  /// The purpose of the signature.
  package let namespace: String

  init(identity: String, key: PublicKey, namespace: String) {
    self.identity = identity
    self.key = key
    self.namespace = namespace
  }
}
