import Crypto
import Files

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

/// SSH's form of an Ed25519 public key, and verification with it.
extension PublicKey {
  /// SSH's name for Ed25519, of keys and of signatures.
  static let algorithm = "ssh-ed25519"

  /// The key as SSH programs pass it on: its algorithm and its 32 bytes, 51 bytes in all.
  var blob: [UInt8] {
    var writer = SSHWriter()
    writer.string(PublicKey.algorithm)
    writer.string(bytes)
    return writer.bytes
  }

  /// Reads such a blob; nil when it is something else, or when anything follows.
  init?(blob bytes: RawSpan, _ range: Range<Int>) {
    var reader = SSHReader(range)
    guard let algorithm = try? reader.string(bytes), let key = try? reader.string(bytes),
      reader.isAtEnd, bytes.holds(PublicKey.algorithm, algorithm)
    else { return nil }
    self.init(bytes: bytes.array(key))
  }

  /// The key in one line, as in a `.pub` file and in a list of allowed signers: `ssh-ed25519 AAAA…`.
  package var line: String { "\(PublicKey.algorithm) \(Base64.encode(blob))" }

  /// The name that OpenSSH shows for the key: `SHA256:` and the digest of its blob in base64,
  /// without padding.
  package var fingerprint: String {
    let digest = Base64.encode(HashAlgorithm.sha256.digest(of: blob))
    return "SHA256:" + digest.prefix { $0 != "=" }
  }

  /// Whether this key made an Ed25519 signature of these bytes.
  package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else {
      return false
    }
    return key.isValidSignature(signature, for: message)
  }
}

extension PublicKey: CustomStringConvertible {
  package var description: String { fingerprint }
}
