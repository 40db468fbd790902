import StrictJSON

/// One line of a list of allowed signers: who, under which conditions, with which key.
struct AllowedSigner: Sendable {
  /// Number of the line, from 1.
  let line: Int
  let principals: PatternList
  let options: SignerOptions
  let key: AuthorizedKey

  /// Why the line does not let a key sign, in the order OpenSSH asks; nil when it does.
  ///
  /// Certificates are not supported, so the key of an authority permits no signatures.
  func objection(namespace: String, at seconds: Int) -> String? {
    if options.isAuthority { return "the key is that of a certificate authority" }
    if let namespaces = options.namespaces, !namespaces.matches(namespace.utf8) {
      return "the key may not sign for \(quoted(namespace))"
    }
    if let start = options.validAfter, seconds < start { return "the key is not valid yet" }
    if let end = options.validBefore, seconds > end { return "the key has expired" }
    return nil
  }
}
