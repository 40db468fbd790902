package import Files
import StrictJSON

/// A list of who may sign what and when: the `allowed_signers` file of `ssh-keygen -Y verify`
/// (ssh-keygen(1), "ALLOWED SIGNERS").
///
/// Anyone whom OpenSSH 9.2 refuses is refused here too. Ingot is stricter: it knows only
/// Ed25519 keys and no certificates, and ignores a first line behind a byte-order mark, which
/// OpenSSH takes for a part of the name. A line that cannot be read permits no one and is kept as a
/// fault; the other lines hold.
package struct AllowedSigners: Sendable {
  /// Most bytes of such a list.
  package static let sizeLimit = 4 << 20

  /// The file, for messages.
  package let path: String
  /// Faults of lines that cannot be read, each with its place: `FILE:LINE: …`.
  package let faults: [String]
  private let signers: [AllowedSigner]

  /// Reads a list.
  package init(path: String) throws(SignatureError) {
    do throws(FileError) {
      self.init(
        try MappedFile.contents(of: path, limit: AllowedSigners.sizeLimit), origin: path)
    } catch {
      throw .unreadable(error)
    }
  }

  /// Reads the content of a list.
  ///
  /// - Parameter origin: the file, for messages.
  package init(_ text: [UInt8], origin: String) {
    var signers: [AllowedSigner] = []
    var faults: [String] = []
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      do throws(AllowedSignerReader.Fault) {
        if let signer = try AllowedSignerReader.read(line, number: index + 1) {
          signers.append(signer)
        }
      } catch {
        faults.append("\(origin):\(index + 1): \(error.words)")
      }
    }
    path = origin
    self.signers = signers
    self.faults = faults
  }

  /// Every Ed25519 key of the list, once.
  var keys: [PublicKey] {
    var seen: Set<PublicKey> = []
    return signers.compactMap { signer in
      guard case .ed25519(let key) = signer.key, seen.insert(key).inserted else { return nil }
      return key
    }
  }

  /// Checks a signature of a file, which is read piece by piece.
  ///
  /// - Parameters:
  ///   - namespace: the required purpose of the signature.
  ///   - identity: who must have signed; anyone of the list without.
  ///   - seconds: the moment at which the key must be valid, since 1970.
  package func verify(
    _ signature: SSHSignature, of file: MappedFile, namespace: String, identity: String? = nil,
    at seconds: Int
  ) throws(SignatureError) -> Principal {
    try verify(
      signature, namespace: namespace, identity: identity, at: seconds, content: file.path
    ) { $0.digest(of: file) }
  }

  /// Checks a signature of bytes in memory.
  ///
  /// - Parameters:
  ///   - origin: a name for the bytes, for messages.
  ///   - namespace: the required purpose of the signature.
  ///   - identity: who must have signed; anyone of the list without.
  ///   - seconds: the moment at which the key must be valid, since 1970.
  package func verify(
    _ signature: SSHSignature, of bytes: [UInt8], origin: String, namespace: String,
    identity: String? = nil, at seconds: Int
  ) throws(SignatureError) -> Principal {
    try verify(
      signature, namespace: namespace, identity: identity, at: seconds, content: origin
    ) { $0.digest(of: bytes) }
  }

  private func verify(
    _ signature: SSHSignature, namespace: String, identity: String?, at seconds: Int,
    content: String, digest: (HashAlgorithm) -> [UInt8]
  ) throws(SignatureError) -> Principal {
    guard ExactString(signature.namespace) == ExactString(namespace) else {
      throw .refused(
        origin: signature.origin,
        fault: "is made for \(quoted(signature.namespace)), expected '\(namespace)'", details: [])
    }
    guard signature.isMade(for: digest(signature.hash)) else {
      throw .refused(
        origin: signature.origin,
        fault: "does not fit \(content): the file or the signature has changed", details: [])
    }
    return try principal(
      of: signature.key, namespace: namespace, identity: identity, at: seconds,
      origin: signature.origin)
  }

  /// Who may sign for a purpose with a key.
  ///
  /// - Parameters:
  ///   - namespace: the purpose of the signature.
  ///   - identity: who must have signed; anyone of the list without.
  ///   - seconds: the moment at which the key must be valid, since 1970.
  ///   - origin: name of the signed file, for messages.
  package func principal(
    of key: PublicKey, namespace: String, identity: String? = nil, at seconds: Int, origin: String
  ) throws(SignatureError) -> Principal {
    var details: [String] = []
    for signer in signers where signer.key == .ed25519(key) {
      let name = identity.map { Array($0.utf8) } ?? signer.principals.firstIdentity
      guard let name, signer.principals.matches(name) else {
        details.append(
          "\(path):\(signer.line): the key is "
            + (identity.map { "not that of \(quoted($0))" } ?? "nobody's"))
        continue
      }
      if let objection = signer.objection(namespace: namespace, at: seconds) {
        details.append("\(path):\(signer.line): \(objection)")
        continue
      }
      return Principal(
        identity: String(decoding: name, as: UTF8.self), key: key, namespace: namespace)
    }
    let who = identity.map { "\(quoted($0)) may not sign" } ?? "nobody may sign"
    throw .refused(
      origin: origin, fault: "\(who) with the key \(key) by \(path)", details: details + faults)
  }
}

/// Who signed, as a list of allowed signers has it; only a check that passed makes one.
package struct Principal: Equatable, Sendable {
  /// The name that was asked for; without one, the first of the line's patterns that lets anyone in.
  package let identity: String
  package let key: PublicKey
  /// The purpose of the signature.
  package let namespace: String

  fileprivate init(identity: String, key: PublicKey, namespace: String) {
    self.identity = identity
    self.key = key
    self.namespace = namespace
  }
}
