package import Files

/// A signature as `ssh-keygen -Y sign` makes it, with an Ed25519 key.
///
/// The layout is OpenSSH's `PROTOCOL.sshsig`; `specs/formats/signature.md` has it in a table.
package struct SSHSignature: Sendable {
  /// The suffix of a signature's file name.
  package static let suffix = ".sig"
  /// Most bytes a signature file may have.
  package static let sizeLimit = 1 << 16

  /// The file it came from or belongs to, for messages.
  package let origin: String
  /// The key that claims to have signed.
  package let key: PublicKey
  /// The purpose of the signature; one for another purpose does not hold.
  package let namespace: String
  let hash: HashAlgorithm
  /// 64 bytes.
  let signature: [UInt8]

  /// Signs a file by its digests.
  ///
  /// - Parameters:
  ///   - sha256: what was found to be worth a signature, in lower-case digits; nothing else is signed.
  ///   - namespace: not empty; `name@domain` by custom.
  package init(
    of file: FileDigests, sha256: String, namespace: String, by signer: some Signer
  ) throws(SignatureError) {
    guard file.sha256 == sha256 else {
      throw .changed(path: file.path, found: file.sha256, expected: sha256)
    }
    try self.init(
      digest: file.sha512Bytes, origin: file.path, namespace: namespace, by: signer)
  }

  /// Signs bytes in memory.
  ///
  /// - Parameter origin: a name for the bytes, for messages.
  package init(
    of bytes: [UInt8], origin: String, namespace: String, by signer: some Signer
  ) throws(SignatureError) {
    let digest = HashAlgorithm.sha512.digest(of: bytes)
    try self.init(digest: digest, origin: origin, namespace: namespace, by: signer)
  }

  private init(
    digest: [UInt8], origin: String, namespace: String, by signer: some Signer
  ) throws(SignatureError) {
    precondition(!namespace.isEmpty, "a signature is for something")
    self.origin = origin
    self.namespace = namespace
    key = signer.publicKey
    hash = .sha512
    signature = try signer.sign(
      SSHSignature.message(digest: digest, hash: .sha512, namespace: namespace))
  }

  /// The signed bytes: the purpose and the digest of the content.
  static func message(digest: [UInt8], hash: HashAlgorithm, namespace: String) -> [UInt8] {
    var writer = SSHWriter(magic)
    writer.string(namespace)
    writer.string("")
    writer.string(hash.rawValue)
    writer.string(digest)
    return writer.bytes
  }

  /// Whether the key it names made it for a content of this digest.
  func isMade(for digest: [UInt8]) -> Bool {
    key.verifies(
      signature, of: SSHSignature.message(digest: digest, hash: hash, namespace: namespace))
  }

  /// Whether the key it names made it for a file, which is read piece by piece, and this purpose.
  package func isMade(of file: MappedFile, for namespace: String) -> Bool {
    self.namespace == namespace && isMade(for: hash.digest(of: file))
  }

  /// Whether the key it names made it for a file of this SHA-512 and this purpose; nil if it is
  /// made over another hash, so that the file must be read.
  package func isMade(ofSHA512 digest: [UInt8], for namespace: String) -> Bool? {
    hash == .sha512 ? self.namespace == namespace && isMade(for: digest) : nil
  }

  /// Whether the key it names made it for these bytes and this purpose.
  package func isMade(of bytes: [UInt8], for namespace: String) -> Bool {
    self.namespace == namespace && isMade(for: hash.digest(of: bytes))
  }

  init(
    origin: String, key: PublicKey, namespace: String, hash: HashAlgorithm, signature: [UInt8]
  ) {
    self.origin = origin
    self.key = key
    self.namespace = namespace
    self.hash = hash
    self.signature = signature
  }

  static let magic = "SSHSIG"
  static let version = 1
}
